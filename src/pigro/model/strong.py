"""The strong components of a graph: which nodes lie on cycles together [Tarjan1972]."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def cycles(after: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strong components that have a cycle.

    >>> list(cycles([[1], [2, 3], [1], [3], [0]]))
    [[3], [2, 1]]
    """
    return (found for found in strong_components(after) if has_cycle(found, after))


def has_cycle(component: Sequence[int], after: Sequence[Sequence[int]]) -> bool:
    """Whether a strong component is more than a node that does not lead to itself."""
    return len(component) > 1 or component[0] in after[component[0]]


def strong_components(after: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """All of them, each after those it leads to. Linear; does not recurse.

    >>> list(strong_components([[1], [2, 3], [1], [3], [0]]))
    [[3], [2, 1], [0], [4]]
    """
    count = len(after)
    order, low = [-1] * count, [count] * count
    path: list[int] = []
    """Begun, and not yet in a finished component; `low` of finished ones is `count`."""
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
