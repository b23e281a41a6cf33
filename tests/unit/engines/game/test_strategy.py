"""Strategies as the engine makes them: of the right size, within limits, after refinement."""

from __future__ import annotations

import pytest

from pigro import compose_check
from pigro.engines.game.layers import play
from pigro.engines.game.refinement import RefinementRounds
from pigro.evidence import replay_strategy
from pigro.limits import Budget, Limits
from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from oracle.mu_structures import Structure
from support.agreement.compositions import composition_of

METHODS = ["concrete", "full", "refine", "refine-one"]


def ring(name, count, label):
    part = PartBuilder(name, labels=[label])
    for state in range(count):
        part.state(f"{name}{state}", *([label] if state == count - 1 else []), initial=state == 0)
    for state in range(count):
        part.step(f"{name}{state}", f"{name}{(state + 1) % count}")
    return part.build()


def rings():
    return Composition([ring("a", 3, "p"), ring("b", 4, "q")])


def layers_of(verdict):
    return {layer.parts: len(layer.claims) for layer in verdict.evidence.layers}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "formula", ["EF (p & q)", "AG (p -> AX !p)", "AF q", "AG p", "EG !(p & q)"]
)
def test_every_method_shows_its_verdict(formula, method):
    system = rings()
    verdict = compose_check(system, formula, method=method, witness=True)
    assert verdict.evidence is not None
    assert verdict.evidence.holds is verdict.holds
    replay_strategy(system, verdict.evidence)


def test_only_if_asked_for():
    assert compose_check(rings(), "AF q").evidence is None


def test_the_symbolic_method_shows_it_too():
    pytest.importorskip("dd")
    verdict = compose_check(rings(), "AF q", method="symbolic", witness=True)
    assert verdict.holds is True
    replay_strategy(verdict.subject, verdict.evidence)
    assert compose_check(rings(), "AF q", method="symbolic").evidence is None


def test_none_where_there_is_no_verdict():
    part = PartBuilder("one", labels=["p"]).state("a", unknown=["p"], initial=True).build()
    verdict = compose_check(Composition([part]), "p", witness=True)
    assert verdict.holds is None
    assert verdict.evidence is None


def test_only_what_is_needed():
    """`EF (p & q)` is one walk: 12 steps to where both are. The other choices are not told."""
    verdict = compose_check(rings(), "EF (p & q)", method="full", witness=True)
    # in each of 12 states Z, p & q | <> Z, but <> Z in 11, p & q in one, its sides, and the root
    assert layers_of(verdict) == {(0, 1): 1 + 12 + 12 + 11 + 1 + 2}


def test_what_a_part_decides_is_claimed_of_it_alone():
    verdict = compose_check(rings(), "AG (p -> AX !p)", witness=True)
    assert verdict.details.decided_by == ("a", "b")
    assert set(layers_of(verdict)) == {(0,), (0, 1)}
    verdict = compose_check(rings(), "nu Z. (p | !p) & [] Z", witness=True)
    assert verdict.details.decided_by == ("a",)
    assert set(layers_of(verdict)) == {(0,)}


def test_moves_of_the_loser_that_are_left_out():
    """Where a step leads, one of the parts has decided: the product never goes there."""
    one = PartBuilder("one", labels=["p"]).state("s", initial=True).state("t", "p").state("u")
    one.step("s", "t").step("s", "u").step("t", "t").step("u", "u")
    two = PartBuilder("two", labels=["q"]).state("v", initial=True).state("w", "q")
    two.step("v", "w").step("v", "v").step("w", "w")
    three = PartBuilder("three", labels=["r"]).state("x", initial=True).state("y", "r")
    three.step("x", "x").step("x", "y").step("y", "y")
    system = Composition([one.build(), two.build(), three.build()])
    for formula in ("[] (p | q | r | !p)", "[] (p | !r | !q | r)", "<> (p & q & r)"):
        verdict = compose_check(system, formula, witness=True)
        assert verdict.holds
        replay_strategy(system, verdict.evidence)
    verdict = compose_check(system, "<> true & [] ((p | !p & (q | !q)) | r)", witness=True)
    replay_strategy(system, verdict.evidence)
    assert len(verdict.evidence.layers) > 1


def test_one_initial_state_shows_that_it_fails():
    part = PartBuilder("one", labels=["p"])
    for state in range(9):
        part.state(f"s{state}", *(["p"] if state < 5 else []), initial=True)
    verdict = compose_check(Composition([part.build()]), "p", witness=True)
    assert layers_of(verdict) == {(0,): 1}
    verdict = compose_check(Composition([part.build()]), "p | !p", witness=True)
    assert layers_of(verdict) == {(0,): 18}


def test_after_refinement_without_hyper_steps_more_rounds_may_be_needed():
    """`[] <> true`: that s3 goes on was seen when all states were one block, not afterwards."""
    steps = {(0, "", 3): True, (1, "", 0): True, (3, "", 2): True, (3, "", 3): True}
    system = composition_of([Structure(({}, {}, {}, {}), (0,), steps)])
    form = modal_form(parse("[] <> true"))
    refinement = RefinementRounds(system, form, hyper=False)
    assert refinement.run(None).value is True
    blocks = len(refinement.setting.parts[0].states)
    rounds = len(refinement.rounds)
    assert play(refinement.setting, None).value is None
    assert refinement.run_again(None).value is True
    assert len(refinement.setting.parts[0].states) > blocks
    assert len(refinement.rounds) == rounds, "not told"
    verdict = compose_check(system, "[] <> true", method="refine", hyper=False, witness=True)
    replay_strategy(system, verdict.evidence)
    wide = RefinementRounds(system, form)
    assert wide.run(None).value is True
    assert play(wide.setting, None).value is True
    blocks = len(wide.setting.parts[0].states)
    verdict = compose_check(system, "[] <> true", method="refine", witness=True)
    replay_strategy(system, verdict.evidence)
    assert len(verdict.evidence.parts[0].members) == blocks


def test_blocks_have_names_of_their_own():
    """A block of two states is named like a state."""
    part = PartBuilder("one", labels=["p", "q"]).state("a", initial=True).state("b")
    part.state("a+1", "p", "q").step("a", "b").step("b", "a").step("a+1", "a+1")
    peer = PartBuilder("two", labels=["p"]).state("c", initial=True).step("c", "c")
    system = Composition([part.build(), peer.build()])
    verdict = compose_check(system, "AG !q", method="refine", witness=True)
    blocks = verdict.evidence.parts[0]
    assert len(set(blocks.part.states)) == len(blocks.members)
    replay_strategy(system, verdict.evidence)


class Stop(Exception):
    pass


def large():
    return Composition([ring("a", 60, "p"), ring("b", 61, "q")])


def test_without_time_there_is_a_verdict_and_no_strategy(monkeypatch):
    from pigro.engines.game import strategy

    now = 0.0

    def slow(*args, **options):
        nonlocal now
        now = 1.0
        options["tick"](0)
        raise AssertionError("it goes on after the time limit")

    monkeypatch.setattr(strategy, "strategy_of", slow)
    budget = Budget(Limits(seconds=1), clock=lambda: now)
    verdict = compose_check(rings(), "AF q", witness=True, budget=budget)
    assert verdict.holds is True
    assert verdict.evidence is None


def test_limits_end_the_making_of_a_strategy():
    """The tick runs often enough, also while claims are read and looked through."""
    ticks = 0

    def tick():
        nonlocal ticks
        ticks += 1

    system = large()
    verdict = compose_check(system, "AG EF (p & q)", witness=True, tick=tick)
    assert verdict.evidence.positions > 22_000
    assert ticks > 2 * 22_000 // 256

    def stop():
        nonlocal ticks
        ticks -= 1
        if ticks < 100:
            raise Stop

    with pytest.raises(Stop):
        compose_check(system, "AG EF (p & q)", witness=True, tick=stop)
