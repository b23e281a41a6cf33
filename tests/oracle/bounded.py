"""Machines whose stacks are bounded: no recursion, hence finitely many states."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from oracle.machine import Box, Component, Node

if TYPE_CHECKING:
    from oracle.machine import Machine


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
