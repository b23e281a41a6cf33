"""Every native engine agrees with the oracle on 20,000 random cases (`make soak` runs more)."""

import os

import pytest

from support.agreement.ctl import FORMULAS, disagreements

CASES = int(os.environ.get("PIGRO_RANDOM_CASES", "20000"))
CHUNKS = 40


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_engines_agree_with_the_oracle(chunk):
    machines = range(chunk, CASES // FORMULAS, CHUNKS)
    assert [line for seed in machines for line in disagreements(seed)] == []
