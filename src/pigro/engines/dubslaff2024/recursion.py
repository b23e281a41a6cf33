"""The strongly connected components (SCCs) of the call graph: which components call each other."""

from __future__ import annotations

from pigro.model.calls import has_cycle, strong_components


def ranks(calls: dict[int, list[int]]) -> dict[int, tuple[int, bool]]:
    """For each component its rank, and whether it can call itself.

    Callees have smaller ranks than their callers, except that components which call each other
    share one.

    >>> ranks({0: [1], 1: [2, 1], 2: []})
    {2: (0, False), 1: (1, True), 0: (2, False)}
    """
    names = list(calls)
    number = {name: at for at, name in enumerate(names)}
    after = [[number[callee] for callee in callees] for callees in calls.values()]
    return {
        names[each]: (rank, has_cycle(group, after))
        for rank, group in enumerate(strong_components(after))
        for each in group
    }
