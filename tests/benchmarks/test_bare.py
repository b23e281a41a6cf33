"""The suite of whole processes that load a file: its cases, a run of each, and its table."""

from __future__ import annotations

from itertools import groupby

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES

from support.samples.shared_files import BENCHMARKS, benchmark

BARE = SUITES["bare"]
QUICK = StudyScope(quick=True)


def test_every_case_runs():
    cases = list(BARE.cases(QUICK))
    assert [(case.text("file"), case.runner) for case in cases] == [
        ("rsm", "load"), ("rsm", "bare"), ("pds", "load"), ("pds", "bare"),
    ]  # fmt: skip
    outcomes = [BARE.run(case, QUICK) for case in cases]
    assert [each.word for each in outcomes] == ["done"] * 4
    assert all(each.seconds for each in outcomes)
    assert BARE.skipped(QUICK)[0].startswith("dataflow, avroraReg")


def test_cases_of_java_programs():
    benchmark("java")
    scope = StudyScope(quick=True, files=BENCHMARKS)
    groups = [key for key, _ in groupby(BARE.cases(scope), key=lambda case: case.text("program"))]
    assert groups == ["fop2pdf", "avroraCFG", "generated"]
    assert BARE.skipped(scope) == []


def test_the_table():
    runs = [
        (Case.of("bare", runner, program="x", file="pds", nodes=0), Measurement("done", seconds))
        for runner, seconds in (("load", 0.3), ("bare", 0.2))
    ]
    (table,) = BARE.tables(ResultSet(runs))
    assert table.rows == (("x.pds", "300 ms", "200 ms", "1.5"),)
    (part,) = BARE.tables(ResultSet(runs[:1]))
    assert part.rows == ()
