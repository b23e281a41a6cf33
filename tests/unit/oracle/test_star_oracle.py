"""The tableau for CTL* against single paths, known laws and the oracle for CTL."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from oracle import contexts, unfold
from oracle.generate import random_formula
from oracle.star_formula import (
    TRUE,
    A,
    E,
    F,
    G,
    R,
    U,
    W,
    X,
    both,
    either,
    everything_in,
    from_ctl,
    no,
    random_star,
)
from oracle.star_lasso import holds_on, lassos
from oracle.star_questions import FORMULAS
from oracle.star_structures import Structure, all_structures, as_machine, random_structure
from oracle.star_tableau import decide, holds
from support.selection.cases import number_of_cases

EACH = number_of_cases("PIGRO_ORACLE_CASES", 50, least=5)
"""Formulas for each structure."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.star_formula import Formula

LABELS = ("p", "q")
STRUCTURES_OF_THREE = 8_320 + 1_488
"""Of three states. Those with a dead end count for both readings."""


def structures(states: int) -> Iterator[Structure]:
    """All of that many states. Those with a dead end in both readings."""
    yield from all_structures(states, LABELS, "stutter")
    yield from (each for each in all_structures(states, LABELS, "stop") if each.has_dead_end)


def words(structure: Structure, state: int, formula: Formula, length: int) -> Iterator[tuple]:
    """The lassos from a state as `holds_on` takes them, with all A f and E f in the formula."""
    quantified = [f for f in everything_in(formula) if f[0] in ("A", "E")]
    truths = [(f, decide(structure, f)) for f in quantified]
    letters = [
        structure.labels[s] | {f for f, truth in truths if s in truth}
        for s in range(len(structure.labels))
    ]
    for path, loop in lassos(structure, state, length):
        yield [letters[s] for s in path], loop


def check_by_paths(structure: Structure, formula: Formula, short: int, long: int) -> list[bool]:
    """E f holds where a path of up to `long` states has f, and nowhere where one of `short` has it."""
    found = decide(structure, E(formula))
    for state in range(len(structure.labels)):
        length = long if state in found else short
        seen = any(holds_on(formula, *each) for each in words(structure, state, formula, length))
        assert seen is (state in found), (structure, state, formula)
    return [state in found for state in range(len(structure.labels))]


@pytest.mark.random
@pytest.mark.parametrize("chunk", range(4))
def test_some_path_of_all_structures_of_two_states(chunk: int) -> None:
    rng = Random(chunk)
    verdicts = []
    for structure in islice(structures(2), chunk, None, 4):
        for _ in range(EACH):
            f = random_star(rng, LABELS, rng.randint(1, 5))
            verdicts += check_by_paths(structure, f, short=5, long=9)
    assert len(verdicts) == 40 * EACH * 2
    assert len(verdicts) // 4 < sum(verdicts) < 3 * len(verdicts) // 4


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(4))
def test_some_path_of_structures_of_three_states(chunk: int) -> None:
    rng = Random(100 + chunk)
    verdicts = []
    for structure in islice(structures(3), chunk, None, 12):
        f = random_star(rng, LABELS, rng.randint(1, 6))
        verdicts += check_by_paths(structure, f, short=4, long=9)
    assert len(verdicts) == 3 * len(range(chunk, STRUCTURES_OF_THREE, 12))
    assert 600 < sum(verdicts) < 1_900


def test_some_path_with_every_question() -> None:
    rng = Random(7)
    for formula in FORMULAS:
        inner = formula[1] if formula[0] in ("A", "E") else formula
        for _ in range(12):
            structure = random_structure(rng, 3, LABELS)
            check_by_paths(structure, inner, short=4, long=9)
            check_by_paths(structure, no(inner), short=4, long=9)


def test_questions_divide_the_structures() -> None:
    some = [each for states in (1, 2) for each in structures(states)]
    some += islice(structures(3), 0, None, 5)
    for formula in FORMULAS:
        assert any(holds(each, formula) for each in some), formula
        assert not all(holds(each, formula) for each in some), formula


LAWS = {
    "not E": lambda f, g: (no(E(f)), A(no(f))),
    "not A": lambda f, g: (no(A(f)), E(no(f))),
    "not not": lambda f, g: (E(no(no(f))), E(f)),
    "not X": lambda f, g: (E(no(X(f))), E(X(no(f)))),
    "not F": lambda f, g: (E(no(F(f))), E(G(no(f)))),
    "not U": lambda f, g: (E(no(U(f, g))), E(R(no(f), no(g)))),
    "not W": lambda f, g: (E(no(W(f, g))), E(U(no(g), both(no(f), no(g))))),
    "not and": lambda f, g: (E(no(both(f, g))), E(either(no(f), no(g)))),
    "not xor": lambda f, g: (E(no(("xor", f, g))), E(("iff", f, g))),
    "implies": lambda f, g: (A(("implies", f, g)), A(either(no(f), g))),
    "F by U": lambda f, g: (E(F(f)), E(U(TRUE, f))),
    "G by R": lambda f, g: (E(G(f)), E(R(no(TRUE), f))),
    "G by W": lambda f, g: (A(G(f)), A(W(f, no(TRUE)))),
    "W by U and G": lambda f, g: (E(W(f, g)), E(either(U(f, g), G(f)))),
    "U by W and F": lambda f, g: (A(U(f, g)), A(both(W(f, g), F(g)))),
    "R by W": lambda f, g: (A(R(f, g)), A(W(g, both(f, g)))),
    "U unrolled": lambda f, g: (E(U(f, g)), E(either(g, both(f, X(U(f, g)))))),
    "R unrolled": lambda f, g: (
        E(R(f, g)),
        E(both(g, either(f, either(X(R(f, g)), no(E(X(TRUE))))))),
    ),
    "E or": lambda f, g: (E(either(f, g)), either(E(f), E(g))),
    "A and": lambda f, g: (A(both(f, g)), both(A(f), A(g))),
    "E X": lambda f, g: (E(X(f)), E(X(E(f)))),
    "A X": lambda f, g: (A(X(f)), A(X(A(f)))),
    "E F": lambda f, g: (E(F(f)), E(F(E(f)))),
    "A G": lambda f, g: (A(G(f)), A(G(A(f)))),
    "E of a state formula": lambda f, g: (E(both(A(f), E(g))), both(A(f), E(g))),
    "A of a state formula": lambda f, g: (A(E(f)), E(f)),
    "alone": lambda f, g: (U(f, X(g)), A(U(f, X(g)))),
    "X F": lambda f, g: (E(X(F(f))), E(F(X(f)))),
    "F F": lambda f, g: (E(F(F(f))), E(F(f))),
    "G F or": lambda f, g: (E(G(F(either(f, g)))), E(either(G(F(f)), G(F(g))))),
    "F G and": lambda f, g: (A(F(G(both(f, g)))), A(both(F(G(f)), F(G(g))))),
    "U of U": lambda f, g: (E(U(f, U(f, g))), E(U(f, g))),
    "F G F": lambda f, g: (E(F(G(F(f)))), E(G(F(f)))),
}


@pytest.mark.parametrize("law", LAWS)
def test_laws(law: str) -> None:
    rng = Random(law)
    seen = set()
    for _ in range(150):
        structure = random_structure(rng, 5, LABELS)
        f, g = (random_star(rng, LABELS, rng.randint(0, 3)) for _ in range(2))
        left, right = LAWS[law](f, g)
        found = decide(structure, left)
        assert found == decide(structure, right), (structure, f, g)
        seen |= {state in found for state in range(len(structure.labels))}
    assert seen == {True, False}


def states_by_contexts(structure: Structure, formula: Formula) -> set[int]:
    points = contexts.true_points(as_machine(structure), [formula])[0]
    return {structure.names.index(name) for _, name in points}


def check_ctl(structure: Structure, formula: Formula) -> bool:
    found = decide(structure, from_ctl(formula))
    assert found == states_by_contexts(structure, formula), (structure, formula)
    assert unfold.decide(as_machine(structure), formula, max_states=1_000) is (0 in found)
    return 0 in found


@pytest.mark.parametrize("chunk", range(4))
def test_ctl_on_random_structures(chunk: int) -> None:
    rng = Random(chunk)
    verdicts = [
        check_ctl(random_structure(rng, 6, ("p", "q", "r")), random_formula(rng))
        for _ in range(1_000)
    ]
    assert 300 < sum(verdicts) < 700


@pytest.mark.parametrize("states, step", [(1, 1), (2, 1), (3, 20)])
def test_ctl_on_all_small_structures(states: int, step: int) -> None:
    rng = Random(states)
    seen = set()
    for structure in islice(structures(states), 0, None, step):
        seen |= {(structure.dead_ends, check_ctl(structure, random_formula(rng))) for _ in range(4)}
    assert seen == {(reading, truth) for reading in ("stutter", "stop") for truth in (True, False)}
