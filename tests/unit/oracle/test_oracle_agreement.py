"""Unfolding and contexts agree wherever the unfolding decides. Dualities hold in both."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from oracle import contexts, unfold
from oracle.bounded import cut
from oracle.generate import random_case, random_formula
from support.selection.cases import FEW_CASES, number_of_cases, seeds

if TYPE_CHECKING:
    from oracle.formula import Formula

CASES = number_of_cases("PIGRO_ORACLE_CASES", 3_000)


pytestmark = pytest.mark.random


@pytest.mark.parametrize("chunk", range(6))
def test_unfold_and_contexts_agree(chunk: int) -> None:
    decided = 0
    for seed in seeds(CASES, chunk, 6):
        case = random_case(seed)
        answer = unfold.decide(case.machine, case.formula)
        decided += answer is not None
        if answer is not None:
            assert contexts.decide(case.machine, case.formula) is answer, seed
    assert FEW_CASES or decided > CASES / 6 * 0.7


def test_deciding_together_is_deciding_alone() -> None:
    for seed in seeds(CASES // 20):
        machine = random_case(seed).machine
        rng = Random(seed)
        formulas = [random_formula(rng) for _ in range(5)]
        assert contexts.decide_many(machine, formulas) == [
            contexts.decide(machine, f) for f in formulas
        ], seed


def test_agree_everywhere_on_machines_of_bounded_depth() -> None:
    """With bounded stacks there are finitely many states, so the unfolding always decides."""
    for seed in seeds(CASES // 7):
        case = random_case(seed)
        machine = cut(case.machine, 2)
        answer = unfold.decide(machine, case.formula, max_depth=4, max_states=100_000)
        assert answer is contexts.decide(machine, case.formula), seed


def dual(kind: str, f: Formula, g: Formula) -> Formula:
    """The formula equivalent to (kind f g) or (kind f) by the usual dualities."""
    other = {"U": "R", "R": "U", "F": "G", "G": "F", "X": "X"}
    path = "A" if kind[0] == "E" else "E"
    if kind[1] in "FGX":
        return ("not", (path + other[kind[1]], ("not", f)))
    if kind[1] == "W":  # f W g = g R (f or g)
        return dual(kind[0] + "R", g, ("or", f, g))
    return ("not", (path + other[kind[1]], ("not", f), ("not", g)))


@pytest.mark.parametrize("kind", [a + b for a in "EA" for b in "XFGUWR"])
def test_dualities(kind: str) -> None:
    for seed in seeds(CASES // 25):
        case = random_case(seed)
        rng = Random(seed)
        f, g = random_formula(rng, 1), ("or", random_formula(rng, 1), ("atom", "p"))
        one: Formula = (kind, f) if kind[1] in "FGX" else (kind, f, g)
        two = dual(kind, f, g)
        assert contexts.decide(case.machine, one) is contexts.decide(case.machine, two), seed
        assert unfold.decide(case.machine, one) is unfold.decide(case.machine, two), seed
