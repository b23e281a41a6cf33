"""Refinement by one cause in a round and by many, on two parts and more, against the definition.

240 systems, unless `PIGRO_STRATEGY_CASES` asks for more. Strategies of the games are replayed.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro import compose_check
from pigro.evidence import replay_strategy
from pigro.logic import parse

from oracle.mu_formula import Shape, random_ctl, random_mu, text
from oracle.mu_semantics import verdict
from oracle.mu_structures import KRIPKE, names_in, random_lts, random_parts
from support.agreement.compositions import composition_of
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_STRATEGY_CASES", 240)
SHAPES = (
    replace(KRIPKE, parts=(2, 2)),
    replace(KRIPKE, parts=(3, 3), states=(1, 4)),
    replace(KRIPKE, parts=(3, 4), states=(1, 3)),
)


@pytest.mark.filterwarnings("ignore:.*seen by no part")
@pytest.mark.parametrize("chunk", range(4))
def test_random_systems(chunk):
    said = Counter()
    for seed in seeds(CASES, chunk, 4):
        rng = Random(seed)
        parts = (random_lts if seed % 4 == 0 else random_parts)(rng, SHAPES[seed % len(SHAPES)])
        atoms, actions = names_in(parts)
        if not atoms:
            continue
        formula = random_ctl(rng, atoms, 5)
        if seed % 3:
            formula = random_mu(rng, atoms, 8, actions=actions, shape=Shape(ctl=0.1))
        dead_ends = "stop" if seed % 5 == 0 else "stutter"
        truth = verdict(parts, formula, dead_ends)
        system, asked = composition_of(parts), parse(text(formula))
        for method in ("refine", "refine-one"):
            for refine in ("one", "many"):
                found = compose_check(
                    system, asked, method=method, refine=refine, dead_ends=dead_ends, witness=True
                )
                assert found.holds is truth, (seed, method, refine)
                replay_strategy(system, found.evidence)
                said[refine] += len(found.details.rounds)
    assert FEW_CASES or said["many"] < said["one"]
