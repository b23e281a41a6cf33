"""The arrays of a model while it grows, by number.

Components come one after the other, each with its nodes and boxes. A box lists the entries that it
calls and the exits that it returns from. When all nodes and boxes are there, `calls` and `returns`
say what these are as ends of edges. Who needs edges before writes the i-th listed call, as a
target, or the i-th listed return, as a source, as `~i`, and calls `number_listed` at last.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable

ENTRY, EXIT = 1, 2
"""Flags of nodes."""


class Assembly:
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
