"""Structures whose labels and steps may be unknown (KMTS), their composition, random ones.

A structure has states 0, 1, ...; in each of them every label that it sees is True, False or None
(unknown). A step is a must step or a may step only. Kripke structures know all labels and have must
steps only.

A structure without actions (`actions` is None) moves in step with the others: composed states are
tuples of states that agree on the labels that two of them see. If one of these labels is unknown, a
tuple may be a composed state or not: then steps to it are may steps only, and if it is initial, it
is so perhaps. With actions, each action is performed by all who have it in their alphabet, together,
while the others stay where they are. `tau` is performed by one alone.

A structure may also have sets: of each, one step at least is there, from one state by one action to a
state of the set. In a composition there is such a set if each performer has a set, or a must step,
which is a set of one, and all tuples of their targets are composed states for sure.

`composed` builds the whole composition, `lifted` shows what one part alone tells of it, and
`finishings` are the concrete structures that a structure can become.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

from oracle.mu_formula import TAU

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

Value = bool | None
Step = tuple[int, str, int]
STEP = ""
"""The action of all steps of a structure without actions."""


@dataclass(frozen=True)
class Structure:
    """States with labels. Steps (source, action, target), each with whether it is a must step."""

    labels: tuple[dict[str, Value], ...]
    initial: tuple[int, ...]
    steps: dict[Step, bool]
    actions: tuple[str, ...] | None = None
    atoms: tuple[str, ...] = field(default=())
    perhaps: frozenset[int] = frozenset()
    """Initial states that may be missing."""
    sets: frozenset[tuple[int, str, frozenset[int]]] = frozenset()
    """Sets of steps, of each of which one is there: source, action and targets."""

    def __post_init__(self) -> None:
        """Check what the header says. Labels that are not told are not seen."""
        if not self.atoms:
            object.__setattr__(self, "atoms", tuple(sorted(self.labels[0])))
        assert self.initial
        assert all(set(row) == set(self.atoms) for row in self.labels)
        alphabet = (STEP,) if self.actions is None else (*self.actions, TAU)
        assert all(action in alphabet for _, action, _ in self.steps)
        assert all((s, a, t) in self.steps for s, a, targets in self.sets for t in targets)

    @property
    def states(self) -> range:
        return range(len(self.labels))

    @property
    def is_concrete(self) -> bool:
        """Is nothing unknown?"""
        return all(self.steps.values()) and all(None not in row.values() for row in self.labels)

    def after(
        self, state: int, actions: Sequence[str] | None = None, *, must: bool = False
    ) -> list[int]:
        """The states one step later, by one of the actions. Only by must steps if asked for."""
        return [
            target
            for action, target, sure in self._rows[state]
            if (actions is None or action in actions) and (sure or not must)
        ]

    def sets_of(self, state: int, actions: Sequence[str] | None = None) -> list[frozenset[int]]:
        """The sets of a state by one of the actions, without must steps."""
        return [
            targets
            for source, action, targets in self.sets
            if source == state and (actions is None or action in actions)
        ]

    def must_sets(self, state: int, actions: Sequence[str] | None = None) -> list[frozenset[int]]:
        """All sets of a state: a must step is a set of one."""
        single = [frozenset((to,)) for to in self.after(state, actions, must=True)]
        return [*single, *self.sets_of(state, actions)]

    @cached_property
    def _rows(self) -> list[list[tuple[str, int, bool]]]:
        """The steps from each state."""
        rows: list[list[tuple[str, int, bool]]] = [[] for _ in self.states]
        for (source, action, target), must in self.steps.items():
            rows[source].append((action, target, must))
        return rows


def agreement(parts: Sequence[Structure], state: Sequence[int]) -> Value:
    """Do the states agree on every label that two of the parts see? None: one of these is unknown."""
    rows = [part.labels[where] for part, where in zip(parts, state, strict=True)]
    found = {
        None if None in (first[name], second[name]) else first[name] is second[name]
        for first, second in combinations(rows, 2)
        for name in first.keys() & second.keys()
    }
    return False if False in found else None if None in found else True


@dataclass(frozen=True)
class Composed:
    """A composition as one structure. `tuples` tells of which states each of its states is made."""

    whole: Structure
    tuples: tuple[tuple[int, ...], ...]


def composed(parts: Sequence[Structure]) -> Composed:
    """The whole composition, with all its states, whether reached or not."""
    synchronous = parts[0].actions is None
    assert all((part.actions is None) is synchronous for part in parts)
    everything = product(*(part.states for part in parts))
    agreeing = {state: agreement(parts, state) for state in everything}
    tuples = [state for state, agrees in agreeing.items() if agrees is not False]
    number = {state: index for index, state in enumerate(tuples)}
    steps: dict[Step, bool] = {}
    for action, performers in _performers(parts):
        for source in tuples:
            for target, must in _moves(parts, source, action, performers):
                if target in number:
                    step = (number[source], action, number[target])
                    sure = must and agreeing[target] is True
                    steps[step] = steps.get(step, False) or sure
    sets = set()
    for action, performers in _performers(parts):
        for source in tuples:
            for targets in _joint_sets(parts, source, action, performers):
                if len(targets) > 1 and all(agreeing[each] for each in targets):
                    sets.add((number[source], action, frozenset(number[t] for t in targets)))
    starts = [state for state in product(*(part.initial for part in parts)) if state in number]
    atoms = sorted({name for part in parts for name in part.atoms})
    whole = Structure(
        tuple(_row(parts, state) for state in tuples),
        tuple(number[state] for state in starts),
        steps,
        None if synchronous else tuple(sorted({a for part in parts for a in part.actions or ()})),
        tuple(atoms),
        frozenset(
            number[s] for s in starts if agreeing[s] is None or not _start_for_sure(parts, s)
        ),
        frozenset(sets),
    )
    return Composed(whole, tuple(tuples))


def are_composable(parts: Sequence[Structure]) -> bool:
    """Can some tuple of initial states agree?"""
    starts = product(*(part.initial for part in parts))
    return any(agreement(parts, state) is not False for state in starts)


def _start_for_sure(parts: Sequence[Structure], state: Sequence[int]) -> bool:
    """Are these initial states all there for sure?"""
    return all(where not in part.perhaps for part, where in zip(parts, state, strict=True))


def _row(parts: Sequence[Structure], state: Sequence[int]) -> dict[str, Value]:
    """Each label as the parts that see it know it. Known if one of them knows."""
    row: dict[str, Value] = {}
    for part, where in zip(parts, state, strict=True):
        for name, value in part.labels[where].items():
            if row.get(name) is None:
                row[name] = value
    return row


def _performers(parts: Sequence[Structure]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each action with who performs it together."""
    everyone = tuple(range(len(parts)))
    if parts[0].actions is None:
        yield STEP, everyone
        return
    for action in sorted({action for part in parts for action in part.actions or ()}):
        yield action, tuple(i for i in everyone if action in (parts[i].actions or ()))
    for i in everyone:
        yield TAU, (i,)


def _moves(
    parts: Sequence[Structure], source: tuple[int, ...], action: str, performers: Iterable[int]
) -> Iterator[tuple[tuple[int, ...], bool]]:
    """Where the performers can go together, and whether they must be able to."""
    choices: list[list[tuple[int, bool]]] = [[(state, True)] for state in source]
    for i in performers:
        choices[i] = [
            (target, must)
            for (state, name, target), must in parts[i].steps.items()
            if state == source[i] and name == action
        ]
    for choice in product(*choices):
        yield tuple(target for target, _ in choice), all(must for _, must in choice)


def _joint_sets(
    parts: Sequence[Structure], source: tuple[int, ...], action: str, performers: Iterable[int]
) -> Iterator[set[tuple[int, ...]]]:
    """The products of sets, one of each performer."""
    choices: list[list[frozenset[int]]] = [[frozenset((state,))] for state in source]
    for i in performers:
        choices[i] = parts[i].must_sets(source[i], (action,))
    for choice in product(*choices):
        yield set(product(*choice))


def reached(composition: Composed) -> Composed:
    """Only what may be reached from the initial states."""
    whole = composition.whole
    seen = list(dict.fromkeys(whole.initial))
    for state in seen:
        seen += [target for target in dict.fromkeys(whole.after(state)) if target not in seen]
    return Composed(restricted(whole, seen), tuple(composition.tuples[state] for state in seen))


def restricted(structure: Structure, kept: Sequence[int]) -> Structure:
    """The structure with these states alone, renumbered in this order."""
    number = {state: index for index, state in enumerate(kept)}
    return replace(
        structure,
        labels=tuple(structure.labels[state] for state in kept),
        initial=tuple(number[state] for state in structure.initial if state in number),
        steps={
            (number[source], action, number[target]): must
            for (source, action, target), must in structure.steps.items()
            if source in number and target in number
        },
        perhaps=frozenset(number[state] for state in structure.perhaps if state in number),
        sets=frozenset(
            (number[source], action, frozenset(number[to] for to in targets))
            for source, action, targets in structure.sets
            if source in number and targets <= number.keys()
        ),
    )


def lifted(parts: Sequence[Structure], index: int) -> Structure:
    """What the part alone tells of the composition: labels of others and their steps are unknown.

    Its initial states are those that can occur in an initial state of the composition. Those
    that occur in none for sure are perhaps initial.
    """
    part = parts[index]
    others = [other for i, other in enumerate(parts) if i != index]
    if not others:
        return part
    atoms = sorted({name for each in parts for name in each.atoms})
    sets = frozenset()
    if part.actions is None:
        steps = dict.fromkeys(part.steps, False)
        alphabet = None
    else:
        theirs = {action for other in others for action in other.actions or ()}
        idle = theirs - set(part.actions)
        idle |= {TAU for other in others for _, action, _ in other.steps if action == TAU}
        steps = {(state, action, state): False for state in part.states for action in idle}
        for (source, action, target), must in part.steps.items():
            steps[source, action, target] = must and action not in theirs
        alphabet = tuple(sorted({*theirs, *part.actions}))
        sets = frozenset(each for each in part.sets if each[1] not in theirs)
    starts = {state: agreement(parts, state) for state in product(*(p.initial for p in parts))}
    initial = {state[index] for state, agrees in starts.items() if agrees is not False}
    sure = {state[index] for state, agrees in starts.items() if agrees}
    return Structure(
        tuple({name: row.get(name) for name in atoms} for row in part.labels),
        tuple(sorted(initial)),
        steps,
        alphabet,
        tuple(atoms),
        frozenset(initial - sure),
        sets,
    )


def finishings(structure: Structure) -> Iterator[Structure]:
    """All that it can become: each unknown label true or false, each may step there or not.

    Of each set one step at least is there.
    """
    labels = [(s, name) for s in structure.states for name in structure.atoms]
    unknown = [(s, name) for s, name in labels if structure.labels[s][name] is None]
    sure = [step for step, must in structure.steps.items() if must]
    perhaps = [step for step, must in structure.steps.items() if not must]
    for values in product((False, True), repeat=len(unknown)):
        rows = tuple(dict(row) for row in structure.labels)
        for (state, name), value in zip(unknown, values, strict=True):
            rows[state][name] = value
        for there in product((False, True), repeat=len(perhaps)):
            steps = [
                *sure,
                *(step for step, is_there in zip(perhaps, there, strict=True) if is_there),
            ]
            if all(any((s, a, to) in steps for to in goals) for s, a, goals in structure.sets):
                known = dict.fromkeys(steps, True)
                yield replace(structure, labels=rows, steps=known, sets=frozenset())


def count_finishings(parts: Sequence[Structure]) -> int:
    """How many ways there are to finish all parts, if there are no sets. At most, if there are."""
    unknown = sum(list(row.values()).count(None) for part in parts for row in part.labels)
    return 2 ** (unknown + sum(list(part.steps.values()).count(False) for part in parts))


def random_abstraction(
    rng: Random, structure: Structure, kept: Sequence[str] = ()
) -> tuple[Structure, tuple[int, ...]]:
    """Some states merged, never two that differ in a label of `kept`, and where each state went."""
    rows = [tuple(row[name] for name in kept) for row in structure.labels]
    colours = [(row, rng.randrange(3)) for row in rows]
    numbers = {colour: index for index, colour in enumerate(dict.fromkeys(colours))}
    block = tuple(numbers[colour] for colour in colours)
    members = [[s for s in structure.states if block[s] == b] for b in range(len(numbers))]
    steps: dict[Step, bool] = {}
    for source, action, target in structure.steps:
        key = (block[source], action, block[target])
        steps[key] = all(
            any(block[t] == key[2] for t in structure.after(s, (action,), must=True))
            for s in members[key[0]]
        )
    labels = tuple(
        {name: _common(structure.labels[s][name] for s in states) for name in structure.atoms}
        for states in members
    )
    initial = tuple(sorted({block[state] for state in structure.initial}))
    return Structure(labels, initial, steps, structure.actions, structure.atoms), block


def _common(values: Iterable[Value]) -> Value:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def mixed_simulation(concrete: Structure, abstract: Structure) -> set[tuple[int, int]]:
    """The greatest mixed simulation: which states of `abstract` stand for which of `concrete`."""
    related = {
        (s, t)
        for s in concrete.states
        for t in abstract.states
        if all(v is None or v is concrete.labels[s][name] for name, v in abstract.labels[t].items())
    }

    actions = {action for _, action, _ in abstract.steps}

    def kept(s: int, t: int) -> bool:
        return all(
            any((s2, t2) in related for t2 in abstract.after(t, (action,)))
            for (source, action, s2) in concrete.steps
            if source == s
        ) and all(
            any(
                all(any((s2, t2) in related for t2 in theirs) for s2 in ours)
                for ours in concrete.must_sets(s, (action,))
            )
            for action in actions
            for theirs in abstract.must_sets(t, (action,))
        )

    while True:
        fewer = {pair for pair in related if kept(*pair)}
        if fewer == related:
            return related
        related = fewer


@dataclass(frozen=True)
class Shape:
    """What random parts look like: inclusive ranges of counts, and chances."""

    parts: tuple[int, int] = (2, 2)
    states: tuple[int, int] = (1, 6)
    targets: tuple[int, int] = (1, 3)  # steps from a state that is no dead end
    joint: tuple[int, int] = (0, 2)  # labels or actions that several parts have
    local: tuple[int, int] = (0, 2)  # labels (or actions) of one part alone
    label: float = 0.5
    dead_end: float = 0.08
    more_initial: float = 0.2
    unknown: float = 0.0  # of a label
    may: float = 0.0  # of a step
    tau: float = 0.25  # of a step of a part with actions


KRIPKE = Shape()
KMTS = replace(KRIPKE, states=(1, 5), unknown=0.2, may=0.3)
THREE = replace(KRIPKE, parts=(3, 3), states=(1, 4))


def random_parts(rng: Random, shape: Shape = KRIPKE) -> tuple[Structure, ...]:
    """Composable parts without actions."""
    while True:
        sees = _shares(rng, shape, "j", "l")
        parts = tuple(
            _random_part(rng, rng.randint(*shape.states), atoms, None, shape) for atoms in sees
        )
        if are_composable(parts):
            return parts


def random_lts(rng: Random, shape: Shape = KRIPKE, *, labels: bool = True) -> tuple[Structure, ...]:
    """Parts with actions, and maybe labels of their own."""
    alphabets = _shares(rng, replace(shape, joint=(shape.joint[0], 3)), "a", "b")
    return tuple(
        _random_part(
            rng,
            rng.randint(*shape.states),
            tuple(f"l{index}{i}" for i in range(rng.randint(*shape.local) if labels else 0)),
            alphabet,
            shape,
        )
        for index, alphabet in enumerate(alphabets)
    )


def _shares(rng: Random, shape: Shape, joint: str, local: str) -> list[tuple[str, ...]]:
    """For each part the names it has: joint ones, had by two parts at least, and its own."""
    count = rng.randint(*shape.parts)
    names: list[list[str]] = [[] for _ in range(count)]
    for number in range(rng.randint(*shape.joint) if count > 1 else 0):
        for index in rng.sample(range(count), rng.randint(2, count)):
            names[index].append(f"{joint}{number}")
    for index, each in enumerate(names):
        each += [f"{local}{index}{number}" for number in range(rng.randint(*shape.local))]
    return [tuple(sorted(each)) for each in names]


def _random_part(
    rng: Random, count: int, atoms: tuple[str, ...], actions: tuple[str, ...] | None, shape: Shape
) -> Structure:
    states = range(count)

    def value() -> Value:
        return None if rng.random() < shape.unknown else rng.random() < shape.label

    def action() -> str:
        if actions is None:
            return STEP
        return TAU if not actions or rng.random() < shape.tau else rng.choice(actions)

    steps: dict[Step, bool] = {}
    for state in states:
        if state and rng.random() < 0.8:
            steps[rng.randrange(state), action(), state] = rng.random() >= shape.may
        if rng.random() >= shape.dead_end:
            for _ in range(rng.randint(*shape.targets)):
                steps[state, action(), rng.choice(states)] = rng.random() >= shape.may
    initial = {0}
    if rng.random() < shape.more_initial:
        initial |= {rng.choice(states) for _ in range(2)}
    return Structure(
        tuple({name: value() for name in atoms} for _ in states),
        tuple(sorted(initial)),
        steps,
        actions,
        atoms,
    )


def with_sets(rng: Random, structure: Structure, chance: float = 0.5) -> Structure:
    """The same with some sets: of two or three steps from a state by one action, of any kind."""
    rows: dict[tuple[int, str], list[int]] = {}
    for source, action, target in structure.steps:
        rows.setdefault((source, action), []).append(target)
    sets = set()
    for (source, action), targets in rows.items():
        while len(targets) > 1 and rng.random() < chance:
            size = rng.randint(2, min(3, len(targets)))
            sets.add((source, action, frozenset(rng.sample(targets, size))))
    return replace(structure, sets=frozenset(sets))


def names_in(parts: Sequence[Structure]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All labels, and all actions with `TAU` (none for parts without actions), for random formulas."""
    atoms = tuple(sorted({name for part in parts for name in part.atoms}))
    if parts[0].actions is None:
        return atoms, ()
    actions = sorted({action for part in parts for action in part.actions or ()})
    return atoms, (*actions, TAU)


def value_at_start(structure: Structure, values: Sequence[Value]) -> Value:
    """The value in all initial states: true in all, false in one that is sure, or else unknown."""
    if any(
        values[state] is False and state not in structure.perhaps for state in structure.initial
    ):
        return False
    return True if all(values[state] is True for state in structure.initial) else None
