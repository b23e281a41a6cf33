"""Random machines with formulas of the mu-calculus, asked of the oracle and of the engine `game`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from pigro.engines import ENGINES
from pigro.logic import Op, parse

from agreement import as_model
from oracle import mu_pushdown
from oracle.generate import PROFILES, random_machine
from oracle.mu_formula import Formula, Shape, random_mu, text, var

if TYPE_CHECKING:
    from oracle.machine import Machine

FORMULAS = 4
"""Questions for each random machine."""
_NAMES = {Op.NOT: "not", Op.AND: "and", Op.OR: "or", Op.IMPLIES: "implies"}
_SMALL = {
    name: replace(PROFILES[name], components=(1, 3), exits=(0, 2), inner=(0, 3), boxes=(0, 2))
    for name in ("default", "tiny", "recursive", "ragged", "oneliners", "rsmcheck")
}


def mu_case(seed: int) -> tuple[Machine, list[Formula]]:
    """Machine number `seed`, small, and questions with up to four fixpoints in a row."""
    rng = Random(seed)
    shape = rng.choice(list(_SMALL.values()))
    machine = random_machine(rng, shape)
    if rng.random() < 0.15:
        machine = replace(machine, semantics="rmv")
    return machine, [_formula(rng) for _ in range(FORMULAS)]


def _formula(rng: Random) -> Formula:
    if rng.random() < 0.4:
        return random_mu(rng, ("p", "q"), rng.randint(2, 9), shape=Shape(modality=0.35))
    names = [f"X{i}" for i in range(rng.randint(1, 4))]
    body = _body(rng, names, rng.randint(1, 5))
    kind = rng.choice(("mu", "nu"))
    for name in names:
        body = (kind, name, body)
        kind = rng.choice(("mu", "nu", "mu" if kind == "nu" else "nu"))
    return body


def _body(rng: Random, names: list[str], size: int) -> Formula:
    """A positive formula over the variables, each of which stands under a modality."""
    if size == 0:
        if rng.random() < 0.6:
            return (rng.choice(("dia", "box")), None, var(rng.choice(names)))
        label: Formula = ("atom", rng.choice("pq"))
        return label if rng.random() < 0.7 else ("not", label)
    if rng.random() < 0.3:
        inside = _body(rng, names, size - 1)
        if rng.random() < 0.5:
            inside = (rng.choice(("and", "or")), inside, var(rng.choice(names)))
        return (rng.choice(("dia", "box")), None, inside)
    left = rng.randrange(size)
    kind = rng.choice(("and", "or"))
    return (kind, _body(rng, names, left), _body(rng, names, size - 1 - left))


def mu_disagreements(seed: int) -> list[str]:
    """Case `seed`: a line for each question on which the oracle and the engine differ."""
    machine, formulas = mu_case(seed)
    model = as_model(machine)
    found = []
    for formula in formulas:
        asked = parse(text(formula))
        try:
            truth = mu_pushdown.holds_at(machine, formula)
        except mu_pushdown.TooLarge:
            continue
        told = [holds for _, holds in ENGINES["game"](model, asked).holds_at]
        if told != truth:
            found.append(f"machine {seed}: oracle {truth}, game {told}, {asked}")
    return found


def to_mu(asked: str) -> Formula:
    """A formula in the oracle's own form, from text."""
    formula = parse(asked)
    done: list[Any] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        if op == Op.VARIABLE:
            done.append(var(formula.variables[left]))
        elif op == Op.ATOM:
            done.append(("atom", formula.atoms[left]))
        elif op in (Op.TRUE, Op.FALSE):
            done.append(("true",) if op == Op.TRUE else ("false",))
        elif op in (Op.MU, Op.NU):
            done.append(("mu" if op == Op.MU else "nu", formula.variables[right], done[left]))
        elif op in (Op.DIAMOND, Op.BOX):
            done.append(("dia" if op == Op.DIAMOND else "box", None, done[left]))
        else:
            done.append((_NAMES[Op(op)], done[left], *([done[right]] if right >= 0 else [])))
    return done[-1]
