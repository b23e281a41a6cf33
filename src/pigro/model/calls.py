"""Which component calls which: the call graph, and what follows from it for each component.

And the SCCs of any graph: which nodes lie on cycles together [Tarjan1972].

Cost: linear in the edges of the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


def cycles(after: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The SCCs that have a cycle.

    >>> list(cycles([[1], [2, 3], [1], [3], [0]]))
    [[3], [2, 1]]
    """
    return (found for found in strong_components(after) if has_cycle(found, after))


def has_cycle(component: Sequence[int], after: Sequence[Sequence[int]]) -> bool:
    """Whether an SCC is more than a node that does not lead to itself."""
    return len(component) > 1 or component[0] in after[component[0]]


def strong_components(after: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """All of them, each after those it leads to. Linear. Does not recurse.

    >>> list(strong_components([[1], [2, 3], [1], [3], [0]]))
    [[3], [2, 1], [0], [4]]
    """
    count = len(after)
    order, low = [-1] * count, [count] * count
    path: list[int] = []
    """Begun, and not yet in a finished component. `low` of finished ones is `count`."""
    number = 0
    for root in range(count):
        work = [(root, 0)] if order[root] < 0 else []
        while work:
            node, at = work.pop()
            if at == 0:
                order[node] = low[node] = number
                number += 1
                path.append(node)
            else:
                low[node] = min(low[node], low[after[node][at - 1]])
            if at < len(after[node]):
                work.append((node, at + 1))
                if order[after[node][at]] < 0:
                    work.append((after[node][at], 0))
            elif low[node] == order[node]:
                found = [path.pop()]
                while found[-1] != node:
                    found.append(path.pop())
                for each in found:
                    low[each] = count
                yield found
