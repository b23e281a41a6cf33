"""LTL and CTL* on compositions, for all ways to finish the parts, against a tableau on each of them.

300 systems, unless `PIGRO_FINISHING_PATHS_CASES` asks for more.
"""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from pigro.engines.completions import CompletionCheck
from pigro.logic import parse
from pigro.model.part import UNKNOWN

from oracle import star_tableau
from oracle.mu_structures import (
    KMTS,
    KRIPKE,
    are_composable,
    composed,
    count_finishings,
    finishings,
    names_in,
    random_lts,
    random_parts,
    reached,
)
from oracle.star_formula import random_star, to_text
from oracle.star_structures import Structure as Plain
from support.agreement.compositions import composition_of
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_FINISHING_PATHS_CASES", 300)
MOST = 128
"""Ways to finish the parts."""
TWO = replace(KMTS, states=(1, 3), targets=(1, 2), joint=(0, 2), local=(0, 1), unknown=0.2, may=0.2)
SHAPES = (
    TWO,
    replace(TWO, more_initial=0.8),
    replace(TWO, parts=(3, 3), states=(1, 2), unknown=0.15),
    replace(KRIPKE, states=(1, 4)),
)


def random_case(seed):
    rng = Random(seed)
    make = random_lts if seed % 5 == 0 else random_parts
    while True:
        parts = make(rng, SHAPES[seed % len(SHAPES)])
        atoms = names_in(parts)[0]
        if atoms and count_finishings(parts) <= MOST:
            return parts, random_star(rng, atoms, rng.randint(1, 6))


def plain(parts, dead_ends):
    """A finished composition as the tableau takes it, and its initial states."""
    whole = reached(composed(parts)).whole
    rows = [tuple(dict.fromkeys(whole.after(state))) for state in whole.states]
    labels = [frozenset(name for name, v in row.items() if v) for row in whole.labels]
    return Plain(tuple(rows), tuple(labels), dead_ends), whole.initial


def truths(parts, formula, dead_ends):
    """Whether the formula holds, for each way to finish the parts."""
    found = set()
    for finished in product(*map(finishings, parts)):
        if not are_composable(finished):
            found.add(True)
            continue
        structure, initial = plain(finished, dead_ends)
        found.add(star_tableau.decide(structure, formula).issuperset(initial))
    return found


def finished_as(composition, answer):
    """The concrete parts that a way to finish them names. What it leaves open is left out."""
    parts = []
    for at, part in enumerate(composition.parts):
        values, kept = bytearray(part.values), []
        said = {point: value for point, value in answer.points if point.part == at}
        for state in range(len(part.states)):
            for column, label in enumerate(part.atoms):
                if part.value(state, column) == UNKNOWN:
                    value = next(
                        (v for p, v in said.items() if (p.state, p.label) == (state, label)), False
                    )
                    values[state * len(part.atoms) + column] = value
            for by, target, must in part.steps_of(state):
                action = "" if part.actions is None else part.action_name(by)
                if must or any(
                    v
                    and p.label is None
                    and (p.state, p.action, p.target) == (state, action, target)
                    for p, v in said.items()
                ):
                    kept.append((state, by, target))
        parts.append(
            type(part).from_steps(
                part.name,
                states=part.states,
                initial=part.initial,
                atoms=part.atoms,
                values=values,
                actions=part.actions,
                sources=[source for source, _, _ in kept],
                by=[by for _, by, _ in kept],
                targets=[target for _, _, target in kept],
            )
        )
    return parts


@pytest.mark.parametrize("chunk", range(3))
def test_random_parts(chunk):
    said = Counter()
    for seed in seeds(CASES, chunk, 3):
        parts, formula = random_case(seed)
        dead_ends = "stop" if seed % 3 == 0 else "stutter"
        system = composition_of(parts)
        question = CompletionCheck(system, parse(to_text(formula)), dead_ends, lambda: None)
        found = question.answers()
        truth = truths(parts, formula, dead_ends)
        assert {each.holds for each in found} == truth, seed
        said[tuple(sorted(truth))] += 1
        for each in found:
            judge(system, formula, each, dead_ends)
    assert FEW_CASES or min(said[key] for key in ((True,), (False,), (False, True))) > CASES // 60


def judge(system, formula, answer, dead_ends):
    """What the points say is a way to finish the parts, and it has the verdict."""
    from pigro import Composition, ModelError, check
    from pigro.model.product import Product

    try:
        one = Composition(finished_as(system, answer))
    except ModelError as error:
        assert error.code == "P221"
        assert answer.holds
        return
    holds = True
    machine = Product(one)
    for states in one.initial:

        class Whole:
            initial = states

            def successors(self, at):
                return [target for _, target, _ in machine.moves(at)]

            def labels(self, at):
                return [label for label in one.atoms if machine.value(at, label)]

        Whole.dead_ends = dead_ends
        holds = holds and check(Whole(), parse(to_text(formula))).holds
    assert holds is answer.holds
