"""Strategies for the mu-calculus on random machines: they are accepted, and spoiled ones only if they are right.

`make soak LOGIC=strategies` does the same with many more.
"""

from __future__ import annotations

import pytest

from support.judges.game_strategies import believed, wrong_strategies
from support.selection.cases import FEW_CASES, START, number_of_cases

pytestmark = [
    pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning"),
    pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.SingleStepWarning"),
]
STRATEGIES = number_of_cases("PIGRO_GAME_STRATEGIES", 500)
SPOILED = number_of_cases("PIGRO_GAME_STRATEGIES", 700)
POSITIONS = 200
"""Of the oracle's games: more take long, and are left to the soak."""


@pytest.mark.parametrize("chunk", range(4))
def test_strategies_are_accepted_and_the_oracle_agrees(chunk):
    count, seed = 0, START + 1_000_000 * chunk
    while count < STRATEGIES:
        made, found = wrong_strategies(seed, POSITIONS)
        assert found == []
        count += made
        seed += 1


@pytest.mark.parametrize("chunk", range(4))
def test_spoiled_strategies_are_rejected_unless_they_are_right(chunk):
    count, taken, seed = 0, 0, START + 1_000_000 * chunk + 500_000
    while count < SPOILED:
        spoiled, accepted, found = believed(seed, POSITIONS)
        assert found == []
        count += spoiled
        taken += accepted
        seed += 1
    assert FEW_CASES or taken > 0
    assert taken < count / 2
