"""No definite verdict is contradicted by a way to finish the parts.

Parts whose labels, joint ones too, may be unknown, and whose steps may be there or not. Each way to
finish them is composed by the definition and asked by plain fixpoints. 400 random systems, unless
`PIGRO_FINISHING_CASES` asks for more, and all pairs of tiny parts with some formulas.
"""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from pigro import compose_check
from pigro.evidence import replay_strategy
from pigro.logic import parse
from pigro.logic.modal import modal_form

from oracle.mu_formula import Shape, random_ctl, random_mu, text
from oracle.mu_semantics import finished_verdicts, verdict
from oracle.mu_structures import (
    KMTS,
    STEP,
    Structure,
    are_composable,
    count_finishings,
    names_in,
    random_parts,
)
from support.agreement.compositions import Case, code, composition_of
from support.selection.cases import SEED, SHARE, covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_FINISHING_CASES", 400)
CHUNKS = 4
MOST = 512
"""Ways to finish the parts."""
TWO = replace(KMTS, states=(1, 3), targets=(1, 2), joint=(1, 2), local=(0, 1), unknown=0.25)
SHAPES = (
    TWO,
    replace(TWO, more_initial=0.8),
    replace(TWO, may=0.0, unknown=0.4),
    replace(TWO, parts=(3, 3), states=(1, 2), unknown=0.2),
)
METHODS = ("concrete", "full", "symbolic")


def random_case(seed):
    """Not concrete, and with few ways to finish it."""
    rng = Random(seed)
    while True:
        parts = random_parts(rng, SHAPES[seed % len(SHAPES)])
        if 1 < count_finishings(parts) <= MOST:
            break
    atoms = names_in(parts)[0]
    if seed % 5 == 0:
        return Case(parts, random_ctl(rng, atoms, rng.randint(1, 5)))
    return Case(parts, random_mu(rng, atoms, rng.randint(1, 9), shape=Shape(ctl=0.1)))


def answers(case, dead_ends="stutter"):
    """By each method that fits the formula. Strategies are replayed."""
    system, formula = composition_of(case.parts), parse(text(case.formula))
    simple = modal_form(formula, dead_ends=dead_ends).alternation_free
    for method in METHODS if simple else METHODS[:2]:
        if method == "symbolic":
            pytest.importorskip("dd")
        found = compose_check(system, formula, method=method, dead_ends=dead_ends, witness=True)
        if found.evidence is not None:
            replay_strategy(system, found.evidence)
        yield found.holds


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_parts(chunk):
    said = Counter()
    for seed in seeds(CASES, chunk, CHUNKS):
        case = random_case(seed)
        dead_ends = "stop" if seed % 3 == 0 else "stutter"
        found = set(answers(case, dead_ends))
        assert len(found) == 1, code(case)
        (holds,) = found
        said[holds] += 1
        if holds is not None:
            ways = finished_verdicts(case.parts, case.formula, dead_ends)
            assert all(way is holds for way in ways), f"{code(case)}\n# {dead_ends}, told {holds}"
    assert covers(said, {True, False, None})


VALUES = (False, True, None)


def tiny(first, second):
    """Parts of two states with these rows of labels, and perhaps a step from the first."""
    for rows in product(first, second):
        for steps in ({}, {(0, STEP, 1): True}, {(0, STEP, 1): False}):
            yield Structure(rows, (0,), steps)


QUESTIONS = (
    ("dia", None, ("atom", "o")),
    ("dia", None, ("atom", "r")),
    ("box", None, ("false",)),
    ("box", None, ("or", ("atom", "r"), ("atom", "o"))),
    ("and", ("atom", "r"), ("dia", None, ("true",))),
    ("mu", "Z", ("or", ("atom", "o"), ("dia", None, ("var", "Z")))),
)


@cache
def tiny_systems():
    """All pairs of such parts that share the label r; o is seen by one, and false at first."""
    shared = [{"r": value} for value in VALUES]
    starts = [{"o": False, **row} for row in shared]
    both = [{"o": value, **row} for value in VALUES for row in shared]
    pairs = product(tiny(starts, both), tiny(shared, shared))
    return [parts for parts in pairs if are_composable(parts)]


@pytest.mark.parametrize("formula", QUESTIONS, ids=text)
def test_all_tiny_parts(formula):
    """One method: that all agree is tested above. The answer is no less precise than it can be."""
    said = Counter()
    for parts in tiny_systems()[SEED % SHARE :: SHARE]:
        case = Case(parts, formula)
        holds = compose_check(composition_of(parts), parse(text(formula))).holds
        assert holds is verdict(parts, formula), code(case)
        said[holds] += 1
        if holds is not None:
            assert set(finished_verdicts(parts, formula)) == {holds}, code(case)
    assert covers(said, {True, False, None})
