"""Modules abstracted by predicates, against the modules with all states."""

from __future__ import annotations

from random import Random
from unittest import mock

import pytest

from pigro.diagnostics import PigroError
from pigro.engines.game.checking import decide
from pigro.engines.game.formulas import refining
from pigro.engines.game.formulas.refining import abstracted
from pigro.engines.simulation import simulate
from pigro.limits import Budget
from pigro.model.composition import Composition
from pigro.model.lazy.part import part_with_predicates

from support.samples.formula_parts import composition_of, random_question
from support.selection.cases import FEW_CASES, number_of_cases, seeds

pytest.importorskip("dd.autoref")
COUNT = number_of_cases("PIGRO_PREDICATES", 60)


def nothing():
    pass


def with_some(rng, part):
    """The part with a few of its labels, or comparisons, as predicates."""
    if part.formulas is None:
        return part
    few = rng.sample(part.atoms, min(len(part.atoms), rng.randint(0, 3)))
    return part_with_predicates(part, few)


def answer(composition, formula, method):
    return decide(composition, formula, method=method, dead_ends="stutter", budget=Budget())


def compare(seed):
    """What an abstraction says is so, and refinement ends with the verdict."""
    parts = composition_of(seed)
    if parts is None:
        return None
    rng = Random(seed)
    parts = [with_some(rng, part) for part in parts]
    try:
        whole = Composition([part.listed() for part in parts])
    except PigroError:
        return None
    if len(whole.initial) > 2000:
        return None
    formula = random_question(rng, whole)
    expected = answer(whole, formula, "concrete").holds
    small = [part if part.formulas is None else abstracted(part, nothing) for part in parts]
    for part, large in zip(small, whole.parts, strict=True):
        assert simulate(Composition([part]), Composition([large])).holds, seed
    said = answer(Composition(small), formula, "concrete").holds
    assert said in (None, expected), (seed, str(formula))
    assert answer(Composition(small), formula, "symbolic").holds is said, (seed, str(formula))
    with mock.patch.object(refining, "_FIRST", 8 * (seed % 2)):  # or labels only where it matters
        refined = answer(Composition(parts), formula, "predicates")
    assert refined.holds is expected, (seed, str(formula))
    return said, len(refined.details.rounds) > 1


def test_random_abstractions():
    found = [each for each in map(compare, seeds(COUNT)) if each is not None]
    assert FEW_CASES or len({said for said, _ in found}) > 1
    assert FEW_CASES or any(refined for _, refined in found)
