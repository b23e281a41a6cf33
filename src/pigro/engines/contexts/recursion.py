"""Which components call each other: the strong components of the call graph [Tarjan1972]."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class _Search:
    calls: dict[int, list[int]]
    low: dict[int, int] = field(default_factory=dict)
    open: list[int] = field(default_factory=list)
    done: dict[int, tuple[int, bool]] = field(default_factory=dict)
    groups: int = 0


def ranks(calls: dict[int, list[int]]) -> dict[int, tuple[int, bool]]:
    """For each component its rank, and whether it can call itself.

    Callees have smaller ranks than their callers, except that components which call each other
    share one.

    >>> ranks({0: [1], 1: [2, 1], 2: []})
    {2: (0, False), 1: (1, True), 0: (2, False)}
    """
    search = _Search(calls)
    for start in calls:
        if start not in search.low:
            _visit(search, start)
    return search.done


def _visit(search: _Search, start: int) -> None:
    """Depth first, with a stack of its own."""
    low, done = search.low, search.done
    path = [(start, iter(search.calls[start]), _open(search, start))]
    while path:
        at, rest, index = path[-1]
        for callee in rest:
            if callee not in low:
                path.append((callee, iter(search.calls[callee]), _open(search, callee)))
                break
            if callee not in done:
                low[at] = min(low[at], low[callee])
        else:
            path.pop()
            if low[at] == index:
                _close(search, at)
            if path and at not in done:
                caller = path[-1][0]
                low[caller] = min(low[caller], low[at])


def _open(search: _Search, component: int) -> int:
    index = search.low[component] = len(search.low)
    search.open.append(component)
    return index


def _close(search: _Search, root: int) -> None:
    group = [search.open.pop()]
    while group[-1] != root:
        group.append(search.open.pop())
    recursive = len(group) > 1 or root in search.calls[root]
    for each in group:
        search.done[each] = (search.groups, recursive)
    search.groups += 1
