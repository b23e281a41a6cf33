"""Systems that are cut off: the answer is unknown where it depends on what was cut."""

from random import Random

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.diagnostics import CheckError
from pigro.engines import ENGINES
from pigro.engines.onthefly.unfold import Unfolding
from pigro.evidence import State
from pigro.logic import Op, parse

from oracle import unfold
from oracle.formula import to_text
from oracle.generate import random_case, random_formula
from support.agreement.ctl import as_model
from support.agreement.systems import Graph, check_system, run_of

LINE = "a:p > b; b:p > c; c:q > a"


@pytest.mark.parametrize(
    "formula, word",
    [
        ("p", "holds"),
        ("EF q", "holds"),
        ("AG p", "fails"),
        ("AG (p | q)", "unknown"),
        ("EX p", "holds"),
        ("AG EF q", "unknown"),
        ("EF !p", "holds"),
        ("EF (p & q)", "unknown"),
        ("!EF (p & q)", "unknown"),
        ("A [p U q]", "holds"),
        ("A [G F q]", "unknown"),
        ("E [F G q]", "unknown"),
        ("EF q | A [G F q]", "holds"),
        ("A [G F q] | EF q", "holds"),
        ("A [G F q] & AG p", "fails"),
        ("A [G F q] -> EF q", "holds"),
        ("A [G F q] <-> !E [F G !q]", "unknown"),
        ("A [p U (q & !EF (p & q))]", "unknown"),
        ("AX AX AX true", "holds"),
        ("AX AX EX true", "unknown"),
    ],
)
def test_three_values(formula, word):
    system = Graph(LINE, cut="c")
    assert check_system(system, formula).outcome == word
    assert system.asked["c"] == 0


def test_an_unknown_verdict_says_so():
    verdict = check_system(Graph(LINE, cut="c"), "AG (p | q)")
    assert verdict.reason == "no verdict: it depends on what comes where the system is cut off"
    assert verdict.evidence is None
    assert verdict.stats.states == 2


@pytest.mark.parametrize("formula", ["AG (p | q)", "A [G F q]", "E [F G !q]", "AG EF q"])
def test_a_cut_that_is_not_met_does_not_count(formula):
    whole = check_system(Graph(LINE), formula)
    cut = check_system(Graph(LINE, cut="z"), formula)
    assert (cut.holds, cut.evidence) == (whole.holds, whole.evidence)
    assert cut.stats.states == whole.stats.states


@pytest.mark.parametrize(
    "formula, run",
    [
        ("AG p", "a b c"),
        ("EF q", "a b c"),
        ("EF q | AG EF p", "a b c"),
        ("EF (p & q) | EF q", "a b c"),
        ("AG EX q & AG p", "a"),
    ],
)
def test_runs_through_a_system_that_is_cut(formula, run):
    verdict = check_system(Graph(LINE, cut="c"), formula)
    assert run_of(verdict).states == tuple(run.split())
    assert run_of(verdict).ends == "here"


def test_both_readings_agree_with_all_ways_to_go_on():
    """What is said of the system that is cut is true of each system that it may be a part of."""
    formulas = ["A [G F p]", "E [p U X q]", "AG EF p", "A [F G p | X q]", "EF (p & AX q)"]
    known = set()
    for seed in range(60):
        rng = Random(seed)
        rows = [
            f"{at}:{rng.choice('pqr')} > {rng.randrange(4)} {rng.randrange(4)}" for at in range(4)
        ]
        for formula in formulas:
            cut = check_system(Graph("; ".join(rows), cut="2"), formula)
            for targets in ("0", "1 3", "2", "3 2", "0 1 2 3"):
                whole = Graph(
                    "; ".join([*rows[:2], rows[2].split(">")[0] + f"> {targets}", rows[3]])
                )
                assert cut.holds in {None, check_system(whole, formula).holds}
            known.add(cut.holds)
    assert known == {True, False, None}


@pytest.mark.parametrize("block", range(6))
def test_unfolding_is_that_of_the_oracle(block):
    """With the same depth, the same is known, and the same is unknown, but for constants."""
    words = set()
    for seed in range(100 * block, 100 * (block + 1)):
        machine = random_case(seed).machine
        model = as_model(machine)
        for start in model.initial:
            one = model.with_initial([start])
            formula = random_formula(Random(seed))
            graph = unfold.explore(machine, 3, 400)
            if len(graph.states) >= 400:
                continue
            sure, may = unfold.evaluate(graph, formula)
            at = graph.initial[model.initial.index(start)]
            expected = True if at in sure else None if at in may else False
            verdict = check_system(Unfolding(one, 3), parse(to_text(formula)))
            if expected is None and verdict.holds is not None:  # it would know without the constant
                assert {Op.TRUE, Op.FALSE} & set(verdict.formula.ops), seed
                expected = ENGINES["demand"](one, verdict.formula).holds
            assert verdict.holds is expected, seed
            words.add(verdict.outcome)
    assert words == {"holds", "fails", "unknown"}


def test_unfolding_without_a_bound():
    """Recursion without end is no problem for what is decided near its beginning."""
    model = permutations(2)
    system = Unfolding(model)
    assert system.initial == State((), model.initial[0])
    for formula in ("EF p", "AG !p", "EX EX true"):
        assert check_system(system, formula).holds is pigro.check(model, formula).holds


def test_unfolding_needs_one_initial_node():
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={}, initial=["a", "b"])
    with pytest.raises(
        CheckError, match="P407: not a system: the model has 2 initial nodes"
    ) as caught:
        Unfolding(model)
    assert "with_initial" in caught.value.hint


def test_unfolding_reads_dead_ends_as_the_model_does():
    for dead_ends, word in (("stop", "fails"), ("stutter", "holds")):
        model = pigro.kripke({"a": []}, labels={}, initial="a", dead_ends=dead_ends)
        assert check_system(Unfolding(model), "EX true").outcome == word
