"""The suites after published experiments: their cases, what they run, and what they tell."""

from __future__ import annotations

import zipfile

import pytest

from benchmarks.case import Measurement
from benchmarks.findings import ResultSet
from benchmarks.report import draw
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites.java import (
    PUBLISHED,
    has_file,
    is_in_table_1,
    read_program,
    table_1,
)
from benchmarks.suites.pumoc import pushdown_model
from pigro.engines import Limits

from support.samples.shared_files import BENCHMARKS, benchmark

JAVA, USEDEF, GRID, PUMOC = (SUITES[name] for name in ("java", "usedef", "grid", "pumoc"))


DETAILS = dict.fromkeys(
    "components nodes formulas hold slowest states edges priorities looked_at listed".split(), 1
)


def only(suite, scope, runner, **at):
    """The case with these coordinates."""
    (case,) = [
        case
        for case in suite.cases(scope)
        if case.runner == runner and at.items() <= dict(case.at).items()
    ]
    return case


@pytest.mark.parametrize("suite, quick, full", [(GRID, 300, 7500), (PUMOC, 60, 1500)])
def test_cases_of_random_suites(suite, quick, full):
    for scope, expected in ((StudyScope(quick=True), quick), (StudyScope(), full)):
        cases = list(suite.cases(scope))
        assert len({case.key for case in cases}) == len(cases) == expected


def test_own_pushdown_systems_are_single_components_with_recursion():
    for number in (10, 11, 94, 150, 220, 509):
        model = pushdown_model(number)
        assert model.core.components == 1
        assert model.statistics.recursive
        assert model.core.boxes


def test_pushdown_systems_of_a_folder(tmp_path):
    folder = tmp_path / "pumoc" / "files"
    folder.mkdir(parents=True)
    for name in ("random12", "random35", "without"):
        (folder / f"{name}.pds").write_text("(p <a>)\np <a> --> p <b a>\np <b> --> p <>\n")
    (folder / "random12.ctl").write_text("EF EX true\n")
    (folder / "random35.ctl").write_text("true\n")
    scope = StudyScope(files=tmp_path, limits=Limits(20))
    cases = list(PUMOC.cases(scope))
    assert PUMOC.skipped(scope) == []
    assert PUMOC.skipped(StudyScope()) != []
    assert {case.at for case in cases} == {
        (("system", 12), ("depth", 2)),
        (("system", 35), ("depth", 0)),
    }
    assert {PUMOC.run(case, scope).word for case in cases} == {"holds"}
    assert [
        case.number("system") for case in PUMOC.cases(StudyScope(quick=True, files=tmp_path))
    ] == [35] * 3


def test_names_of_tables_and_facts_are_told_apart():
    names = []
    for suite in SUITES.values():
        cases = suite.cases(StudyScope(quick=True))
        found = ResultSet((case, Measurement("holds", 1.0, details=DETAILS)) for case in cases)
        if len(found):
            names += [table.name for table in suite.tables(found)]
            names += [f"{suite.name}-{name}" for name in suite.facts(found)]
    assert len(names) == len(set(names)) > 15
    assert {name.partition("-")[0] for name in names} <= set(SUITES)


def test_the_grid_is_the_published_one():
    scope = StudyScope(limits=Limits(20))
    outcomes = {
        engine: GRID.run(only(GRID, scope, engine, model=5, formula=50), scope)
        for engine in ("demand", "lazy", "eager")
    }
    assert {each.word for each in outcomes.values()} == {"fails"}
    assert outcomes["lazy"].contexts == 1
    assert outcomes["eager"].contexts == 49
    assert outcomes["demand"].load_seconds is not None, "the first run of a model makes it"
    assert outcomes["eager"].load_seconds is None


@pytest.mark.parametrize("word", ["holds", "timeout", "memout", "error"])
@pytest.mark.parametrize("suite", [GRID, PUMOC])
def test_whatever_comes_out_can_be_told(suite, word):
    pytest.importorskip("matplotlib")
    found = ResultSet(
        (case, Measurement(word, 0.5)) for case in suite.cases(StudyScope(quick=True))
    )
    assert all(table.text and table.markdown for table in suite.tables(found))
    assert all(draw(plot).startswith(b"<?xml") for plot in suite.plots(found))
    undecided = "0" if word == "holds" else str(len(found) // 3)
    assert suite.facts(found)["eager-undecided"] == undecided


def test_ratios_leave_out_formulas_without_temporal_operators():
    times = {"demand": 1.0, "lazy": 4.0, "eager": 8.0}
    found = ResultSet(
        (case, Measurement("holds", times[case.runner] if case["formula"] >= 9 else 7.0))
        for case in GRID.cases(StudyScope())
    )
    rows = {row[0]: row[1:] for row in GRID.tables(found)[1].rows}
    assert rows["eager / lazy"] == ("2,100", "2", "2", "2", "2")
    assert rows["lazy / demand"] == ("2,100", "4", "4", "4", "4")
    assert GRID.facts(found)["eager-lazy"] == "2"


def test_without_files_nothing_is_asked():
    for suite in (JAVA, USEDEF):
        assert list(suite.cases(StudyScope())) == []
        (line,) = suite.skipped(StudyScope())
        assert line.startswith("dataflow, avroraReg,")


def test_some_files(tmp_path):
    (tmp_path / "java").mkdir()
    with zipfile.ZipFile(tmp_path / "java" / "dataflow.zip", "w") as archive:
        archive.writestr("dataflow.rsm", "{}")
    scope = StudyScope(files=tmp_path)
    assert len(list(JAVA.cases(scope))) == 16  # with the variants in the published reading
    assert len(list(USEDEF.cases(scope))) == 3
    (line,) = JAVA.skipped(scope)
    assert "dataflow" not in line
    assert line.endswith(f"not in {tmp_path}")


def test_java_programs_in_both_readings():
    benchmark("java/avroraReg.zip")
    scope = StudyScope(files=BENCHMARKS, limits=Limits(60))
    assert len(list(JAVA.cases(scope))) == 140 + 8 * 6
    runs = []
    for semantics, word, contexts in (("standard", "fails", 467), ("rsmcheck", "holds", 479)):
        for engine in ("demand", "eager"):
            case = only(JAVA, scope, engine, program="avroraReg", file="rsm", semantics=semantics)
            outcome = JAVA.run(case, scope)
            assert outcome.word == word
            assert engine == "demand" or outcome.contexts == contexts
            runs.append((case, outcome))
    found = ResultSet(runs)
    assert PUBLISHED["avroraReg"].word == "holds"
    assert JAVA.facts(found)["wrong-names"] == "avroraReg"
    (row,) = next(table for table in JAVA.tables(found) if table.name == "java-published").rows
    assert row[:6] == ("avroraReg", "holds", "fails", "477", "479", "1.77 s")


def test_use_def_requirements_in_both_readings():
    benchmark("java/avroraReg.zip")
    scope = StudyScope(files=BENCHMARKS, limits=Limits(60))
    runs = []
    for semantics in ("standard", "rsmcheck"):
        at = {"program": "avroraReg", "file": "rsm", "semantics": semantics}
        case = only(USEDEF, scope, "demand", **at)
        runs.append((case, USEDEF.run(case, scope)))
    found = ResultSet(runs)
    facts = USEDEF.facts(found)
    assert (facts["formulas"], facts["wrong"]) == ("412", "90")
    (row,) = next(table for table in USEDEF.tables(found) if table.name == "usedef-readings").rows
    assert row == ("avroraReg", "412", "90", "86", "4")
    assert runs[0][1].details["hold"] == 321


def column_k(model, kind):
    """The components of the `.rsm` that the authors' converter makes: of called procedures only.

    A `.pds` that is read here has two more, for the initial and the last control state, and one
    for each procedure that nothing calls.
    """
    core = model.core
    if kind == "rsm":
        return core.components
    called = {core.callee(box) for each in range(core.components) for box in core.boxes_of(each)}
    initial = {core.component(node) for node in model.initial}
    return len(called | initial) - 2


@pytest.mark.parametrize("program", PUBLISHED)
def test_column_k_comes_out_exactly(program):
    files = benchmark("java").parent
    for kind in ("rsm", "pds"):
        if has_file(files, program, kind):
            model = read_program(files, program, kind, "rsmcheck")
            assert column_k(model, kind) == PUBLISHED[program].components


def test_table_1_is_whole():
    """All eight programs, what was published, and every variant."""
    scope = StudyScope(files=benchmark("java").parent)
    cases = [case for case in JAVA.cases(scope) if is_in_table_1(case.at)]
    found = ResultSet((case, Measurement("holds", 1.0, contexts=7)) for case in cases)
    rows = table_1(found).rows
    assert [row[0] for row in rows if row[0]] == list(PUBLISHED)
    assert len(rows) == 4 * len(PUBLISHED)
    assert all(all(row[6:]) for row in rows)


def test_heuristics_over_seeds():
    suite, scope = SUITES["seeds"], StudyScope(files=benchmark("java").parent, quick=True)
    at = {"program": "avroraReg", "semantics": "rsmcheck"}
    cases = [case for case in suite.cases(scope) if at.items() <= dict(case.at).items()]
    found = ResultSet((case, suite.run(case, scope)) for case in cases)
    (table,) = suite.tables(found)
    assert [row[2:5] for row in table.rows] == [
        ("next", "1", "1"),
        ("next-random", "3", "3"),
        ("random", "3", "3"),
    ]
