"""Parts of SMV as formulas against the same parts with all states listed."""

from __future__ import annotations

from random import Random
from unittest import mock

import pytest

from pigro.diagnostics import PigroError
from pigro.engines.game.checking import decide
from pigro.engines.game.diagrams import BddManager
from pigro.engines.game.formulas.part import FormulaSets
from pigro.engines.game.formulas.slots import SlotBits
from pigro.engines.game.symbolic.checking import symbolic_check
from pigro.limits import Budget
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart

from support.samples.formula_parts import composition_of, random_question, read, with_conditions
from support.samples.smv_drafts import Draft
from support.selection.cases import FEW_CASES, number_of_cases, seeds

pytest.importorskip("dd.autoref")
COUNT = number_of_cases("PIGRO_SMV_FORMULAS", 150)
QUESTIONS = number_of_cases("PIGRO_SMV_COMPOSITIONS", 100)


def nothing():
    pass


def names_in(sets, part, states):
    return {part.formulas.name(part.formulas.packed(each)) for each in sets._states_in(states)}


def sets_of(diagrams, part):
    slots = SlotBits(diagrams, part.formulas, "f", frozenset(), {})
    return FormulaSets(diagrams, part.name, part.formulas, slots, nothing)


def wrong_with(diagrams, part):
    """The code of what is wrong with a part."""
    try:
        sets = sets_of(diagrams, part)
        for label in part.atoms:
            sets.label(label)
    except PigroError as error:
        return error.code
    return None


def compare(seed):
    """States, steps and labels by formulas are those that are listed."""
    file = with_conditions(Draft(Random(seed)))
    whole, wrong = read(file)
    diagrams = BddManager(nothing)
    fresh = unlisted(file)
    if wrong is not None:
        if fresh is None:
            return "unreadable"
        assert wrong_with(diagrams, fresh) == wrong, (seed, file)
        return "wrong"
    sets = sets_of(diagrams, fresh)
    assert names_in(sets, fresh, sets.reached) == set(whole.states), (seed, file)
    initial = {whole.states[state] for state in whole.initial}
    assert names_in(sets, fresh, sets.initial) == initial, (seed, file)
    columns = {label: sets.label(label) for label in fresh.atoms}
    assert tuple(columns) == whole.atoms
    number = {name: at for at, name in enumerate(whole.states)}
    relation = sets.relation
    for values in list(sets._states_in(sets.reached)):
        here = diagrams.cube(sets.slots.encoded(values))
        state = number[fresh.formulas.name(fresh.formulas.packed(values))]
        after = {whole.states[target] for _, target, _ in whole.steps_of(state)}
        assert names_in(sets, fresh, relation.forward(here)) == after, (seed, file)
        before = relation.backward(here) & sets.reached
        steps = [
            s for s in range(len(whole.states)) if state in [t for _, t, _ in whole.steps_of(s)]
        ]
        assert names_in(sets, fresh, before) == {whole.states[s] for s in steps}, (seed, file)
        for at, (true, false) in enumerate(columns.values()):
            holds = whole.value(state, at) == 1
            assert (here & true == here) is holds, (seed, file)
            assert (here & false == here) is not holds, (seed, file)
    return "same"


def unlisted(file):
    """The part of a file, whose states nobody listed. None if it can't be read."""
    with mock.patch("pigro.formats.smv.composing.has_many", return_value=True):
        part, wrong = read(file)
    assert wrong is not None or isinstance(part, FormulaPart)
    return part


@pytest.mark.parametrize("chunk", range(3))
def test_random_modules(chunk):
    outcomes = [compare(seed) for seed in seeds(COUNT, chunk, 3)]
    assert FEW_CASES or outcomes.count("same") > COUNT / 10


def ask(seed):
    """One question, by formulas and by all states."""
    parts = composition_of(seed)
    if parts is None:
        return None
    rng = Random(seed)
    try:
        whole = Composition([each.listed() for each in parts])
    except PigroError as error:
        assert error.code == "P221"
        with pytest.raises(PigroError, match="P221|start together"):
            Composition(parts)
        return None
    if len(whole.initial) > 2000:
        return None
    formula = random_question(rng, whole)
    form = modal_form(formula)
    found = symbolic_check(Composition(parts), form)
    expected = decide(whole, formula, method="concrete", dead_ends="stutter", budget=Budget())
    assert found.value is expected.holds, (seed, str(formula))
    return found.value


@pytest.mark.parametrize("chunk", range(2))
def test_random_compositions(chunk):
    answers = [ask(seed) for seed in seeds(QUESTIONS, chunk, 2)]
    assert FEW_CASES or {True, False} <= set(answers)
