"""CTL* on the fly as a suite: its cases, what they count, and tables of whatever there is."""

import random
from dataclasses import replace

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.generators.star_formulas import CTL, LOCAL, LTL
from benchmarks.generators.structures import WHOLE
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from pigro.limits import Limits

SUITE = SUITES["ctlstar"]
QUICK = list(SUITE.cases(StudyScope(quick=True)))
WORDS = ("timeout", "memout", "error")


def smallest(family):
    """The first case of each formula and runner."""
    found = {}
    for case in QUICK:
        if case["family"] == family:
            found.setdefault((case["formula"], case.runner), case)
    return found


def counted(case):
    outcome = SUITE.run(case, StudyScope())
    return outcome.word, outcome.visited, outcome.details.get("states")


def findings(cases, outcome):
    return ResultSet((case, outcome) for case in cases)


def test_cases_differ_and_quick_ones_are_some_of_all():
    whole = {case.key for case in SUITE.cases(StudyScope())}
    assert len({case.key for case in QUICK}) == len(QUICK) == 61
    assert {case.key for case in QUICK} < whole
    assert len(whole) == 40 + 24 + 39 + 5


def test_demand_is_asked_about_structures_and_ctl():
    asked = {case["formula"] for case in QUICK if case.runner == "demand"}
    assert asked == {*(each.formula for each in WHOLE), *(pattern.name for pattern in CTL)}


def test_whole_state_spaces():
    assert {key: counted(case) for key, case in smallest("whole").items()} == {
        ("A [G F p]", "onthefly"): ("holds", 1990, 1000),
        ("A [G F p]", "demand"): ("holds", 1990, None),
        ("E [G (p U q)]", "onthefly"): ("fails", 1000, 1000),
        ("E [G (p U q)]", "demand"): ("fails", 1000, None),
        ("A [F G p -> G F q]", "onthefly"): ("holds", 2865, 1000),
        ("A [F G p -> G F q]", "demand"): ("holds", 2865, None),
        ("AG EF p", "onthefly"): ("holds", 2000, 1000),
        ("AG EF p", "demand"): ("holds", 1000, None),
        ("AG AF p", "onthefly"): ("holds", 2000, 1000),
        ("AG AF p", "demand"): ("holds", 1000, None),
    }


def test_formulas_that_grow():
    found = {key: counted(case)[:2] for key, case in smallest("length").items()}
    assert {word for word, _ in found.values()} == {"holds"}
    assert [visited for (_, runner), (_, visited) in found.items() if runner == "onthefly"] == [
        40_000,
        50_398,
        20_035,
    ]


def test_patterns_that_grow():
    patterns = [case for case in QUICK if case["family"] == "pattern" and case["size"] == 4]
    assert [counted(case)[:2] for case in patterns] == [
        ("holds", 3761),
        ("holds", 121_005),
        ("holds", 9996),
        ("holds", 78),
        ("holds", 2000),
        ("holds", 28_142),
        ("holds", 228),
        ("holds", 11_697),
    ]


def test_a_billion_states_of_which_few_are_looked_at():
    found = {formula: counted(case) for (formula, _), case in smallest("function").items()}
    assert found == {
        "EF found": ("holds", 234, 77),
        "AG !found": ("fails", 234, 77),
        "E [!last U (found & X odd)]": ("holds", 392, 78),
        "A [X (odd | X odd)]": ("fails", 9, 2),
        "E [F (found & X E [X X !odd])]": ("holds", 318, 80),
    }


def test_a_wrong_verdict_is_an_error(monkeypatch):
    monkeypatch.setitem(LOCAL, "EF found", False)
    case = smallest("function")["EF found", "onthefly"]
    outcome = SUITE.run(case, StudyScope())
    assert (outcome.word, outcome.problem) == ("wrong", "the formula fails")


def test_states_left_out_are_an_error(monkeypatch):
    local = WHOLE[3]._replace(formula="EF p")
    monkeypatch.setattr("benchmarks.suites.ctlstar.WHOLE", (local,))
    case = Case.of("ctlstar", "onthefly", family="whole", formula="EF p", size=1000)
    outcome = SUITE.run(case, StudyScope())
    assert (outcome.word, outcome.problem) == ("wrong", "8 of 1000 states looked at")


def test_limits_are_kept():
    case = next(each for each in QUICK if each["size"] == 10_000)
    outcome = SUITE.run(case, StudyScope(limits=Limits(1e-9)))
    assert outcome.word == "timeout"
    assert "time limit" in outcome.problem


def test_without_numpy_the_function_is_left(monkeypatch):
    assert SUITE.skipped(StudyScope()) == []
    monkeypatch.setattr("benchmarks.suites.ctlstar.find_spec", lambda name: None)
    assert {case["family"] for case in SUITE.cases(StudyScope())} == {"function"}
    (line,) = SUITE.skipped(StudyScope())
    assert "numpy" in line


def test_tables_of_nothing():
    assert [table.rows for table in SUITE.tables(findings([], None))] == [()] * 4
    assert SUITE.facts(findings([], None))["slowest"] == ""


@pytest.mark.parametrize("word", WORDS)
def test_tables_of_what_did_not_come_out(word):
    tables = SUITE.tables(findings(QUICK, Measurement(word)))
    assert [len(table.rows) for table in tables] == [10, 6, 24, 5]
    cell = {"timeout": "time", "memout": "memory", "error": "error"}[word]
    assert all(cell in row for table in tables for row in table.rows)


def test_tables_of_a_part_in_any_order():
    done = Measurement("holds", seconds=0.5, visited=7, details={"states": 1000})
    some = [case for case in QUICK if case["formula"] in {"AG EF p", "EF found"}]
    random.Random(1).shuffle(some)
    whole, length, patterns, function = SUITE.tables(findings(some, done))
    assert whole.rows == (
        ("AG EF p", "1,000", "holds", "7", "500 ms", "500 µs", "500 ms", "1"),
        ("AG EF p", "10,000", "holds", "7", "500 ms", "50 µs", "500 ms", "1"),
    )
    assert (length.rows, patterns.rows) == ((), ())
    assert function.rows == (("EF found", "holds", "1,000", "7", "500 ms"),)
    alone = [case for case in some if case.runner == "onthefly"]
    assert SUITE.tables(findings(alone, done))[0].rows[0][-2:] == ("", "")


def test_facts_tell_the_largest():
    done = Measurement("holds", seconds=0.5, details={"states": 12})
    runs = [(case, replace(done, seconds=case["size"] / 1e6)) for case in QUICK]
    assert SUITE.facts(ResultSet(runs)) == {
        "largest": "10,000",
        "slowest": "10 ms",
        "fastest": "10 ms",
        "looked-at": "12",
    }


@pytest.mark.parametrize("word", ["holds", "timeout"])
def test_plots_are_drawn(word):
    figures = pytest.importorskip("matplotlib.figure")
    (plot,) = SUITE.plots(findings(QUICK, Measurement(word, seconds=0.5)))
    figure = figures.Figure(figsize=plot.size, layout="constrained")
    plot.draw(figure)
    figure.draw_without_rendering()
    assert len(figure.axes[0].lines) == (10 if word == "holds" else 0)


def test_formulas_by_size_have_that_size():
    for pattern in CTL:
        for size in pattern.sizes:
            assert sum(map(pattern.make(size).count, ("AG", "EF", "EX", "EG"))) == size
    assert LTL[6].make(3) == "F (p1 & X F (p2 & X F (p3))) | F last"
    assert LTL[1].make(2) == "(G F p1 -> G F r1) & (G F p2 -> G F r2) -> F last"
