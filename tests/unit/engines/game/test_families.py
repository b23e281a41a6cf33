"""The families that benchmarks measure have the verdicts they claim, and take as much as they claim."""

import pytest

from benchmarks.generators.composed_families import FAMILIES, buffer_with_client
from benchmarks.generators.games import ladder, random_game
from pigro import compose_check
from pigro.engines.game.solver import solve

COUNTS = {
    "buffer in step": (217, 0, 3889),
    "buffer in step, overflow": (217, 0, 3889),
    "buffer": (121, 0, 3721),
    "producer": (246, 0, 3721),
    "pipeline": (78, 0, 3601),
    "line": (458, 25, 2797),
    "call, served": (498, 31, 6105),
    "call, refused": (498, 46, 6105),
    "call with log": (243, 65, 3921),
    "lock, one enters": (203, 111, 1329),
    "lock, both enter": (379, 2292, 2638),
    "lock": (237, 1078, 1939),
    "barrier, often": (498, 2710, 7209),
    "barrier, always": (684, 9005, 9912),
    "barrier": (312, 4506, 4506),
    "rounds": (312, 4806, 4806),
}
"""Positions at 1,000 composed states: of parts alone, of several parts, and of the full game."""


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_family_takes_so_many_positions(family):
    system = family.make(1000)
    verdict = compose_check(system, family.formula)
    full = compose_check(system, family.formula, method="full")
    alone = sum(layer.nodes for layer in verdict.details.layers if len(layer.parts) == 1)
    product = sum(layer.nodes for layer in verdict.details.layers if len(layer.parts) > 1)
    assert verdict.holds is full.holds is family.holds
    assert (alone, product, full.details.layers[-1].nodes) == COUNTS[family.name]
    assert (len(verdict.details.decided_by) == 1) == (family.kind == "one")
    assert (product == full.details.layers[-1].nodes) == (family.kind == "everything")


@pytest.mark.parametrize("method", ["refine", "refine-one"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_refinement_gives_the_same_verdict(family, method):
    assert compose_check(family.make(100), family.formula, method=method).holds is family.holds


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_what_few_joint_states_decide_does_not_grow_with_the_system(family):
    small, large = (compose_check(family.make(size), family.formula) for size in (1000, 100_000))
    growth = large.details.layers[-1].nodes / small.details.layers[-1].nodes
    if family.name.startswith("call"):
        assert growth == 1
    elif family.kind in {"one", "few"}:
        assert growth < 16  # like the parts
    else:
        assert growth > 90  # like the composition


def test_refinement_takes_as_many_rounds_as_it_needs():
    """More than the bits of a number: the causes of a round were doubled in each."""
    verdict = compose_check(buffer_with_client(10_000), "AG !ready", method="refine")
    assert verdict.holds is False
    assert len(verdict.details.rounds) > 64


@pytest.mark.parametrize("rungs", range(1, 9))
def test_ladders_are_won_by_one_player_everywhere(rungs):
    assert set(solve(*ladder(rungs))) == {rungs % 2}


def test_random_games_are_the_same_in_every_run():
    colours = solve(*random_game(1000, 5, 0.1))
    assert [colours.count(colour) for colour in range(3)] == [318, 173, 509]
