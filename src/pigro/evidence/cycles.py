"""Which nodes of a graph lie on cycles together: its strong components [Tarjan1972]."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def cycles(after: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strong components that have a cycle. Linear; does not recurse.

    >>> list(cycles([[1], [2, 3], [1], [3], [0]]))
    [[3], [2, 1]]
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
                if len(found) > 1 or node in after[node]:
                    yield found
