"""Random machines with formulas of the mu-calculus, asked of the oracle and of the engine `game`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from pigro import compose_check
from pigro.engines import ENGINES
from pigro.logic import Op, parse
from pigro.model import DeadEnds
from pigro.model.kripke_part import part_of

from oracle import mu_pushdown
from oracle.formula import to_text
from oracle.generate import PROFILES, is_lively, random_formula, random_machine
from oracle.mu_formula import Formula, Shape, random_mu, text, var
from support.agreement.ctl import FORMULAS, as_model

if TYPE_CHECKING:
    from oracle.machine import Machine

_NAMES = {Op.NOT: "not", Op.AND: "and", Op.OR: "or", Op.IMPLIES: "implies"}
_SMALL = {
    name: replace(PROFILES[name], components=(1, 3), exits=(0, 2), inner=(0, 3), boxes=(0, 2))
    for name in ("default", "tiny", "recursive", "ragged", "oneliners", "rsmcheck")
}


def mu_case(seed: int) -> tuple[Machine, list[Formula]]:
    """Machine number `seed`, small, and questions with up to four fixpoints in a row."""
    rng = Random(seed)
    shape = rng.choice(list(_SMALL.values()))
    for _ in range(
        rng.randint(1, 8)
    ):  # most random machines never return from a call: often insist
        machine = random_machine(rng, shape)
        if is_lively(machine):
            break
    if rng.random() < 0.15:
        machine = replace(machine, semantics="rmv")
    return machine, [random_mu_formula(rng) for _ in range(FORMULAS)]


def random_mu_formula(rng: Random) -> Formula:
    """With up to four priorities, or with fixpoints inside each other as in CTL."""
    if rng.random() < 0.3:
        return random_mu(rng, ("p", "q"), rng.randint(2, 9), shape=Shape(modality=0.35))
    if rng.random() < 0.3:
        return _nested(rng, rng.randint(1, 3), "X")
    names = [f"X{i}" for i in range(rng.randint(1, 4))]
    body = _body(rng, names, rng.randint(1, 5))
    kind = rng.choice(("mu", "nu"))
    for name in names:
        body = (kind, name, body)
        kind = rng.choice(("mu", "nu", "mu" if kind == "nu" else "nu"))
    return body


def _nested(rng: Random, depth: int, name: str) -> Formula:
    """Fixpoints inside each other that do not depend on each other, as in CTL."""
    label: Formula = ("atom", rng.choice("pq"))
    inside = label if rng.random() < 0.7 else ("not", label)
    if depth > 0:
        both = [_nested(rng, depth - 1, f"{name}{i}") for i in range(rng.randint(1, 2))]
        inside = (rng.choice(("and", "or")), *both) if len(both) > 1 else both[0]
        inside = (rng.choice(("and", "or")), inside, label) if rng.random() < 0.4 else inside
    step = (rng.choice(("dia", "box")), None, var(name))
    kinds = rng.choice((("mu", "or"), ("nu", "and"), ("mu", "or"), ("nu", "or")))
    return (kinds[0], name, (kinds[1], inside, step))


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


def mu_disagreements(seed: int, most: int = 20_000) -> tuple[int, list[str]]:
    """Case `seed`: how many questions were compared, and a line for each that differs.

    Questions with more positions than `most` are left out.
    """
    machine, formulas = mu_case(seed)
    model = as_model(machine)
    compared, found = 0, []
    for formula in formulas:
        asked = parse(text(formula))
        try:
            truth = mu_pushdown.holds_at(machine, formula, most)
        except mu_pushdown.TooLarge:
            continue
        compared += 1
        told = [holds for _, holds in ENGINES["game"](model, asked).starts]
        if told != truth:
            found.append(f"machine {seed}: oracle {truth}, game {told}, {asked}")
    return compared, found


def ctl_disagreements(seed: int) -> list[str]:
    """Machine number `seed`: a line for each formula of CTL that `demand` decides otherwise."""
    rng = Random(seed)
    model = as_model(random_machine(rng, rng.choice(list(PROFILES.values()))))
    asked = [parse(to_text(random_formula(rng))) for _ in range(FORMULAS)]
    found = {
        name: [verdict.starts for verdict in ENGINES[name].check_all(model, asked)]
        for name in ("demand", "game")
    }
    return [
        f"machine {seed}: demand {one}, game {other}, {formula}"
        for formula, one, other in zip(asked, found["demand"], found["game"], strict=True)
        if one != other
    ]


def part_disagreements(seed: int) -> list[str]:
    """A machine without calls: a line for each formula on which the game on its part differs."""
    rng = Random(seed)
    model = as_model(random_machine(rng, PROFILES["default"], components=(1, 1), boxes=(0, 0)))
    stop = model.dead_ends is DeadEnds.STOP
    looped, plain = part_of(model, stutter=not stop), part_of(model, stutter=False)
    found = []
    for _ in range(FORMULAS):
        asked = text(random_mu_formula(rng))
        as_ctl = asked.replace("<>", "EX").replace("[]", "AX")
        one = ENGINES["game"](model, parse(asked)).holds
        others = (
            compose_check(looped, asked, dead_ends="stop").holds,
            compose_check(plain, as_ctl, dead_ends=str(model.dead_ends)).holds,
        )
        found += [
            f"machine {seed}: game {one}, its part {other}, {asked}"
            for other in others
            if one is not other
        ]
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
