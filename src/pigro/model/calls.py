"""Which component calls which: the call graph, and what follows from it for each component.

Cost: linear in the edges of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.model.strong import cycles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.model.rsm import RSM


@dataclass(frozen=True, slots=True)
class CallGraph:
    """By component number. Boxes that no edge leads to call nothing."""

    callees: tuple[tuple[int, ...], ...]
    """The components that each one calls, ascending, without repeats."""
    recursive: tuple[bool, ...]
    """Which can call themselves, at once or through others."""
    reachable: tuple[bool, ...]
    """Which can be running, beginning with those of the initial nodes."""


def call_graph(model: RSM) -> CallGraph:
    """The call graph of a model."""
    core = model.core
    callees = tuple(_called(model, component) for component in range(core.components))
    starts = {core.component(node) for node in model.initial}
    return CallGraph(callees, _recursive(callees), _reachable(callees, starts))


def _called(model: RSM, component: int) -> tuple[int, ...]:
    core = model.core
    if not core.boxes_of(component):
        return ()
    targets = {each for node in core.nodes_of(component) for each in core.successors(node)}
    boxes = {core.box(node) for node in targets} - {-1}
    return tuple(sorted({core.callee(box) for box in boxes}))


def _reachable(callees: Sequence[Sequence[int]], starts: Iterable[int]) -> tuple[bool, ...]:
    seen = [False] * len(callees)
    waiting = list(starts)
    while waiting:
        component = waiting.pop()
        if not seen[component]:
            seen[component] = True
            waiting += callees[component]
    return tuple(seen)


def _recursive(callees: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    """Those on a cycle."""
    on_cycles = {component for found in cycles(callees) for component in found}
    return tuple(component in on_cycles for component in range(len(callees)))
