"""A model in plain lists: for programs in Python that look at every node.

Nodes and boxes are numbered inside their component. An exit is known by its place among the exits.
A set of nodes is an int: bit i is set if i is a member.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pigro.model.rsm import RSM


class BoxCall(NamedTuple):
    """A box, called at an entry of its callee."""

    box: int
    callee: int
    entry: int
    """-1 for the box itself."""
    back: dict[int, int]
    """The return nodes that there are, by exit."""


class PlainComponent:
    """A component."""

    def __init__(self, model: RSM, component: int, place: dict[int, int], first: list[int]) -> None:
        core, nodes = model.core, model.core.nodes_of(component)
        start, numbers = first[component], core.boxes_of(component)
        kinds = [core.kind(node).name for node in nodes]
        self.first = start
        """The first of its nodes in the model."""
        self.width = len(nodes)
        self.exits = [at for at, kind in enumerate(kinds) if kind == "EXIT"]
        self.place = {node: at for at, node in enumerate(self.exits)}
        self.boxes = [
            BoxCall(
                at,
                core.callee(box),
                -1,
                {place[core.subject(n)]: n - start for n in core.returns(box)},
            )
            for at, box in enumerate(numbers)
        ]
        self.calls = {}
        """The call nodes."""
        for at, (node, kind) in enumerate(zip(nodes, kinds, strict=True)):
            if kind == "CALL":
                box = self.boxes[core.box(node) - numbers[0]]
                self.calls[at] = box._replace(entry=core.subject(node) - first[box.callee])
        self.steps: list[list[int]] = []
        """The successors of each node that are no calls,"""
        self.called: list[list[BoxCall]] = []
        """and those that are."""
        for node in nodes:
            row = [after - start for after in core.successors(node)]
            self.steps.append([after for after in row if after not in self.calls])
            self.called.append([self.calls[after] for after in row if after in self.calls])


class PlainModel:
    """The components, and where labels are."""

    def __init__(self, model: RSM) -> None:
        core = model.core
        rows = [core.nodes_of(component) for component in range(core.components)]
        first = list(accumulate(map(len, rows), initial=0))
        exits = ([node for node in row if core.kind(node).name == "EXIT"] for row in rows)
        place = {node: at for row in exits for at, node in enumerate(row)}
        self.model = model
        self.nodes = core.nodes
        self.parts = [
            PlainComponent(model, component, place, first) for component in range(core.components)
        ]
        self.component = [component for component, row in enumerate(rows) for _ in row]
        """Of each node."""
        self.callees = sorted(
            {
                (at, call.callee)
                for at, part in enumerate(self.parts)
                for call in part.calls.values()
            }
        )
        """Which component calls which: pairs."""
        self._copies: dict[int, list[int]] = {}  # of a declared node: itself, its calls and returns
        for node in range(core.nodes):
            self._copies.setdefault(core.subject(node), []).append(node)

    def label(self, name: str) -> int:
        """All nodes that carry a label, calls and returns included."""
        number = self.model.label_ids.get(name)
        declared = [] if number is None else self.model.core.labelled(number)
        return as_set((copy for node in declared for copy in self._copies[node]), self.nodes)


def as_set(members: Iterable[int], width: int) -> int:
    """The set of these members, which are below `width`."""
    row = bytearray(width // 8 + 1)
    for each in members:
        row[each >> 3] |= 1 << (each & 7)
    return int.from_bytes(row, "little")


def members(of: int) -> Iterator[int]:
    """The members of a set, ascending.

    >>> list(members(0b10110))
    [1, 2, 4]
    """
    text = bin(of)[:1:-1]
    at = text.find("1")
    while at >= 0:
        yield at
        at = text.find("1", at + 1)
