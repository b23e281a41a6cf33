"""Every native engine agrees with the oracle on 20,000 random cases (`make soak` runs more)."""

import pytest

from support.agreement.ctl import FORMULAS, disagreements
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_RANDOM_CASES", 20_000)
CHUNKS = 40


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engines_agree_with_the_oracle(chunk):
    machines = seeds(CASES // FORMULAS, chunk, CHUNKS)
    assert [line for seed in machines for line in disagreements(seed)] == []
