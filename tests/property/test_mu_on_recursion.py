"""Random machines and formulas of the mu-calculus: the engine `game` and others say the same."""

from __future__ import annotations

import pytest

from support.agreement.ctl import FORMULAS
from support.agreement.mu import ctl_disagreements, mu_disagreements, part_disagreements
from support.selection.cases import START, number_of_cases, seeds

pytestmark = [
    pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning"),
    pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.SingleStepWarning"),
]
CASES = number_of_cases("PIGRO_MU_CASES", 20_000)
CHUNKS = 20
POSITIONS = 200
"""Of the oracle's games: more take long, and are left to `make soak`."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_oracle_agrees(chunk):
    """With up to four priorities, all readings, several initial nodes, entries and exits."""
    compared, seed = 0, START + 1_000_000 * chunk
    while compared < CASES // CHUNKS:
        count, found = mu_disagreements(seed, POSITIONS)
        assert found == []
        compared += count
        seed += 1


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ctl_as_fixpoints_agrees_with_demand(chunk):
    each = CASES // CHUNKS // FORMULAS
    for seed in seeds(each * CHUNKS, chunk, CHUNKS):
        assert ctl_disagreements(seed) == []


def test_machines_without_calls_agree_with_games_on_parts():
    for seed in seeds(number_of_cases("PIGRO_MU_CASES", 300)):
        assert part_disagreements(seed) == []
