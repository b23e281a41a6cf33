"""What formulas of the mu-calculus mean in small structures, three times over, as sets of states.

`of_formula` goes by the formula as it was written, `of_form` by the fixpoints of its modal form, and
`of_game` by the priorities of its variables: it solves the parity game that the form plays. States
are numbers, sets of states are ints with a bit for each. All are slow and plain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic import Formula, Op, atom, box, diamond, false, mu, nu, true
from pigro.logic.modal import AND, ATOM, BOX, DIAMOND, FALSE, MU, NEGATED, NU, OR, TRUE, VAR
from pigro.logic.syntax import join

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from pigro.logic.modal import ModalForm

LABELS = ("p", "q")
ACTIONS = ("a", "b")


@dataclass(frozen=True)
class Structure:
    size: int
    steps: tuple[tuple[int, str, int], ...]
    labels: dict[str, int]
    stops: bool
    """Whether dead ends stop; else EX and AX see them repeat."""

    @property
    def all(self) -> int:
        return (1 << self.size) - 1

    @property
    def dead(self) -> int:
        return self.all & ~sum({1 << source for source, _, _ in self.steps})

    def some(self, aim: int, actions: tuple[str, ...] = ()) -> int:
        return sum(
            {1 << s for s, by, t in self.steps if aim >> t & 1 and (not actions or by in actions)}
        )

    def every(self, aim: int, actions: tuple[str, ...] = ()) -> int:
        return self.all & ~self.some(self.all & ~aim, actions)


def random_structure(rng: Random, most: int = 5) -> Structure:
    """Every third state is a dead end or so."""
    size = rng.randint(1, most)
    steps = tuple(
        (source, rng.choice(ACTIONS), rng.randrange(size))
        for source in range(size)
        for _ in range(rng.choice((0, 1, 2)))
    )
    labels = {label: rng.getrandbits(size) for label in LABELS}
    return Structure(size, steps, labels, stops=rng.random() < 0.5)


# ---- random formulas ----

PATHS = (Op.X, Op.F, Op.G, Op.U, Op.W, Op.R)
BOOLEAN = (Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.IFF)


def random_ctl(rng: Random, depth: int) -> Formula:
    return random_formula(rng, depth, modal=False)


def random_formula(
    rng: Random,
    depth: int,
    *,
    modal: bool = True,
    bound: tuple[tuple[str, bool | None], ...] = (),
    negated: bool = False,
) -> Formula:
    """`bound` are the variables, each with whether its fixpoint is negated. None if unusable."""

    def below(*, flip: bool = False, closed: bool = False) -> Formula:
        inside = tuple((name, None) for name, _ in bound) if closed else bound
        return random_formula(rng, depth - 1, modal=modal, bound=inside, negated=negated != flip)

    usable = [name for name, sign in bound if sign == negated]
    if depth == 0 or rng.random() < 0.1:
        if usable and rng.random() < 0.7:
            return atom(rng.choice(usable))
        return rng.choice([*map(atom, LABELS), *map(atom, LABELS), true(), false()])
    kind = rng.random()
    if kind < 0.1:
        return join(Op.NOT, below(flip=True))
    if kind < 0.4:
        op = rng.choice(BOOLEAN)
        closed = op in (Op.XOR, Op.IFF)
        return join(op, below(flip=op == Op.IMPLIES, closed=closed), below(closed=closed))
    if modal and kind < 0.6:
        return rng.choice((diamond, box))(below(), *rng.sample(ACTIONS, rng.randint(0, 2)))
    if modal and kind < 0.85:
        name = rng.choice([each for each in "XYZVW" if each not in dict(bound)])
        inside = (*bound, (name, negated))
        body = random_formula(rng, depth - 1, bound=inside, negated=negated)
        return rng.choice((mu, nu))(name, body)
    op = rng.choice(PATHS)
    path = join(op, below()) if op <= Op.G else join(op, below(), below())
    return join(rng.choice((Op.A, Op.E)), path)


def random_alternation(rng: Random) -> Formula:
    """Fixpoints in a row, over a body that is likely to have all their variables."""
    names = "XYZ"[: rng.randint(2, 3)]
    bound = tuple((name, False) for name in names)
    body = random_formula(rng, 2, bound=bound)
    for name in names:
        label = atom(rng.choice(LABELS))
        step = rng.choice((diamond, box))(atom(name))
        step = join(rng.choice((Op.AND, Op.OR)), step, rng.choice((label, ~label)))
        body = join(rng.choice((Op.AND, Op.OR)), step, body)
    for name in names:
        body = rng.choice((mu, nu))(name, body)
    return body


# ---- as it was written ----


def _fixpoint(start: int, step: Callable[[int], int]) -> int:
    while (following := step(start)) != start:
        start = following
    return start


def of_formula(formula: Formula, structure: Structure) -> int:
    return _Written(formula, structure).value(len(formula) - 1)


class _Written:
    def __init__(self, formula: Formula, structure: Structure) -> None:
        self.formula = formula
        self.structure = structure
        self.stands: dict[int, int] = {}

    def value(self, at: int) -> int:
        formula, structure = self.formula, self.structure
        op, left, right = formula.ops[at], formula.left[at], formula.right[at]
        if op == Op.VARIABLE:
            return self.stands[left]
        if op == Op.ATOM:
            return structure.labels.get(formula.atoms[left], 0)
        if op <= Op.FALSE:
            return structure.all if op == Op.TRUE else 0
        if op in (Op.MU, Op.NU):
            return _fixpoint(
                structure.all if op == Op.NU else 0, lambda value: self.body(left, right, value)
            )
        if op >= Op.DIAMOND:
            actions = formula.actions[right] if right >= 0 else ()
            step = structure.some if op == Op.DIAMOND else structure.every
            return step(self.value(left), actions)
        if op in (Op.A, Op.E):
            return self.path(formula.ops[left], left, some=op == Op.E)
        f = self.value(left)
        g = self.value(right) if right >= 0 else 0
        not_f = structure.all & ~f
        return {
            Op.NOT: not_f,
            Op.AND: f & g,
            Op.OR: f | g,
            Op.XOR: f ^ g,
            Op.IMPLIES: not_f | g,
            Op.IFF: not_f ^ g,
        }[Op(op)]

    def body(self, at: int, name: int, value: int) -> int:
        self.stands[name] = value
        return self.value(at)

    def path(self, op: int, at: int, *, some: bool) -> int:
        formula, structure = self.formula, self.structure
        f = self.value(formula.left[at])
        g = self.value(formula.right[at]) if formula.right[at] >= 0 else f
        dead, whole = structure.dead, structure.all
        step = structure.some if some else structure.every
        if op == Op.X:
            return step(f) if structure.stops else step(f) & ~dead | f & dead
        if op in (Op.F, Op.U):
            before = whole if op == Op.F else f
            return _fixpoint(0, lambda z: g | before & step(z) & ~dead)
        if op == Op.G:
            return _fixpoint(whole, lambda z: f & (step(z) | dead))
        if op == Op.W:
            return _fixpoint(whole, lambda z: g | f & (step(z) | dead))
        return _fixpoint(whole, lambda z: g & (f | step(z) | dead))


# ---- by fixpoints ----


def of_form(form: ModalForm, structure: Structure) -> int:
    stands: dict[int, int] = {}

    def value(at: int) -> int:
        op, left, right = form.ops[at], form.left[at], form.right[at]
        if op <= FALSE:
            return structure.all if op == TRUE else 0
        if op <= NEGATED:
            holds = structure.labels.get(form.atoms[left], 0)
            return holds if op == ATOM else structure.all & ~holds
        if op in (AND, OR):
            return value(left) & value(right) if op == AND else value(left) | value(right)
        if op in (DIAMOND, BOX):
            step = structure.some if op == DIAMOND else structure.every
            return step(value(left), form.actions[right] if right >= 0 else ())
        if op == VAR:
            return stands[at]
        assert op in (MU, NU)

        def body(found: int) -> int:
            stands[left] = found
            return value(form.left[left])

        return _fixpoint(structure.all if op == NU else 0, body)

    return value(form.root)


# ---- by priorities ----

Place = tuple[int, int]
"""A state and a node of the form."""


def of_game(form: ModalForm, structure: Structure) -> int:
    moves = {
        (state, node): _moves(form, structure, state, node)
        for state in range(structure.size)
        for node in range(len(form))
    }
    ours = {place for place in moves if form.ops[place[1]] in (FALSE, OR, DIAMOND)}
    for place in moves:  # whoever can't move loses
        state, node = place
        if form.ops[node] in (ATOM, NEGATED):
            holds = structure.labels.get(form.atoms[form.left[node]], 0) >> state & 1
            if holds != (form.ops[node] == ATOM):
                ours.add(place)
    priority = {place: form.priority[place[1]] for place in moves}
    won = _won(frozenset(moves), moves, ours, priority)
    return sum(1 << state for state in range(structure.size) if (state, form.root) in won)


def _moves(form: ModalForm, structure: Structure, state: int, node: int) -> list[Place]:
    op, left, right = form.ops[node], form.left[node], form.right[node]
    if op <= NEGATED:
        return []
    if op in (AND, OR):
        return [(state, left), (state, right)]
    if op in (DIAMOND, BOX):
        actions = form.actions[right] if right >= 0 else ACTIONS
        return [(t, left) for s, by, t in structure.steps if s == state and by in actions]
    return [(state, left)]


def _won(
    places: frozenset[Place],
    moves: dict[Place, list[Place]],
    ours: set[Place],
    priority: dict[Place, int],
) -> frozenset[Place]:
    """Where we win, by the largest priority that is seen forever: if it is even."""
    if not places:
        return places
    stuck = {place for place in places if not any(to in places for to in moves[place])}
    for us in (True, False):
        lost = frozenset(place for place in stuck if (place in ours) != us)
        if lost:  # the other one is stuck there
            area = _attracted(lost, places, moves, ours, us=us)
            rest = _won(places - area, moves, ours, priority)
            return rest | area if us else rest
    largest = max(priority[place] for place in places)
    us = largest % 2 == 0
    top = frozenset(place for place in places if priority[place] == largest)
    area = _attracted(top, places, moves, ours, us=us)
    rest = _won(places - area, moves, ours, priority)
    theirs = (places - area) - rest if us else rest
    if not theirs:
        return places if us else frozenset()
    area = _attracted(theirs, places, moves, ours, us=not us)
    rest = _won(places - area, moves, ours, priority)
    return rest if us else rest | area


def _attracted(
    aim: frozenset[Place],
    places: frozenset[Place],
    moves: dict[Place, list[Place]],
    ours: set[Place],
    *,
    us: bool,
) -> frozenset[Place]:
    found = set(aim)
    while True:
        new = {
            place
            for place in places - found
            if (inside := [to in found for to in moves[place] if to in places])
            and (any(inside) if (place in ours) == us else all(inside))
        }
        if not new:
            return frozenset(found)
        found |= new
