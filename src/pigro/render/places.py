"""The parts of a model that a report needs, numbered as in the model.

A component is drawn with a box as one place: what calls it leads into the box, and what it returns
to comes out of it. Components are told whole if they are small. Of large ones only what lies around
the states that are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence import EMPTY
from pigro.evidence.source_lines import source_columns
from pigro.evidence.variables import is_hidden

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.evidence import Stack, State
    from pigro.model import RSM

WHOLE = 150
"""Places of a component that is drawn whole."""
_STEPS = 2
_NEIGHBOURS = 40
"""How many neighbours of one place are told, in each direction."""
_ENTRY, _EXIT, _INITIAL = 1, 2, 4

Edge = tuple[int, int, str]


class PlaceCollector:
    """Collects the nodes, boxes and stacks of states, and says all that is drawn around them."""

    def __init__(self, model: RSM) -> None:
        self.model = model
        self.states: set[int] = set()
        """Nodes of states."""
        self.boxes: set[int] = set()
        self.frames: list[tuple[int, int]] = [(-1, -1)]
        """Stacks: the one below, and the box on top of it. The first is empty."""
        self._numbers: dict[Stack, int] = {EMPTY: 0}
        self._labels: dict[str, int] = {}

    def of(self, states: Sequence[State]) -> list[tuple[int, int]]:
        """The numbers of the stacks, and the nodes, of states."""
        known, places = self._numbers, []
        for stack, node in states:
            number = known.get(stack)
            places.append((self._add(stack) if number is None else number, node))
        self.states.update([node for _, node in places])
        return places

    def _add(self, stack: Stack) -> int:
        pending, at = [], stack
        while at not in self._numbers:
            pending.append(at)
            at = at.below
        for above in reversed(pending):
            self._numbers[above] = len(self.frames)
            self.frames.append((self._numbers[above.below], above.box))
            self.boxes.add(above.box)
        return self._numbers[stack]

    def _label(self, name: str) -> int:
        """The number of a label in the report."""
        return self._labels.setdefault(name, len(self._labels))

    def shown(self, names: Iterable[str]) -> list[int]:
        """The numbers of labels, without those about hidden variables."""
        hides = self.model.valuation is not None
        return [self._label(name) for name in names if not (hides and is_hidden(name))]

    def document(self) -> dict[str, object]:
        """All that was collected, and its surroundings."""
        core = self.model.core
        shown: dict[int, set[int]] = {}
        for node in self.states:
            shown.setdefault(core.component(node), set()).add(self._place(node))
        for box in self.boxes:
            shown.setdefault(core.box_component(box), set()).add(~box)
        components, places = {}, {node for node in self.states if core.box(node) >= 0}
        for number, own in sorted(shown.items()):
            around, edges, whole = self._component(number, own)
            size = len(core.nodes_of(number))
            name = printable(self.model.names.components[number])
            components[number] = {"name": name, "size": size, "whole": whole, "edges": edges}
            places |= around
        nodes = {node: self._node(node) for node in sorted(places) if node >= 0}
        boxes = {~place: self._box(~place) for place in sorted(places) if place < 0}
        labels = [printable(name) for name in self._labels]
        frames = [below for below, _ in self.frames], [box for _, box in self.frames]
        return {
            "components": components,
            "nodes": nodes,
            "boxes": boxes,
            "labels": labels,
            "frames": frames,
            "values": self._values(),
        }

    def _values(self) -> dict[int, dict[str, str]]:
        """The values of variables in states, where the model has variables."""
        if self.model.valuation is None:
            return {}
        return {node: dict(self.model.values(node)) for node in sorted(self.states)}

    def _place(self, node: int) -> int:
        """A node itself; ~box for one of a box."""
        box = self.model.core.box(node)
        return node if box < 0 else ~box

    def _node(self, node: int) -> list[object]:
        core = self.model.core
        name = self.model.node_name(node).removeprefix(f"{self.model.component_name(node)}:")
        flags = _ENTRY * core.is_entry(node) + _EXIT * (core.kind(node).name == "EXIT")
        flags += _INITIAL * (node in self.model.initial)
        labels = self.shown(self.model.labels_of(core.subject(node)))
        row = [core.component(node), printable(name), flags, labels, self._place(node)]
        return row + source_columns(self.model, self.model.position(node))

    def _box(self, box: int) -> list[object]:
        core, names = self.model.core, self.model.names
        callee = printable(names.components[core.callee(box)])
        row = [core.box_component(box), printable(names.boxes[box]), callee]
        return row + source_columns(self.model, self.model.box_position(box))

    def _component(self, number: int, own: set[int]) -> tuple[set[int], list[Edge], bool]:
        """Places and edges of a component, and whether it is all of it."""
        edges = self._edges(number)
        core = self.model.core
        every = {self._place(node) for node in core.nodes_of(number)}
        every |= {~box for box in core.boxes_of(number)}
        if len(every) <= WHOLE:
            return every, edges, True
        near = _around(own, edges)
        return near, [edge for edge in edges if edge[0] in near and edge[1] in near], False

    def _edges(self, number: int) -> list[Edge]:
        """The edges. With the name of the entry or exit, where a box has several of them."""
        core, names = self.model.core, self.model.names
        edges: dict[Edge, None] = {}
        for node in core.nodes_of(number):
            for after in core.successors(node):
                words = []
                if core.kind(node).name == "RETURN" and len(core.returns(core.box(node))) > 1:
                    words.append(names.nodes[core.declared_of_node(node)])
                if core.kind(after).name == "CALL" and len(core.listed_calls(core.box(after))) > 1:
                    words.append(names.nodes[core.declared_of_node(after)])
                text = printable(" → ".join(words))
                edges[self._place(node), self._place(after), text] = None
        return list(edges)


def _around(own: Iterable[int], edges: list[Edge]) -> set[int]:
    """The places two steps around others."""
    near: dict[int, list[int]] = {}
    for first, second, _ in edges:
        for place, other in ((first, second), (second, first)):
            row = near.setdefault(place, [])
            if len(row) < 2 * _NEIGHBOURS:
                row.append(other)
    reached, last = set(own), set(own)
    for _ in range(_STEPS):
        last = {other for place in last for other in near.get(place, ())} - reached
        reached |= last
    return reached
