"""What the call graph says: which call sites a run can come to, and who calls whom.

Callers that no run comes to have no say at an exit.

A coarse answer, from the model alone and once per model: nodes are reached over edges, from a call
node to the entry, and back to a return node once its box was entered and its exit was reached from
anywhere. (Exits are not told apart by the entry they were reached from.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.model.calls import has_cycle, strong_components

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.shape import ComponentBody, ComponentGraphs, LocalBox


class _ComponentReach:
    def __init__(self, shape: ComponentGraphs) -> None:
        self.bodies = shape.bodies
        self.reached = dict.fromkeys(shape.bodies.values(), 0)
        self.entered: dict[ComponentBody, list[tuple[ComponentBody, LocalBox]]] = {
            body: [] for body in self.reached
        }
        self.sites = {
            (body, node): (site, entry)
            for body in self.reached
            for site in body.sites
            for node, entry in site.calls
        }
        self.waiting: list[tuple[ComponentBody, int]] = []

    def add(self, body: ComponentBody, node: int) -> None:
        if not self.reached[body] >> node & 1:
            self.reached[body] |= 1 << node
            self.waiting.append((body, node))

    def come_back(self, caller: ComponentBody, site: LocalBox, exit_: int) -> None:
        if site.listed >> exit_ & 1:
            self.add(caller, site.start + site.exits.index(exit_))

    def enter(self, body: ComponentBody, site: LocalBox, entry: int) -> None:
        callee = self.bodies[site.callee]
        self.add(callee, entry)
        if not site.reached:
            site.reached = True
            self.entered[callee].append((body, site))
            for exit_ in range(callee.exits.bit_length()):
                if self.reached[callee] >> exit_ & 1:
                    self.come_back(body, site, exit_)

    def step(self, body: ComponentBody, node: int) -> None:
        for after in body.successors[node]:
            self.add(body, after)
        if body.exits >> node & 1:
            for caller, site in self.entered[body]:
                self.come_back(caller, site, node)
        if (body, node) in self.sites:
            self.enter(body, *self.sites[body, node])


def mark_reached(shape: ComponentGraphs) -> None:
    """Sets `LocalBox.reached` where a run from the initial nodes may enter the box."""
    search = _ComponentReach(shape)
    for node in shape.model.initial:
        search.add(shape.bodies[shape.model.core.component(node)], shape.place[node])
    while search.waiting:
        search.step(*search.waiting.pop())


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
