"""`incremental` and `basic` agree with the oracle on 20,000 random single-entry single-exit cases."""

from random import Random

import pytest

from pigro.logic import parse
from pigro.papers.finis2012 import INCREMENTAL
from pigro.papers.finis2012.basic import BASIC
from pigro.papers.finis2012.knowledge import KNOWLEDGE

from oracle import contexts
from oracle.formula import to_text
from oracle.generate import random_formula, single_machine
from support.agreement.ctl import as_model
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_RANDOM_CASES", 20_000)
FORMULAS = 4
CHUNKS = 20


def disagreements(seed):
    """A line for each formula of case `seed` on which not all say the same."""
    rng = Random(seed)
    machine = single_machine(rng)
    formulas = [random_formula(rng) for _ in range(FORMULAS)]
    truths = contexts.decide_many(machine, formulas)
    model = as_model(machine)
    asked = [parse(to_text(formula)) for formula in formulas]
    found = {
        engine.name: [verdict.holds for verdict in engine.check_all(model, asked)]
        for engine in (INCREMENTAL, BASIC, KNOWLEDGE)
        if engine.fits(model) is None
    }
    return [
        f"machine {seed}: oracle {truth}, { {name: told[i] for name, told in found.items()} }, {asked[i]}"
        for i, truth in enumerate(truths)
        if any(told[i] is not truth for told in found.values())
    ]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_single_exit_engines_agree_with_the_oracle(chunk):
    found = [
        line for seed in seeds(CASES // FORMULAS, chunk, CHUNKS) for line in disagreements(seed)
    ]
    assert found == []
