"""Compositions and parity games as a suite: cases, counts, and tables of whatever there is."""

import random

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.generators.composed_families import FAMILIES
from benchmarks.generators.games import LADDER, RANDOM, ladder, random_game
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites import compose as module
from pigro import compose_check
from pigro.diagnostics import UsageError
from pigro.limits import Limits
from pigro.logic import parse
from pigro.logic.modal import modal_form

SUITE = SUITES["compose"]
SYMBOLIC = ["buffer in step", "buffer in step, overflow", "line", "barrier, always", "barrier"]
WORDS = ("timeout", "memout", "error")


@pytest.fixture
def diagrams():
    pytest.importorskip("dd.autoref")


def quick():
    return list(SUITE.cases(StudyScope(quick=True)))


def case(runner, family, size=100):
    return Case.of("compose", runner, family=family, size=size)


def run(runner, family, size=100):
    outcome = SUITE.run(case(runner, family, size), StudyScope())
    assert outcome.problem is None
    details = {name: each for name, each in outcome.details.items() if name != "package"}
    return outcome.word, outcome.visited, details


def findings(cases, outcome):
    return ResultSet((case, outcome) for case in cases)


def test_cases_differ_and_quick_ones_are_some_of_all(diagrams):
    whole = {each.key for each in SUITE.cases(StudyScope())}
    assert (
        len({each.key for each in quick()}) == len(quick()) == 16 * 2 * 4 + 16 * 6 + 5 * 2 + 12 + 3
    )
    assert {each.key for each in quick()} < whole
    assert len(whole) == 16 * 5 * 4 + 16 * (6 + 6 + 2) + 5 * 5 + 12 * 4 + 5


def test_the_symbolic_method_is_asked_where_it_fits(diagrams):
    asked = {each["family"] for each in quick() if each.runner == "symbolic"}
    assert asked == set(SYMBOLIC)
    for family in FAMILIES:
        if modal_form(parse(family.formula)).alternation_free:
            found = compose_check(family.make(100), family.formula, method="symbolic")
            assert found.holds is family.holds
        else:
            assert family.name not in asked
            with pytest.raises(Exception, match="alternation-free"):
                compose_check(family.make(100), family.formula, method="symbolic")


def test_without_packages_some_are_left_out(monkeypatch):
    def missing():
        raise UsageError("P011", "no diagrams", hint="install some")

    monkeypatch.setattr(module, "package", missing)
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert {each.runner for each in quick()} == {*module.METHODS, *module.STRATEGIES, "solver"}
    assert {each["family"] for each in quick() if each.runner == "solver"} == {LADDER}
    diagrams, numpy = SUITE.skipped(StudyScope())
    assert diagrams == "symbolic: no diagrams: install some"
    assert numpy.startswith("random games: package numpy is not installed")


def test_nothing_is_skipped_with_all_packages(diagrams):
    assert SUITE.skipped(StudyScope()) == []


@pytest.mark.parametrize(
    "method, visited, details",
    [
        ("concrete", 177, {"parts": 170, "undecided": 70, "product": 7}),
        ("full", 325, {"full": 325}),
        ("refine", 580, {"rounds": 7, "blocks": "6, 6"}),
        ("refine-one", 534, {"rounds": 5, "blocks": "14, 6"}),
    ],
)
def test_methods_count(method, visited, details):
    assert run(method, "line") == ("holds", visited, {"states": 124} | details)


def test_the_symbolic_method_counts(diagrams):
    word, visited, details = run("symbolic", "line")
    assert (word, visited, details["states"], details["rounds"]) == ("holds", None, 124, 11)
    assert details["diagram nodes"] > 100


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_verdicts_are_known(family):
    assert run("concrete", family.name)[0] == ("holds" if family.holds else "fails")


def test_games_count():
    assert run("solver", LADDER, 5) == (
        "done",
        None,
        {"nodes": 25, "edges": 52, "priorities": 17, "undecided": 0},
    )
    assert run("solver", "random, priorities 5, may 10%", 1000)[2] == {
        "nodes": 1000,
        "edges": 2013,
        "priorities": 5,
        "undecided": 509,
    }
    assert run("solver", "random, priorities 5, may 0%", 1000)[2]["undecided"] == 0


def test_wrong_verdicts_are_errors(monkeypatch):
    family = FAMILIES[0]._replace(holds=False)
    monkeypatch.setattr(module, "FAMILIES", (family,))
    outcome = SUITE.run(case("concrete", family.name), StudyScope())
    assert (outcome.word, outcome.problem) == ("wrong", "the formula fails")


def test_wrong_games_are_errors(monkeypatch):
    assert module.solved(ladder(5), LADDER, 6).word == "wrong"
    game = random_game(100, 3, 0.1)
    monkeypatch.setattr(module, "solve", lambda *_: bytes([2] * 100))
    assert module.solved(game, "random", 100).word == "done"
    sure = game._replace(must=b"\1" * len(game.must))
    assert module.solved(sure, "random", 100).problem == "nothing is undecided in this game"


@pytest.mark.parametrize("method", ["concrete", "full", "refine"])
def test_limits_are_kept(method):
    limits = Limits(1e-9)
    outcome = SUITE.run(case(method, "barrier, often", 10_000), StudyScope(limits=limits))
    assert (outcome.word, outcome.details) == ("timeout", {"states": 9802})
    assert "time limit" in outcome.problem


def test_tables_of_nothing():
    assert [table.rows for table in SUITE.tables(findings([], None))] == [()] * 4
    assert SUITE.facts(findings([], None))["local-most"] == ""


@pytest.mark.parametrize("word", WORDS)
def test_tables_of_what_did_not_come_out(word):
    found = findings(quick(), Measurement(word))
    positions, times, refinement, games, strategies = SUITE.tables(found)
    assert [len(each.rows) for each in (positions, times, refinement, games)] == [32, 32, 32, 15]
    assert len(strategies.rows) == 16 * 8
    cell = {"timeout": "time", "memout": "memory", "error": "error"}[word]
    assert {row[3] for row in times.rows} == {row[6] for row in games.rows} == {cell}
    assert {row[5:] for row in positions.rows} == {("",) * 6}
    assert set(SUITE.facts(found).values()) == {"1,000", ""}


def outcome_of(each):
    """As if the full game took a second, and everything else a tenth."""
    details = {"states": each["size"] + 1}
    more = {
        "concrete": {"parts": 20, "undecided": 5, "product": 30},
        "full": {"full": 1000},
        "refine": {"rounds": 3, "blocks": "2, 2"},
        "solver": {"nodes": 50, "edges": 99, "priorities": 2, "undecided": 0},
    }
    seconds = 1.0 if each.runner == "full" else 0.1
    memory = 2_000_000_000
    details |= more.get(each.runner, {})
    return Measurement("holds", seconds=seconds, peak_memory=memory, details=details)


def test_tables_of_a_part_in_any_order():
    some = [each for each in SUITE.cases(StudyScope()) if each["family"] in {"line", LADDER}]
    some = [each for each in some if each.runner != "refine-one"]
    random.Random(1).shuffle(some)
    found = ResultSet((each, outcome_of(each)) for each in some)
    positions, times, refinement, games, strategies = SUITE.tables(found)
    assert [row[5] for row in positions.rows] == ["10,001", "1,000,001"]
    assert positions.rows[0] == (
        "few", "line", "2, labels", "AG !(lead_a & lead_b)", "holds", "10,001",
        "20", "5", "30", "1,000", "5%",
    )  # fmt: skip
    assert times.rows[0][:7] == ("few", "line", "10,001", "100 ms", "1 s", "10", "100 ms")
    assert times.rows[0][-2:] == ("2 GB", "2 GB")
    assert refinement.rows[0][3:] == ("3", "2, 2", "", "")
    assert strategies.rows[:2] == (
        ("line", "101", "refine", "3", "2, 2", "100 ms"),
        ("line", "101", "refine, no hyper-steps", "", "", "100 ms"),
    )
    assert [row[1] for row in games.rows] == ["5", "10", "15", "20", "25"]
    assert games.rows[0][-2:] == ("100 ms", "500")
    assert SUITE.facts(found) == {
        "largest": "1,000,000",
        "local-least": "10",
        "local-most": "10",
        "local-looked-at": "5%",
        "most-least": "",
        "most-most": "",
        "most-looked-at": "",
    }


@pytest.mark.parametrize("kept", ["all", "nothing"])
def test_plots_are_drawn(kept):
    figures = pytest.importorskip("matplotlib.figure")
    timeout = Measurement("timeout")
    runs = [(each, outcome_of(each) if kept == "all" else timeout) for each in quick()]
    (plot,) = SUITE.plots(ResultSet(runs))
    assert plot.name == "compositions"
    figure = figures.Figure(figsize=plot.size, layout="constrained")
    plot.draw(figure)
    figure.draw_without_rendering()
    lines = len(FAMILIES) if kept == "all" else 0
    assert [len(axes.lines) for axes in figure.axes] == [lines + 1] * 2


def test_random_games_are_named():
    assert len(RANDOM) == 12
    assert RANDOM["random, priorities 3, may 10%"](50) == random_game(50, 3, 0.1)
