"""[Dubslaff2024], section 6.4.1: Phi, or a label that holds initially, and exponentially many contexts."""

import pytest

from benchmarks.generators.models import permutations
from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY

PHI = "AG (EF EG p | EF EG !p)"


def contexts(engine, exits, formula):
    verdict = engine(permutations(exits), parse(formula))
    assert verdict.holds is True
    return verdict.stats.contexts


def test_eager_needs_exponentially_many():
    found = [contexts(EAGER, exits, f"{PHI} | !p") for exits in range(2, 9)]
    assert found == [15, 46, 150, 296, 514, 1137, 1438]
    assert found == [contexts(EAGER, exits, PHI) for exits in range(2, 9)]


@pytest.mark.parametrize("engine", [LAZY, TERNARY, RANDOM], ids=lambda engine: engine.name)
def test_lazy_needs_one_whatever_the_heuristic(engine):
    assert [contexts(engine, exits, f"{PHI} | !p") for exits in range(2, 30)] == [1] * 28


def test_lazy_needs_many_for_phi_alone():
    assert [contexts(LAZY, exits, PHI) for exits in range(2, 9)] == [3, 10, 19, 29, 39, 60, 89]
