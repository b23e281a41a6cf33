"""Machines whose stacks are bounded: no recursion, hence finitely many states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from oracle.machine import Box, Component, Node, labels, steps
from oracle.star_structures import Structure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from oracle.machine import Machine, State


class TooLarge(Exception):
    """A machine has more states than are wanted."""


def unfolded(
    machine: Machine, starts: Iterable[State], most: int
) -> tuple[dict[State, int], Structure]:
    """All states that these lead to, by the definition of steps: numbered, and as a structure.

    `TooLarge` if there are more than `most`.
    """
    found = list(starts)
    numbers = {state: number for number, state in enumerate(found)}
    rows = []
    for state in found:  # grows
        after = steps(machine, state)
        for each in after:
            if each not in numbers:
                numbers[each] = len(found)
                found.append(each)
        rows.append(tuple(numbers[each] for each in after))
        if len(found) > most:
            raise TooLarge
    carried = tuple(frozenset(labels(machine, state)) for state in found)
    return numbers, Structure(tuple(rows), carried, machine.dead_ends)


def cut(machine: Machine, depth: int) -> Machine:
    """The machine with a copy of each component for each stack depth, where calls from the last
    depth get stuck.
    """
    stuck = Component("stuck", (Node("s", is_entry=True, labels=("q",)),))
    components = [stuck]
    for level in range(depth + 1):
        for c in machine.components:
            boxes, edges = c.boxes, c.edges
            if level < depth:
                boxes = tuple(replace(b, component=f"{b.component}@{level + 1}") for b in boxes)
            else:
                boxes = tuple(Box(b.name, "stuck", ("s",)) for b in boxes)
                edges = tuple(
                    (s, (t[0], "s") if isinstance(t, tuple) else t)
                    for s, t in edges
                    if isinstance(s, str)
                )
            components.append(Component(f"{c.name}@{level}", c.nodes, boxes, edges))
    return replace(
        machine, components=tuple(components), initial_component=f"{machine.initial_component}@0"
    )
