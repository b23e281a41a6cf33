"""Evidence and refinement of the symbolic method: every strategy is replayed, every verdict compared.

Modules are asked with states that are not listed. The document that is made then is read again with
all states listed, and with none.
"""

from __future__ import annotations

from random import Random

import pytest

from pigro.diagnostics import PigroError
from pigro.engines.game.checking import decide
from pigro.engines.game.doubt import causes_in
from pigro.engines.game.layers import play
from pigro.engines.game.setting import GameSetup
from pigro.engines.game.symbolic import checking
from pigro.engines.game.symbolic.checking import symbolic_check
from pigro.engines.game.symbolic.doubts import open_causes
from pigro.evidence import replay_strategy
from pigro.evidence.strategy.lines import strategy_lines
from pigro.limits import Budget
from pigro.logic import parse
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart

from oracle.mu_formula import text
from oracle.mu_structures import random_lts, random_parts
from support.evidence.documents import read_strategy, strategy_document
from support.samples.formula_parts import composition_of as modules
from support.samples.formula_parts import random_question
from support.samples.symbolic_questions import part_of, question
from support.selection.cases import FEW_CASES, number_of_cases, seeds

pytest.importorskip("dd.autoref")
CASES = number_of_cases("PIGRO_SYMBOLIC_EVIDENCE", 40, least=10)


def unlisted(part):
    """The same module, of which nothing is listed yet."""
    return part if part.formulas is None else FormulaPart(part.name, part.formulas)


def shown(composition, formula, dead_ends="stutter", refine=None):
    return decide(
        composition,
        formula,
        method="symbolic",
        refine=refine,
        dead_ends=dead_ends,
        budget=Budget(),
        witness=True,
    )


def judge(verdict, *others):
    """The strategy is right, and its document is, on the same parts and on others that are equal."""
    assert (verdict.evidence is None) == (verdict.holds is None)
    if verdict.holds is None:
        assert "leave open whether" in verdict.reason
        return
    assert verdict.evidence.holds is verdict.holds
    assert verdict.evidence.is_whole
    replay_strategy(verdict.subject, verdict.evidence)
    assert strategy_lines(verdict.subject, verdict.evidence)
    used = {part for layer in verdict.evidence.layers for part in layer.parts}
    names = {verdict.subject.parts[part].name for part in used}
    assert names <= {*verdict.details.decided_by}
    document = strategy_document(verdict.subject, verdict.evidence)
    for each in (verdict.subject, *others):
        replay_strategy(each, read_strategy(each, document))


def by_lists(seed, make):
    """By diagrams, and with both kinds of refinement, which also keep parts that are not concrete."""
    structures, asked, _ = question(seed, make)
    formula = parse(text(asked))
    dead_ends = "stop" if seed % 2 else "stutter"
    composition = Composition([part_of(each, f"part{i}") for i, each in enumerate(structures)])
    verdict = shown(composition, formula, dead_ends)
    judge(verdict)
    strategy = ("one", "many")[seed // 2 % 2]
    refined = shown(composition, formula, dead_ends, refine=strategy)
    judge(refined)
    assert refined.details.rounds
    explicit = "refine" if composition.is_concrete else "concrete"
    other = decide(
        composition,
        formula,
        method=explicit,
        refine=strategy,
        dead_ends=dead_ends,
        budget=Budget(),
    )
    assert verdict.holds is refined.holds is other.holds, seed
    return verdict.holds


def by_modules(seed):
    parts = modules(seed)
    if parts is None:
        return None
    try:
        whole = Composition(part.listed() for part in parts)
    except PigroError:
        return None
    formula = random_question(Random(seed), whole)
    try:
        verdict = shown(Composition(map(unlisted, parts)), formula)
    except PigroError:
        return None
    judge(verdict, whole)
    refined = shown(Composition(map(unlisted, parts)), formula, refine=("one", "many")[seed % 2])
    judge(refined, whole)
    explicit = decide(whole, formula, method="refine", dead_ends="stutter", budget=Budget())
    assert verdict.holds is refined.holds is explicit.holds, seed
    return verdict.holds


@pytest.mark.parametrize("make", [random_parts, random_lts])
def test_listed_parts(make):
    found = [by_lists(seed, make) for seed in seeds(CASES)]
    assert FEW_CASES or {True, False} <= {*found}


def test_modules():
    found = [by_modules(seed) for seed in seeds(CASES)]
    assert FEW_CASES or {True, False} <= {*found}


@pytest.mark.parametrize("make", [random_parts, random_lts])
def test_causes_of_doubt(make, monkeypatch):
    """The causes that are found as sets are all those that the game on all parts has."""
    found = []

    def spied(check, sets):
        found.append([*open_causes(check, sets)])
        return iter(found[-1])

    monkeypatch.setattr(checking, "open_causes", spied)
    for seed in seeds(2 * CASES):
        structures, _, form = question(seed, make)
        composition = Composition([part_of(each, f"part{i}") for i, each in enumerate(structures)])
        before = len(found)
        if symbolic_check(composition, form).value is not None:
            assert len(found) == before
            continue
        setting = GameSetup(composition.parts, composition.initial, form)
        explicit = causes_in(play(setting, None).last, form, 1 << 20)
        assert {*found[-1]} == {*explicit}, seed
    assert FEW_CASES or make is random_lts or any(found)
