"""Evidence of the symbolic method: every strategy is replayed, also by another numbering of states.

Modules are asked with states that are not listed. The document that is made then is read again with
all states listed, and with none.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from formula_parts import composition_of as modules
from formula_parts import random_question
from pigro.diagnostics import PigroError
from pigro.engines.game.checking import decide
from pigro.evidence import read_strategy, replay_strategy, strategy_document
from pigro.limits import Budget
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart, listed
from pigro.render.strategy import strategy_lines
from unit.engines.game.test_symbolic import part_of, question

from oracle.mu_formula import text
from oracle.mu_structures import random_lts, random_parts

pytest.importorskip("dd.autoref")
CASES = int(os.environ.get("PIGRO_SYMBOLIC_EVIDENCE", "120"))


def unlisted(part):
    """The same module, of which nothing is listed yet."""
    if not isinstance(part, FormulaPart):
        return part
    return FormulaPart(part.name, part.atoms, part.formulas, part._list)


def shown(composition, formula, dead_ends="stutter"):
    return decide(
        composition,
        formula,
        method="symbolic",
        dead_ends=dead_ends,
        budget=Budget(),
        witness=True,
    )


def judge(verdict, *others):
    """The strategy is right, and its document is, on the same parts and on others that are equal."""
    assert (verdict.evidence is None) == (verdict.holds is None)
    if verdict.holds is None:
        return
    assert verdict.evidence.holds is verdict.holds
    assert verdict.evidence.is_whole
    replay_strategy(verdict.composition, verdict.evidence)
    assert strategy_lines(verdict.composition, verdict.evidence)
    document = strategy_document(verdict.composition, verdict.evidence)
    for each in (verdict.composition, *others):
        replay_strategy(each, read_strategy(each, document))


def by_lists(seed, make):
    structures, _, _ = question(seed, make)
    formula = text(question(seed, make)[1])
    composition = Composition([part_of(each, f"part{i}") for i, each in enumerate(structures)])
    verdict = shown(composition, parsed(formula), "stop" if seed % 2 else "stutter")
    judge(verdict)
    return verdict.holds


def parsed(formula):
    from pigro.logic import parse

    return parse(formula)


def by_modules(seed):
    parts = modules(seed)
    if parts is None:
        return None
    try:
        whole = Composition(map(listed, parts))
    except PigroError:
        return None
    formula = random_question(Random(seed), whole)
    try:
        verdict = shown(Composition(map(unlisted, parts)), formula)
    except PigroError:
        return None
    judge(verdict, whole)
    return verdict.holds


@pytest.mark.parametrize("make", [random_parts, random_lts])
def test_strategies_on_listed_parts(make):
    found = [by_lists(seed, make) for seed in range(CASES)]
    assert {True, False} <= {*found}


def test_strategies_on_modules():
    found = [by_modules(seed) for seed in range(CASES)]
    assert {True, False} <= {*found}
