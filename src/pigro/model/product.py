"""The composed states of parts, one by one as they are asked for.

A composed state is a tuple of states of the parts. Its steps are made from those of the parts, as
`composition.py` says: all parts together if they share labels, and all that have the action if they
share actions. A step to a state that only may exist only may be there.

Hyper-steps are made of those of the parts, and of single steps that must be there, as products of
sets: if each part that moves must have a step to one of a set, and all tuples of their targets
exist for sure, then there is a step to one of the tuples. It is not enough that some of them do.

Cost of the steps of a state: those that there are, and for each part those of its own state.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pigro.model.agreement import CompatibleRows, Values
from pigro.model.part import FALSE, LOCAL, MUST, TAU, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.model.composition import Composition

States = tuple[int, ...]
"""Of each part, by number."""
Move = tuple[str, States, bool]
"""A step of composed states: its action, or nothing. Where it leads. Whether it must be there."""


class StatePair(NamedTuple):
    """A state of the concrete composition, and one of the abstract composition."""

    concrete: States
    abstract: States


class Product:
    """The composed states of a composition."""

    def __init__(self, composition: Composition) -> None:
        self.composition = composition
        self.parts = composition.numbered_parts
        self._columns = [{label: at for at, label in enumerate(p.atoms)} for p in self.parts]
        self._seen: dict[str, list[tuple[int, int]]] = {}
        """Of each label: the parts that see it, and in which column."""
        before: list[list[tuple[int, list[tuple[int, int]]]]] = []
        for at, columns in enumerate(self._columns):
            before.append(
                [
                    (col, list(self._seen[label]))
                    for label, col in columns.items()
                    if label in self._seen
                ]
            )
            for label, column in columns.items():
                self._seen.setdefault(label, []).append((at, column))
        self._before = before
        """Of each part: the columns of labels that parts before it see too, and where."""
        self._fitting: dict[tuple[int, int], CompatibleRows[int]] = {}
        self._steps: dict[tuple[int, int], dict[tuple[str, int], bool]] = {}
        self._moves: dict[States, list[Move]] = {}

    @property
    def initial(self) -> Iterator[tuple[States, bool]]:
        """The initial states, with whether they exist for sure."""
        return ((states, self.composition.is_sure(states)) for states in self.composition.initial)

    def value(self, states: States, label: str) -> int:
        """What a label is in a composed state. False if no part sees it."""
        values = [self.parts[at].value(states[at], col) for at, col in self._seen.get(label, ())]
        return min(values, default=FALSE)  # unknown is the largest

    def moves(self, states: States) -> list[Move]:
        """The steps of a composed state, those of the parts in order."""
        found = self._moves.get(states)
        if found is None:
            merged: dict[tuple[str, States], bool] = {}
            for action, target, movers in self.candidates(states):
                must = self.composition.is_sure(target) and all(
                    self.must(at, states[at], action, target[at]) for at in movers
                )
                merged[action, target] = merged.get((action, target), False) or must
            found = [(action, target, must) for (action, target), must in merged.items()]
            self._moves[states] = found
        return found

    def hypers(self, states: States) -> list[tuple[str, tuple[States, ...]]]:
        """The hyper-steps of a composed state: the action, and where they can lead."""
        if not any(part.hyper_of(at) for part, at in zip(self.parts, states, strict=True)):
            return []
        there = {(action, target) for action, target, _ in self.moves(states)}
        found: dict[tuple[str, tuple[States, ...]], None] = {}
        for action, movers in self._movers(states):
            sets = [
                self._must_sets(at, state, action) if at in movers else [(state,)]
                for at, state in enumerate(states)
            ]
            for choice in product(*sets):
                targets = tuple(product(*choice))
                if len(targets) > 1 and all(
                    (action, each) in there and self.composition.is_sure(each) for each in targets
                ):
                    found[action, targets] = None
        return list(found)

    def _movers(self, states: States) -> Iterator[tuple[str, Sequence[int]]]:
        """The actions, and the parts that move by each together."""
        if not self.composition.has_actions:
            yield "", range(len(self.parts))
            return
        for action in self.composition.actions:
            yield action, [at for at, p in enumerate(self.parts) if action in (p.actions or ())]
        for at, part in enumerate(self.parts):
            if any(step.by == LOCAL for step in part.hyper_of(states[at])):
                yield TAU, (at,)

    def _must_sets(self, at: int, state: int, action: str) -> list[tuple[int, ...]]:
        """Sets of states of which a part must have a step to one, by an action."""
        part = self.parts[at]
        single = [
            (to,) for by, to, must in part.steps_of(state) if must and self._is(at, by, action)
        ]
        wide = [step.targets for step in part.hyper_of(state) if self._is(at, step.by, action)]
        return [*single, *wide]

    def _is(self, at: int, by: int, action: str) -> bool:
        """Whether a number of an action of a part means an action."""
        return self.parts[at].actions is None or self.parts[at].action_name(by) == action

    def alternatives(self, at: int, state: int, action: str, target: int) -> list[tuple[int, ...]]:
        """Of each hyper-step of a part that a step belongs to: where else it can lead."""
        return [
            tuple([to for to in step.targets if to != target])
            for step in self.parts[at].hyper_of(state)
            if target in step.targets and self._is(at, step.by, action)
        ]

    def seers(self, label: str) -> list[tuple[int, int]]:
        """The parts that see a label, by number, and in which column."""
        return self._seen.get(label, [])

    def doubtful(self, states: States) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """The joint labels that are unknown in one of these states, and who sees them."""
        for label in self.composition.unsettled:
            seen = self._seen[label]
            if any(self.parts[at].value(states[at], column) == UNKNOWN for at, column in seen):
                yield label, seen

    def candidates(self, states: States) -> Iterator[tuple[str, States, Sequence[int]]]:
        """Each way to make a step: its action, where it leads, and the parts that move."""
        return self._acting(states) if self.composition.has_actions else self._together(states)

    def must(self, at: int, state: int, action: str, target: int) -> bool:
        """Whether a step of a part must be there, if it may."""
        rows = self._steps.get((at, state))
        if rows is None:
            part = self.parts[at]
            rows = self._steps[at, state] = {
                ("" if part.actions is None else part.action_name(by), to): must == MUST
                for by, to, must in part.steps_of(state)
            }
        return rows[action, target]

    def name(self, states: States) -> str:
        """A composed state for people."""
        named = zip(self.parts, states, strict=True)
        return ", ".join(f"{part.name}={part.states[state]}" for part, state in named)

    def _together(self, states: States) -> Iterator[tuple[str, States, Sequence[int]]]:
        """All parts make a step, and can agree afterwards."""
        everyone = range(len(self.parts))
        found: list[States] = [()]
        for at, state in enumerate(states):
            fitting = self._targets(at, state)
            found = [
                (*reached, target)
                for reached in found
                for target in fitting.to(self._wanted(at, reached))
            ]
        for target in found:
            yield "", target, everyone

    def _wanted(self, at: int, reached: States) -> Values:
        """What the parts before know of the labels that a part shares with them."""
        return tuple(
            [
                min([self.parts[i].value(reached[i], column) for i, column in seen])
                for _, seen in self._before[at]
            ]
        )

    def _targets(self, at: int, state: int) -> CompatibleRows[int]:
        """Where a state of a part can go, by the labels that parts before it see too."""
        found = self._fitting.get((at, state))
        if found is None:
            part, columns = self.parts[at], [column for column, _ in self._before[at]]
            found = self._fitting[at, state] = CompatibleRows(
                (tuple([part.value(target, column) for column in columns]), target)
                for _, target, _ in part.steps_of(state)
            )
        return found

    def _acting(self, states: States) -> Iterator[tuple[str, States, Sequence[int]]]:
        """The parts that have an action take it together. `tau` is taken by one alone."""
        own: list[dict[str, list[int]]] = []
        for at, (part, state) in enumerate(zip(self.parts, states, strict=True)):
            rows: dict[str, list[int]] = {}
            for by, target, _ in part.steps_of(state):
                if by == LOCAL:
                    yield TAU, (*states[:at], target, *states[at + 1 :]), (at,)
                else:
                    rows.setdefault(part.action_name(by), []).append(target)
            own.append(rows)
        for action in dict.fromkeys(name for rows in own for name in rows):
            movers = [at for at, part in enumerate(self.parts) if action in (part.actions or ())]
            choices = [
                rows.get(action, []) if at in movers else [state]
                for at, (rows, state) in enumerate(zip(own, states, strict=True))
            ]
            for reached in product(*choices):
                yield action, reached, movers
