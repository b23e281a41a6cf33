"""Finite Kripke structures: what they are, all small ones, and random ones.

`all_structures(3, ("p", "q"), "stutter")` yields every structure with exactly three states, except
those with a state that can't be reached (without it they are smaller structures) and those that
differ from another only by the names of the states after the first, which is the initial one.

How many there are with labels p and q: 8 of one state, 128 of two, 8,320 of three.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING

from oracle.machine import Component, Machine, Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from oracle.machine import DeadEnds

Row = tuple[int, ...]


@dataclass(frozen=True)
class Structure:
    """States 0, 1, ... with their successors and labels. State 0 is the initial one."""

    successors: tuple[Row, ...]
    labels: tuple[frozenset[str], ...]
    dead_ends: DeadEnds = "stutter"

    def after(self, state: int) -> Row:
        """The states one step later. Empty only at dead ends under `stop`."""
        targets = self.successors[state]
        return (state,) if not targets and self.dead_ends == "stutter" else targets

    @property
    def has_dead_end(self) -> bool:
        """Is there a state without successors, however it is read?"""
        return not all(self.successors)

    @property
    def names(self) -> list[str]:
        """The names of the states where they need names."""
        return [f"s{state}" for state in range(len(self.successors))]


def structure_from(text: str, dead_ends: DeadEnds = "stutter") -> Structure:
    """A structure written as `0:p,q > 1 2; 1 > 0; 2:p`, states in order."""
    successors, labels = [], []
    for part in text.split(";"):
        head, _, targets = part.partition(">")
        names = head.partition(":")[2].strip()
        labels.append(frozenset(names.split(",")) if names else frozenset())
        successors.append(tuple(map(int, targets.split())))
    return Structure(tuple(successors), tuple(labels), dead_ends)


def as_machine(structure: Structure) -> Machine:
    """The structure as a machine without calls, for the procedures that take machines."""
    names = structure.names
    nodes = tuple(
        Node(name, labels=tuple(sorted(labels)))
        for name, labels in zip(names, structure.labels, strict=True)
    )
    edges = tuple(
        (names[source], names[target])
        for source, targets in enumerate(structure.successors)
        for target in targets
    )
    component = Component("main", nodes, edges=edges)
    return Machine((component,), "main", (names[0],), structure.dead_ends)


def all_structures(states: int, labels: Sequence[str], dead_ends: DeadEnds) -> Iterator[Structure]:
    """Every structure of that many states, each once. See the module's header."""
    everyone = range(states)
    rows = list(_subsets(everyone))
    kinds = [frozenset(kind) for kind in _subsets(labels)]
    renamings = [(0, *rest) for rest in permutations(everyone[1:])]
    for edges in product(rows, repeat=states):
        renamed = [(_renamed(edges, new), new) for new in renamings]
        if not _all_reached(edges) or any(other < edges for other, _ in renamed):
            continue
        same = [new for other, new in renamed if other == edges]
        for numbers in product(range(len(kinds)), repeat=states):
            if all(numbers <= tuple(numbers[old] for old in new) for new in same):
                yield Structure(edges, tuple(kinds[number] for number in numbers), dead_ends)


def _subsets(items: Sequence) -> Iterator[tuple]:
    return chain.from_iterable(combinations(items, count) for count in range(len(items) + 1))


def _renamed(edges: tuple[Row, ...], old: Row) -> tuple[Row, ...]:
    """The edges when state i is what state `old[i]` was."""
    new = [old.index(state) for state in range(len(old))]
    return tuple(tuple(sorted(new[target] for target in edges[state])) for state in old)


def _all_reached(edges: tuple[Row, ...]) -> bool:
    seen = [0]
    for state in seen:
        seen += [target for target in edges[state] if target not in seen]
    return len(seen) == len(edges)


def random_structure(rng: Random, most: int, labels: Sequence[str]) -> Structure:
    """A structure of up to `most` states, mostly reached, with dead ends and in any reading."""
    states = range(rng.randint(1, most))
    rows: list[set[int]] = [set() for _ in states]
    for state in states:
        if state and rng.random() < 0.9:
            rows[rng.randrange(state)].add(state)
        if rng.random() < 0.6:
            rows[state] |= {rng.choice(states) for _ in range(rng.randint(1, 2))}
    return Structure(
        tuple(tuple(sorted(row)) for row in rows),
        tuple(frozenset(name for name in labels if rng.random() < 0.4) for _ in states),
        rng.choice(("stutter", "stop")),
    )
