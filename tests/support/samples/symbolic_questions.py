"""Random questions that the symbolic method takes, and structures of the oracle as parts."""

from __future__ import annotations

import random
from dataclasses import replace

from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.model.part import Part

from oracle.mu_formula import TAU, Shape, random_mu, text
from oracle.mu_structures import KMTS, KRIPKE, THREE, names_in, random_lts, random_parts

SHAPES = (
    KRIPKE,
    THREE,
    replace(KRIPKE, parts=(1, 1)),
    KMTS,
    replace(KMTS, joint=(1, 3)),
    replace(KMTS, parts=(3, 3), states=(1, 4)),
)
VALUE = {False: 0, True: 1, None: 2}


def _numbers(structure):
    """Of each step: the number of its action."""
    if structure.actions is None:
        return None
    named = {TAU: -1} | {action: at for at, action in enumerate(structure.actions)}
    return [named[action] for _, action, _ in structure.steps]


def part_of(structure, name):
    """A structure of the oracle as a part."""
    return Part.from_steps(
        name,
        states=[f"s{state}" for state in structure.states],
        initial=structure.initial,
        atoms=structure.atoms,
        values=bytes(VALUE[row[label]] for row in structure.labels for label in structure.atoms),
        actions=structure.actions,
        by=_numbers(structure),
        sources=[source for source, _, _ in structure.steps],
        targets=[target for _, _, target in structure.steps],
        must=[int(must) for must in structure.steps.values()],
    )


def repeated(rng, name, formula):
    """Somewhere or everywhere on some or all paths: fixpoints that take many rounds."""
    kind, join = rng.choice((("mu", "or"), ("nu", "and")))
    return (kind, name, (join, formula, (rng.choice(("dia", "box")), None, ("var", name))))


def question(seed, make=random_parts):
    """Structures, and a formula that is alternation-free, also after its CTL is translated."""
    rng = random.Random(seed)
    shape = rng.choice(SHAPES)
    structures = make(rng, shape)
    while not names_in(structures)[0]:
        structures = make(rng, shape)
    ctl = 0.0 if shape.unknown else rng.choice((0.0, 0.2))
    of_formula = Shape(alternation=False, ctl=ctl, fixpoint=0.25)
    while True:
        size = rng.randint(1, 12)
        atoms, actions = names_in(structures)
        acting = actions if make is random_lts else ()
        formula = random_mu(rng, atoms, size, actions=acting, shape=of_formula)
        for depth in range(rng.randint(0, 2)):
            formula = repeated(rng, f"R{depth}", formula)
        form = modal_form(parse(text(formula)))
        if form.alternation_free:
            return structures, formula, form
