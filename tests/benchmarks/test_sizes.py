"""The suites on generated models: their cases, what the smallest of them give, tables and plots."""

import io
from dataclasses import replace
from itertools import pairwise

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.generators import models
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES, exits, scale, smv
from benchmarks.suites.processes import start
from pigro.engines import Limits
from pigro.formats import rsm_json

NAMES = ("scale", "exits", "nesting", "smv", "increment", "start")
QUICK = StudyScope(quick=True)
UNDECIDED = ("timeout", "memout", "error")


def run(suite, runner, scope=QUICK, **at):
    return SUITES[suite].run(Case.of(suite, runner, **at), scope)


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_cases_differ_and_those_at_the_same_place_follow_each_other(name, quick):
    cases = list(SUITES[name].cases(StudyScope(quick=quick)))
    assert len({case.key for case in cases}) == len(cases) > 0
    places = [case.place for case in cases]
    changes = sum(one != other for one, other in pairwise(places))
    assert changes == len(set(places)) - 1
    assert SUITES[name].skipped(QUICK) == []


@pytest.mark.parametrize(
    "name, left",
    [("scale", 0), ("nesting", 0), ("exits", 16), ("start", 5), ("smv", 14), ("increment", 10)],
)
def test_without_numpy_generated_programs_are_left_out(name, left, monkeypatch):
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    assert len(list(SUITES[name].cases(QUICK))) == left
    said = SUITES[name].skipped(QUICK)
    assert said == (
        []
        if name in ("smv", "increment")
        else ["generated programs: they need NumPy (pip install numpy)"]
    )


@pytest.mark.parametrize(
    "suite, runner, at, word, contexts, visited",
    [
        ("scale", "demand", {"nodes": 10_000, "formula": "AG (p -> EF q)"}, "holds", 77, 1994),
        ("scale", "exhaustive", {"nodes": 10_000, "formula": "AG (p -> EF q)"}, "holds", 500, 4714),
        ("exits", "demand", {"family": "forward", "exits": 1, "nodes": 10_000}, "fails", 525, 25768),
        ("exits", "exhaustive", {"family": "forward", "exits": 1, "nodes": 10_000}, "fails", 918, 27595),
        ("exits", "demand", {"family": "permuted", "exits": 4, "nodes": 5}, "holds", 30, None),
        ("exits", "demand", {"family": "gap", "exits": 2, "nodes": 3}, "holds", 0, None),
        ("exits", "lazy", {"family": "gap", "exits": 2, "nodes": 3}, "holds", 1, None),
        ("exits", "eager", {"family": "gap", "exits": 2, "nodes": 3}, "holds", 15, None),
        ("nesting", "demand", {"nodes": 10_000, "exits": 1, "depth": 1}, "fails", 1, 10683),
        ("nesting", "demand", {"nodes": 10_000, "exits": 1, "depth": 6}, "fails", 2326, 31918),
    ],
)  # fmt: skip
def test_smallest_cases(suite, runner, at, word, contexts, visited):
    outcome = run(suite, runner, **at)
    assert (outcome.word, outcome.contexts, outcome.problem) == (word, contexts, None)
    assert visited in {None, outcome.visited}
    assert outcome.details["components"] == (1 if at["nodes"] < 10 else 250)
    assert outcome.details["nodes"] == (at["nodes"] if at["nodes"] < 10 else 10285)


@pytest.mark.parametrize(
    "runner, contexts", [("demand", 4), ("incremental", 7), ("knowledge", 8010), ("basic", 8012)]
)
def test_modules_that_the_answer_does_not_need(runner, contexts):
    outcome = run("increment", runner, modules=2_000)
    assert (outcome.word, outcome.contexts, outcome.problem) == ("holds", contexts, None)


@pytest.mark.parametrize(
    "runner, contexts", [("demand", 111), ("exhaustive", 504), ("incremental", 593), ("basic", 772)]
)
def test_smallest_modules_with_calls(runner, contexts):
    outcome = run("smv", runner, file="procedures", size=10)
    assert (outcome.word, outcome.contexts) == ("done", contexts)
    assert {**outcome.details, "slowest": 0} == {
        "nodes": 169,
        "formulas": 20,
        "hold": 8,
        "verdicts": "8047d",
        "slowest": 0,
    }


@pytest.mark.parametrize("runner", ["demand", "exhaustive"])
def test_smallest_module_without_calls(runner):
    outcome = run("smv", runner, file="module", size=500)
    assert (outcome.word, outcome.details["formulas"], outcome.details["hold"]) == (
        "done",
        450,
        241,
    )
    assert outcome.load_seconds is not None


@pytest.mark.parametrize("command", start.COMMANDS)
def test_smallest_command(command):
    nodes = start.SMALL if command == "pigro check" else 0
    outcome = run("start", "pigro", command=command, nodes=nodes)
    assert (outcome.word, outcome.problem) == ("done", None)
    assert 0 < outcome.seconds < 60
    assert outcome.whole_seconds > 0


def test_a_check_is_compared_with_the_imports_that_it_needs():
    modules, beyond = {}, {}
    for command, nodes in (("python", 0), (start.YARDSTICK, 0), ("pigro check", start.SMALL)):
        details = run("start", "pigro", command=command, nodes=nodes).details
        modules[command], beyond[command] = details["modules"], details["beyond"]
    assert modules["python"] < modules[start.YARDSTICK] < modules["pigro check"]
    assert beyond["python"] < 0 < beyond["pigro check"]


def test_the_file_of_the_large_model_is_a_program():
    assert rsm_json.read(start.file_of(400)).statistics.components == 10


def test_a_wrong_verdict_is_an_error(monkeypatch):
    formula = "A [!q U end]"
    monkeypatch.setitem(scale.FORMULAS, formula, "fails")
    outcome = run("scale", "demand", nodes=10_000, formula=formula)
    assert (outcome.word, outcome.problem) == ("wrong", "the formula fails")
    monkeypatch.setitem(smv.HOLD["procedures"], 10, 7)
    outcome = run("smv", "demand", file="procedures", size=10)
    assert (outcome.word, outcome.problem) == ("wrong", "8 formulas hold, not 7")


def test_a_command_that_ends_badly_is_an_error(monkeypatch):
    monkeypatch.setitem(start.COMMANDS, "python", ("-c", "raise SystemExit('one\\nbroken')"))
    outcome = run("start", "python", command="python", nodes=0)
    assert (outcome.word, outcome.problem) == ("error", "ended with code 1: broken")


def test_limits_are_kept(monkeypatch):
    hurry = StudyScope(limits=Limits(seconds=0.001))
    assert run("exits", "demand", hurry, family="permuted", exits=40, nodes=41).word == "timeout"
    assert run("smv", "basic", hurry, file="procedures", size=10).word == "timeout"
    assert run("start", "python", hurry, command="python", nodes=0).word == "timeout"


def invented(name, word=None):
    """Runs of all cases, as they might be."""
    details = {"nodes": 10_000, "components": 10, "formulas": 9, "hold": 5, "slowest": 0.1}
    decided = Measurement("holds", 0.5, 0.1, 0.7, 10**8, 25, 8_000, details)
    outcome = decided if word is None else Measurement(word, whole_seconds=1.0, problem="why not")
    every = {
        case.key: case for quick in (True, False) for case in SUITES[name].cases(StudyScope(quick))
    }
    return [(case, outcome) for case in every.values()]


def all_kinds(name):
    """Nothing, all, the first and the last cases alone, all without result, and some without."""
    full = invented(name)
    without = [invented(name, word) for word in UNDECIDED]
    mixed = [each[i] for i in range(len(full)) for each in [(full, *without)[i % 4]]]
    return {"none": [], "all": full, "first": full[:3], "last": full[-2:], "mixed": mixed} | dict(
        zip(UNDECIDED, without, strict=True)
    )


KINDS = ("none", "all", "first", "last", "mixed", *UNDECIDED)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_tables_of_whatever_was_found(name, kind):
    found = ResultSet(all_kinds(name)[kind])
    tables = SUITES[name].tables(found)
    assert len({table.name for table in tables}) == len(tables) > 0
    for table in tables:
        assert {len(row) for row in table.rows} <= {len(table.columns)}
        assert table.text.startswith(table.title)
        assert table.markdown.count("\n") == len(table.rows) + 2
    text = "".join(table.text for table in tables)
    if kind in UNDECIDED:
        assert {"timeout": "time", "memout": "memory", "error": "error"}[kind] in text
    assert all(isinstance(each, str) for each in SUITES[name].facts(found).values())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMES)
def test_plots_of_whatever_was_found(name, kind):
    """Each can be drawn; with nothing and with something of all, the picture can be made too."""
    figure_of = pytest.importorskip("matplotlib.figure").Figure
    plots = SUITES[name].plots(ResultSet(all_kinds(name)[kind]))
    assert [plot.name for plot in plots] == {
        "scale": ["scale"], "exits": ["exits", "gap"], "nesting": ["nesting"],
    }.get(name, [])  # fmt: skip
    for plot in plots:
        figure = figure_of(figsize=plot.size)
        plot.draw(figure)
        if kind in {"none", "mixed"}:
            figure.savefig(drawn := io.BytesIO(), format="png")
            assert drawn.getvalue().startswith(b"\x89PNG")


def scaled(nodes, seconds, visited):
    case = Case.of("scale", "demand", nodes=nodes, formula="AG (p -> EF q)")
    details = {"nodes": nodes + 7, "components": 3}
    return case, Measurement("holds", seconds, 0.25, 1.0, 10**9, 12, visited, details)


def test_a_check_is_compared_with_a_bare_search_by_turns():
    at = {"nodes": 10_000, "formula": "AG (p -> EF q)"}
    runners = [case.runner for case in SUITES["scale"].cases(QUICK) if dict(case.at) == at]
    assert runners == ["search", "demand", "exhaustive", "demand x 2"]
    outcome = run("scale", "search", **at)
    assert (outcome.word, outcome.visited) == ("done", 13_098)
    assert outcome.details == {"nodes": 10_285, "components": 250}
    bare = (
        Case.of("scale", "search", nodes=10**5, formula="AG (p -> EF q)"),
        Measurement("done", 0.008),
    )
    for visited, times in (
        (90_000, "2.5"),
        (900, ""),
    ):  # or the check was about a part of the program
        table, *_ = SUITES["scale"].tables(ResultSet([scaled(10**5, 0.02, visited), bare]))
        assert table.rows[0][table.columns.index("searches")] == times


def test_a_check_on_two_threads_is_compared_with_one_on_one_thread():
    at = {"nodes": 10_000, "formula": "A [!q U end]"}
    one, two = run("scale", "demand", **at), run("scale", "demand x 2", **at)
    assert (one.word, one.contexts, one.visited) == (two.word, two.contexts, two.visited)
    assert one.visited
    case, outcome = scaled(10**5, 0.02, 90_000)
    beside = replace(case, runner="demand x 2"), replace(outcome, seconds=0.01)
    *_, table = SUITES["scale"].tables(ResultSet([(case, outcome), beside]))
    assert table.rows == (("100,007", "AG (p -> EF q)", "20 ms", "10 ms", "2"),)


def test_growth_is_told_where_both_runs_went_through_the_program():
    runs = [scaled(10**4, 0.001, 900), scaled(10**5, 0.02, 90_000), scaled(10**6, 0.24, 10**6)]
    table, *_ = SUITES["scale"].tables(ResultSet(runs))
    assert [row[table.columns.index("growth")] for row in table.rows] == ["", "", "12"]
    assert table.rows[1] == (
        "100,007", "AG (p -> EF q)", "holds", "250 ms", "20 ms", "", "", "12", "90,000 (90%)",
        "1 GB",
    )  # fmt: skip


def test_facts_are_about_the_largest_size_with_all_formulas():
    runs = invented("scale")
    assert SUITES["scale"].facts(ResultSet(runs)) == {
        "largest": "10,000", "largest-search": "500 ms", "largest-slowest": "500 ms",
        "largest-memory": "100 MB",
    }  # fmt: skip
    assert SUITES["scale"].facts(ResultSet(runs[:5])) == {}


def test_tables_prefer_the_full_size_to_a_first_look():
    for name, place in (
        ("exits", {"family": "forward", "exits": 4}),
        ("nesting", {"exits": 4, "depth": 2}),
    ):
        runs = []
        for nodes, contexts in ((10_000, 20), (100_000, 30)):
            details = {"nodes": nodes, "components": 10}
            outcome = Measurement("fails", 0.5, contexts=contexts, details=details)
            at = {**place, "nodes": nodes}
            runs.append((Case.of(name, "demand", **at), outcome))
        (row,) = SUITES[name].tables(ResultSet(runs))[0].rows
        assert "500 ms, 3.0" in row


def test_published_numbers_stand_in_the_table_of_modules():
    table, _ = SUITES["smv"].tables(ResultSet([]))
    together = table.columns.index("together")
    found = {row[0]: (row[1], row[2], row[together]) for row in table.rows}
    assert found == {
        "XMV, published": ("5,000", "4,500", "372 ms"),
        "NuSMV, published": ("5,000", "4,500", "9.57 s"),
    }


def test_contexts_for_each_component_are_told_of_verdicts_only():
    runs = dict(invented("exits"))
    result = next(iter(ResultSet(runs.items())))
    assert exits.per_component(result) == "500 ms, 2.5"
    assert exits.per_component(None) == ""
