"""Models against the tableau of the oracle: few cases, but enough to notice any known bug."""

import random

import pytest

from pigro.engines import ENGINES
from pigro.logic import parse

from oracle.star_formula import random_star, to_text
from oracle.star_structures import random_structure, structure_from
from oracle.star_tableau import decide
from support.agreement.ctl import as_kripke
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_STAR_RANDOM_CASES", 1500, least=1500)


@pytest.mark.random
def test_models_agree_with_the_tableau():
    true = states = 0
    for seed in seeds(CASES):
        rng = random.Random(seed)
        structure = random_structure(rng, rng.randint(1, 5), ("p", "q"))
        formula = random_star(rng, ("p", "q"), rng.randint(2, 9))
        model = as_kripke(structure)
        everywhere = model.with_initial([model.find(name) for name in structure.names])
        verdict = ENGINES["onthefly"](everywhere, parse(to_text(formula)))
        found = {state for state, (_, truth) in enumerate(verdict.starts) if truth}
        assert found == decide(structure, formula), (seed, to_text(formula), structure)
        true += len(found)
        states += len(structure.names)
    assert states / 10 < true < states


def test_a_component_is_joined_over_a_cross_edge():
    """Figure 3 of the paper, as printed, takes this for true (test_proof.py)."""
    structure = structure_from("0:p,q > 1; 1:p,q > 2 4 5; 2:p,q > 3 1; 3:p,q > 2; 4:p > 3; 5:q > 1")
    assert ENGINES["onthefly"](as_kripke(structure), parse("A [F G p | F G q]")).holds is False
