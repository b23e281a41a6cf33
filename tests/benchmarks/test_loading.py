"""The suite about reading files: its cases, that both formats give the same model, and its table."""

from __future__ import annotations

from itertools import groupby

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES, loading

from support.samples.shared_files import BENCHMARKS, benchmark

LOADING = SUITES["loading"]
QUICK = StudyScope(quick=True)


def test_cases():
    cases = list(LOADING.cases(QUICK))
    assert [case.runner for case in cases] == ["rsm", "pigro"]
    assert len({case.place for case in cases}) == 1
    assert LOADING.skipped(QUICK)[0].startswith("dataflow, avroraReg")


def test_cases_of_java_programs():
    benchmark("java")
    scope = StudyScope(quick=True, files=BENCHMARKS)
    groups = [[case.runner for case in each] for _, each in groupby(
        LOADING.cases(scope), key=lambda case: case.place)]  # fmt: skip
    assert groups == [["rsm", "pigro"]] * 4
    assert LOADING.skipped(scope) == []


@pytest.mark.parametrize("program", ["generated", "dataflow"])
def test_both_formats_give_the_same_model(program: str):
    if program != "generated":
        benchmark("java/dataflow.zip")
    scope = StudyScope(quick=True, files=BENCHMARKS)
    cases = [case for case in LOADING.cases(scope) if case.text("program") == program]
    found = ResultSet([(case, LOADING.run(case, scope)) for case in cases])
    assert [each.word for each in found] == ["done", "done"]
    assert found.disagreements() == []
    text, compact = (each.last.details for each in found)
    assert text["nodes"] == compact["nodes"] > 10
    assert text["bytes"] > 2 * compact["bytes"] or program == "dataflow"


def test_models_that_differ_are_told():
    cases = list(LOADING.cases(QUICK))
    found = ResultSet(
        [(case, Measurement("done", 1.0, details={"verdicts": case.runner})) for case in cases]
    )
    assert len(found.disagreements()) == 1


def test_the_table():
    details = {"bytes": 2_000_000, "nodes": 12_345}
    runs = [
        (
            Case.of("loading", runner, program="dom2pdf", nodes=0),
            Measurement(word, time, details=more),
        )
        for runner, word, time, more in (
            ("rsm", "done", 0.6, details),
            ("pigro", "done", 0.02, details),
        )
    ]
    (table,) = LOADING.tables(ResultSet(runs))
    assert table.rows == (("dom2pdf", "12,345", "2 MB", "2 MB", "600 ms", "20 ms", "30"),)
    assert LOADING.facts(ResultSet(runs)) == {"dom2pdf": "30"}
    (part,) = LOADING.tables(ResultSet(runs[:1]))
    assert part.rows == ()
    (empty,) = LOADING.tables(ResultSet([(case, Measurement("timeout")) for case, _ in runs]))
    assert empty.rows == (("dom2pdf", "", "", "", "time", "time", ""),)
    assert LOADING.facts(ResultSet([])) == {}


def test_formats_are_those_that_can_be_compared():
    assert loading.FORMATS == ("rsm", "pigro")
