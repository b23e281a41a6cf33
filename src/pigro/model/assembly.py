"""The arrays of a model while it grows, by number.

In a `ModelAssembly`, components come one after the other, each with its nodes and boxes. A box
lists the entries that it calls and the exits that it returns from. When all nodes and boxes are
there, `calls` and `returns` say what these are as ends of edges. Who needs edges before writes the
i-th listed call, as a target, or the i-th listed return, as a source, as `~i`, and calls
`number_listed` at last.

In a `LooseAssembly`, all these come in any order.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ENTRY, EXIT = 1, 2
"""Flags of nodes."""


class ModelAssembly:
    """Components, nodes, boxes and edges so far."""

    def __init__(self) -> None:
        self.component_offsets = array("i", [0])
        self.flags = bytearray()
        """Of each node."""
        self.box_offsets = array("i", [0])
        self.box_callee = array("i")
        self.call_offsets = array("i", [0])
        self.call_entries = array("i")
        self.return_offsets = array("i", [0])
        self.return_exits = array("i")
        self.sources = array("i")
        self.targets = array("i")

    def add_box(self, callee: int, entries: Iterable[int], exits: Iterable[int]) -> int:
        """A box of the current component, which calls these entries. Its number."""
        self.box_callee.append(callee)
        self.call_entries.extend(entries)
        self.call_offsets.append(len(self.call_entries))
        self.return_exits.extend(exits)
        self.return_offsets.append(len(self.return_exits))
        return len(self.box_callee) - 1

    def end_component(self) -> None:
        """All nodes and boxes since the last end are those of the next component."""
        self.component_offsets.append(len(self.flags))
        self.box_offsets.append(len(self.call_offsets) - 1)

    def calls(self, box: int) -> range:
        """The calls of a box, as targets. Needs all nodes."""
        first = len(self.flags)
        return range(first + self.call_offsets[box], first + self.call_offsets[box + 1])

    def returns(self, box: int) -> range:
        """The returns of a box, as sources. Needs all nodes and boxes."""
        first = len(self.flags) + len(self.call_entries)
        return range(first + self.return_offsets[box], first + self.return_offsets[box + 1])

    def number_listed(self) -> None:
        """Replaces each `~i` in edges. Needs all nodes and boxes."""
        first = len(self.flags)
        self.targets = array("i", [at if at >= 0 else first + ~at for at in self.targets])
        first += len(self.call_entries)
        self.sources = array("i", [at if at >= 0 else first + ~at for at in self.sources])

    def arrays(self) -> dict[str, Any]:
        """As `RSM.from_arrays` and the native core take them, without labels."""
        return {
            "component_offsets": self.component_offsets,
            "node_flags": self.flags,
            "box_offsets": self.box_offsets,
            "box_callee": self.box_callee,
            "call_offsets": self.call_offsets,
            "call_entries": self.call_entries,
            "return_offsets": self.return_offsets,
            "return_exits": self.return_exits,
            "edge_sources": self.sources,
            "edge_targets": self.targets,
        }

    def model(self, **about: Any) -> RSM:
        """The model, with the other arguments of `RSM.from_arrays`."""
        return RSM.from_arrays(**self.arrays(), **about)


class PlacedArrays(NamedTuple):
    """The arrays of a `LooseAssembly`, and where its nodes and boxes came to stand."""

    arrays: dict[str, Any]
    """As `RSM.from_arrays` and the native core take them, without labels."""
    nodes: list[int]
    """The numbers that nodes had, in the order of the arrays,"""
    boxes: list[int]
    """and those of boxes."""
    place: list[int]
    """Of each node its place in that order."""


class LooseAssembly:
    """Nodes, boxes, calls, returns and edges so far. Components are known by their number.

    As the target of an edge `~i` is the i-th call, as a source `~j` the j-th return.
    """

    def __init__(self, components: int) -> None:
        self.components = components
        self.owner: list[int] = []
        """The component of each node."""
        self.flags = bytearray()
        self.box_owner: list[int] = []
        self.box_callee: list[int] = []
        self.call_box: list[int] = []
        self.call_entry: list[int] = []
        self.return_box: list[int] = []
        self.return_exit: list[int] = []
        self.sources: list[int] = []
        self.targets: list[int] = []

    def add_node(self, owner: int, flags: int) -> int:
        """A new node."""
        self.owner.append(owner)
        self.flags.append(flags)
        return len(self.owner) - 1

    def add_box(self, owner: int, callee: int) -> int:
        """A new box."""
        self.box_owner.append(owner)
        self.box_callee.append(callee)
        return len(self.box_owner) - 1

    def call(self, box: int, entry: int) -> int:
        """A new call node, as a target."""
        self.call_box.append(box)
        self.call_entry.append(entry)
        return -len(self.call_box)

    def returned(self, box: int, leave: int) -> int:
        """A new return node, as a source."""
        self.return_box.append(box)
        self.return_exit.append(leave)
        return -len(self.return_box)

    def edge(self, source: int, target: int) -> None:
        """A new edge."""
        self.sources.append(source)
        self.targets.append(target)

    def placed(self) -> PlacedArrays:
        """The arrays. Nodes and boxes are ordered by component, calls and returns by box."""
        nodes, place = _grouped(self.owner)
        boxes, box_place = _grouped(self.box_owner)
        call_box = [box_place[each] for each in self.call_box]
        return_box = [box_place[each] for each in self.return_box]
        calls, call_place = _grouped(call_box)
        returns, return_place = _grouped(return_box)
        first_call, first_return = len(nodes), len(nodes) + len(calls)
        sources = [place[i] if i >= 0 else first_return + return_place[~i] for i in self.sources]
        targets = [place[i] if i >= 0 else first_call + call_place[~i] for i in self.targets]
        arrays = {
            "component_offsets": _offsets(self.owner, self.components),
            "node_flags": bytes([self.flags[each] for each in nodes]),
            "box_offsets": _offsets(self.box_owner, self.components),
            "box_callee": array("i", [self.box_callee[each] for each in boxes]),
            "call_offsets": _offsets(call_box, len(boxes)),
            "call_entries": array("i", [place[self.call_entry[each]] for each in calls]),
            "return_offsets": _offsets(return_box, len(boxes)),
            "return_exits": array("i", [place[self.return_exit[each]] for each in returns]),
            "edge_sources": array("i", sources),
            "edge_targets": array("i", targets),
        }
        return PlacedArrays(arrays, nodes, boxes, place)


def _grouped(owners: Sequence[int]) -> tuple[list[int], list[int]]:
    """The numbers of things in the order of their owners, and the place of each in that order."""
    order = sorted(range(len(owners)), key=owners.__getitem__)
    place = [0] * len(order)
    for index, each in enumerate(order):
        place[each] = index
    return order, place


def _offsets(owners: Sequence[int], count: int) -> array[int]:
    sizes = [0] * count
    for owner in owners:
        sizes[owner] += 1
    return array("i", accumulate(sizes, initial=0))
