"""The engines of [Dubslaff2024] agree with the oracle on random cases.

3,000 cases by default, for they are Python; `PIGRO_PAPER_CASES=20000` is what docs/reliability.md reports.
"""

from dataclasses import replace

import pytest

from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY

from oracle import contexts
from oracle.formula import to_text
from oracle.generate import random_case
from support.agreement.ctl import as_model
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_PAPER_CASES", 3000)
CHUNKS = 12
ENGINES = {
    "eager": EAGER,
    "lazy": LAZY,
    "lazy, random choices": replace(LAZY, heuristic="next-random", seed=7),
    "ternary": TERNARY,
    "random": replace(RANDOM, seed=3),
}


def disagreement(seed):
    case = random_case(seed)
    truth = contexts.decide(case.machine, case.formula)
    model, formula = as_model(case.machine), parse(to_text(case.formula))
    found = {name: engine(model, formula).holds for name, engine in ENGINES.items()}
    if set(found.values()) == {truth}:
        return None
    return f"case {seed} ({case.profile}): oracle {truth}, {found}, {to_text(case.formula)}"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_paper_engines_agree_with_the_oracle(chunk):
    found = [line for seed in seeds(CASES, chunk, CHUNKS) if (line := disagreement(seed))]
    assert found == []
