"""The mu-calculus on recursive state machines, by the finite parity game of [Walukiewicz2001].

A place is a frame with a state in it: a frame is a box, or None for the empty stack, and the state has
the frame on its stack, and one more box if a call has just begun there. Steps are those of
`oracle.machine.steps`, THE definition.

An outcome of a frame is an exit, the modality that is asked there, and the largest priority since the
call. At a call, Eloise says which outcomes of the callee she wins. Abelard either believes her and
goes inside, where just these outcomes are won, or asks for one of them, after the call. All sets of
the outcomes that can come are tried, so this is for small machines only: others are `TooLarge`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from oracle.machine import TERMINATED, Machine, State, component_of, initial_states, labels, steps
from oracle.mu_formula import Formula, everything_in, operands, pnf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Frame = tuple[str, str] | None
Place = tuple[Frame, State]
Outcome = tuple[Any, int, int]
"""A node, a subformula and a priority."""
Position = tuple[Any, ...]
"""("at", place, subformula, outcomes that are won, largest priority since the call), or the same with
"inside" and a set of outcomes that Eloise claims to win, or with "after" and a priority, or ("won",)
or ("lost",). Places and subformulas are numbers."""
WON: Position = ("won",)
LOST: Position = ("lost",)
MOST_OUTCOMES = 6


class TooLarge(Exception):
    """There are too many outcomes or positions to try."""


def decide(machine: Machine, formula: Formula) -> bool:
    """Whether a formula of the mu-calculus holds in all initial states."""
    return all(holds_at(machine, formula))


def holds_at(machine: Machine, formula: Formula, most: int = 20_000) -> list[bool]:
    """Whether it holds in each initial state; with more positions than `most` it is `TooLarge`."""
    game = _Game(machine, pnf(formula), most)
    starts: list[Position] = [
        ("at", game.place((None, state)), 0, frozenset(), 0) for state in initial_states(machine)
    ]
    moves = game.explored(starts)
    won = _won(moves, game)
    return [start in won for start in starts]


@dataclass
class _Game:
    machine: Machine
    formula: Formula
    most: int
    numbers: dict[Place, int] = field(default_factory=dict)
    places: list[Place] = field(default_factory=list)
    kinds: list[tuple[bool, bool]] = field(default_factory=list)
    """Of each place: whether a call begins there, of an entry that is no exit, and whether the
    frame ends there."""
    next: list[list[int] | None] = field(default_factory=list)
    summaries: dict[tuple[int, int], set[Outcome]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.formulas = list(dict.fromkeys(everything_in(self.formula)))
        number = {f: at for at, f in enumerate(self.formulas)}
        bodies = {f[1]: number[f[2]] for f in self.formulas if f[0] in ("mu", "nu")}
        self.kind = [f[0] for f in self.formulas]
        self.inside: list[list[int]] = []
        for f in self.formulas:
            if f[0] == "var":
                self.inside.append([bodies[f[1]]])
            elif f[0] in ("mu", "nu"):
                self.inside.append(
                    [number["var", f[1]]] if ("var", f[1]) in number else [number[f[2]]]
                )
            else:
                self.inside.append([] if f[0] == "not" else [number[g] for g in operands(f)])
        priorities: dict[str, int] = {}
        for f in reversed([g for g in everything_in(self.formula) if g[0] in ("mu", "nu")]):
            names = [g[1] for g in everything_in(f[2]) if g[0] in ("mu", "nu")]
            least = max((priorities[name] for name in names), default=0)
            priorities[f[1]] = least + (least % 2 != (f[0] == "mu"))
        self.priority = [priorities[f[1]] if f[0] == "var" else 0 for f in self.formulas]

    def place(self, place: Place) -> int:
        """The number of a place."""
        if place not in self.numbers:
            self.numbers[place] = len(self.places)
            self.places.append(place)
            self.next.append(None)
            frame, state = place
            stack, node = state
            leaves = (
                bool(stack)
                and isinstance(node, str)
                and state != TERMINATED
                and component_of(self.machine, stack).node[node].is_exit
            )
            deeper = len(stack) > (frame is not None) and state != TERMINATED
            self.kinds.append((deeper and not leaves, not deeper and leaves))
        return self.numbers[place]

    def steps(self, place: int) -> list[int]:
        found = self.next[place]
        if found is None:
            frame, state = self.places[place]
            found = self.next[place] = [
                self.place((frame, after)) for after in steps(self.machine, state)
            ]
        return found

    def explored(self, starts: Iterable[Position]) -> dict[Position, list[Position]]:
        """All positions with their moves."""
        found: dict[Position, list[Position]] = {}
        pending = list(starts)
        while pending:
            position = pending.pop()
            if position not in found:
                found[position] = self.moves(position)
                pending += found[position]
            if len(found) > self.most:
                raise TooLarge
        return found

    def moves(self, position: Position) -> list[Position]:
        if position in (WON, LOST):
            return []
        kind, place, f, won, seen = position[:5]
        if kind == "inside":  # Abelard: go in, or ask for one outcome
            entered = ("at", self.inner(place), f, position[5], self.priority[f])
            return [entered] + [
                ("after", self.exit(place, node), modality, won, max(seen, priority), priority)
                for node, modality, priority in position[5]
            ]
        calls, leaves = self.kinds[place]
        if kind == "at" and calls:
            return [("inside", *position[1:], frozenset(each)) for each in self.claims(place, f)]
        if leaves and self.kind[f] in ("dia", "box"):
            return [WON if (self.places[place][1][1], f, seen) in won else LOST]
        return [
            ("at", after, g, won, max(seen, self.priority[g])) for after, g in self.after(place, f)
        ]

    def after(self, place: int, f: int) -> list[tuple[int, int]]:
        """Where a play goes on. Nowhere for labels."""
        if self.kind[f] in ("dia", "box"):
            return [(after, self.inside[f][0]) for after in self.steps(place)]
        return [(place, g) for g in self.inside[f]]

    def inner(self, place: int) -> int:
        """The place of a call, seen from inside."""
        stack, node = self.places[place][1]
        return self.place((stack[-1], (stack[-1:], node)))

    def exit(self, place: int, node: Any) -> int:
        """Where the call at a place leaves by an exit, seen from outside."""
        frame, (stack, _) = self.places[place]
        return self.place((frame, (stack, node)))

    def owner(self, position: Position) -> bool:
        """Whether it is Eloise's turn: she loses where she can't move."""
        if position in (WON, LOST) or position[0] == "inside":
            return position == LOST
        place, f = position[1:3]
        if position[0] == "at" and self.kinds[place][0]:
            return True
        if self.kind[f] in ("atom", "not"):
            plain = self.kind[f] == "atom"
            name = self.formulas[f][1] if plain else self.formulas[f][1][1]
            return (name in labels(self.machine, self.places[place][1])) != plain
        return self.kind[f] in ("false", "or", "dia")

    def priority_at(self, position: Position) -> int:
        if position[0] == "after":
            return position[5]
        if position[0] != "at" or self.kinds[position[1]][0]:
            return 0
        return self.priority[position[2]]

    def claims(self, place: int, f: int) -> Iterator[tuple[Outcome, ...]]:
        """All that Eloise can say about a call."""
        can_come = sorted(self.summary(self.inner(place), f))
        if len(can_come) > MOST_OUTCOMES:
            raise TooLarge
        sizes = range(len(can_come) + 1)
        return chain.from_iterable(combinations(can_come, size) for size in sizes)

    def summary(self, place: int, f: int) -> set[Outcome]:
        """The outcomes that some play from the first place of a frame can have."""
        key = (place, f)
        if key in self.summaries:
            return self.summaries[key]
        found: dict[tuple[int, int], set[Outcome]] = {key: set()}
        size = -1
        while size != (size := len(found) + sum(map(len, found.values()))):
            for each in list(found):
                found[each] |= self.summary_round(each, found)
        self.summaries |= found
        return found[key]

    def summary_round(
        self, key: tuple[int, int], found: dict[tuple[int, int], set[Outcome]]
    ) -> set[Outcome]:
        result: set[Outcome] = set()
        first = (*key, self.priority[key[1]])
        pending, known = [first], {first}
        while pending:
            place, f, seen = pending.pop()
            calls, leaves = self.kinds[place]
            after: list[tuple[int, int, int]] = []
            if calls:
                inner = (self.inner(place), f)
                outcomes = found.setdefault(inner, set(self.summaries.get(inner, ())))
                after = [
                    (to, g, max(seen, priority))
                    for node, modality, priority in outcomes
                    for to, g in self.after(self.exit(place, node), modality)
                ]
            elif leaves and self.kind[f] in ("dia", "box"):
                result.add((self.places[place][1][1], f, seen))
            else:
                after = [(to, g, seen) for to, g in self.after(place, f)]
            for to, g, most in after:
                each = (to, g, max(most, self.priority[g]))
                if each not in known:
                    known.add(each)
                    pending.append(each)
        return result


def _won(moves: dict[Position, list[Position]], game: _Game) -> set[Position]:
    """Where Eloise wins, by [Zielonka1998]."""
    before: dict[Position, list[Position]] = {position: [] for position in moves}
    for position, row in moves.items():
        for to in row:
            before[to].append(position)
    ours = {position for position in moves if game.owner(position)}
    priority = {position: game.priority_at(position) for position in moves}

    def attracted(aim: set[Position], inside: set[Position], *, us: bool) -> set[Position]:
        found, pending = set(aim), list(aim)
        left: dict[Position, int] = {}
        while pending:
            for position in before[pending.pop()]:
                if position not in inside or position in found:
                    continue
                if (position in ours) != us:
                    if position not in left:
                        left[position] = sum(to in inside for to in moves[position])
                    left[position] -= 1
                    if left[position]:
                        continue
                found.add(position)
                pending.append(position)
        return found

    def solve(inside: set[Position]) -> set[Position]:
        if not inside:
            return set()
        largest = max(priority[position] for position in inside)
        us = largest % 2 == 0
        area = attracted({p for p in inside if priority[p] == largest}, inside, us=us)
        rest = solve(inside - area)
        theirs = (inside - area) - rest if us else rest
        if not theirs:
            return set(inside) if us else set()
        area = attracted(theirs, inside, us=not us)
        rest = solve(inside - area)
        return rest if us else rest | area

    everything = set(moves)
    stuck = {position for position, row in moves.items() if not row}
    lost = attracted(stuck & ours, everything, us=False)
    good = attracted(stuck - ours, everything, us=True)
    return good | solve(everything - lost - good)
