"""The call graph around a component, with recursive groups folded.

A recursive group is an SCC of the call graph with a cycle. It is one place of the map unless it is
open, or has the chosen component. Only places near the chosen component are told, so that the map
of a large model stays small.

Cost: linear in the boxes of the model, once. Then linear in the places that are looked at.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.model.calls import strong_components

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pigro.model import RSM

MOST = 40
"""Places of a map."""
_STEPS = 2
_LISTED = 12
"""Components of a folded group that are named."""
_FANS = 200
"""Callers or callees of one place that are looked at."""


@dataclass(frozen=True, slots=True)
class CallMap:
    """Who calls whom, by the numbers of components."""

    model: RSM
    callees: list[list[int]]
    callers: list[list[int]]
    sizes: list[int]
    """Declared nodes of each component."""
    group: list[int]
    """Of each component: its recursive group, -1 if it is in none."""
    members: list[list[int]]
    """Of each recursive group."""

    @classmethod
    def of(cls, model: RSM) -> CallMap:
        """The map of a model. Boxes that no edge leads to count too."""
        arrays = model.core.arrays()
        called = array("i", arrays["box_callee"])
        offsets = array("i", arrays["box_offsets"])
        callees = [sorted({*called[first:end]}) for first, end in pairwise(offsets)]
        callers: list[list[int]] = [[] for _ in callees]
        for caller, row in enumerate(callees):
            for callee in row:
                callers[callee].append(caller)
        group = [-1] * len(callees)
        members: list[list[int]] = []
        for found in strong_components(callees):
            if len(found) > 1 or found[0] in callees[found[0]]:
                for component in found:
                    group[component] = len(members)
                members.append(sorted(found))
        nodes = array("i", arrays["component_offsets"])
        return cls(model, callees, callers, [b - a for a, b in pairwise(nodes)], group, members)

    def near(self, chosen: int, opened: frozenset[int]) -> dict[str, object]:
        """The places around a component, and the calls between them."""
        opened |= {self.group[chosen]}
        found = {chosen: None}
        last = list(found)
        for _ in range(_STEPS):
            after = []
            for place in last:
                for other in self._around(place, opened):
                    if other not in found and len(found) < MOST:
                        found[other] = None
                        after.append(other)
            last = after
        edges = {
            (place, to)
            for place in found
            for to in self._next(place, opened, self.callees)
            if to in found and to != place
        }
        places = [self._told(place) for place in found]
        more = any(other not in found for place in found for other in self._around(place, opened))
        return {"chosen": chosen, "places": places, "edges": sorted(edges), "more": more}

    def _place(self, component: int, opened: frozenset[int]) -> int:
        """A component, or ~group, for one in a folded group of several."""
        group = self.group[component]
        folded = group >= 0 and group not in opened and len(self.members[group]) > 1
        return ~group if folded else component

    def _around(self, place: int, opened: frozenset[int]) -> Iterator[int]:
        """Callers and callees in turn: both are seen, even if one has very many."""
        rows = [list(self._next(place, opened, each)) for each in (self.callees, self.callers)]
        for at in range(max(map(len, rows))):
            yield from (row[at] for row in rows if at < len(row))

    def _next(self, place: int, opened: frozenset[int], rows: list[list[int]]) -> Iterable[int]:
        components = [place] if place >= 0 else self.members[~place][:_FANS]
        found: dict[int, None] = {}
        for component in components:
            for other in rows[component][:_FANS]:
                found[self._place(other, opened)] = None
                if len(found) >= _FANS:
                    return found
        return found

    def _told(self, place: int) -> dict[str, object]:
        components = [place] if place >= 0 else self.members[~place]
        names = [self.told(each) for each in components[:_LISTED]]
        size = sum(self.sizes[each] for each in components)
        return {"place": place, "components": names, "count": len(components), "size": size}

    def told(self, component: int) -> dict[str, object]:
        """A component in a list."""
        name = printable(self.model.names.components[component])
        size, group = self.sizes[component], self.group[component]
        return {"number": component, "name": name, "size": size, "group": group}
