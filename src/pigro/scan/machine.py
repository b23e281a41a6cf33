"""Components to a model: the seam to the engines.

A `Component` is a function under a binding, by local numbers. `Machine.model` makes one RSM of all
components that the initial ones call, with a source position for each node and box.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.model import RSM, Names, Positions
from pigro.sources.graph import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from pigro.scan.exceptions import Way
    from pigro.sources.graph import Function

_ENTRY, _EXIT = 1, 2


@dataclass(slots=True)
class Box:
    """A call."""

    callee: Hashable
    """The key of the component that it calls."""
    origin: int
    callers: list[int] = field(default_factory=list)
    returns: dict[str, list[int]] = field(default_factory=dict)
    """Where it goes on, by exit of the callee."""
    entry: str = ""
    """The entry of the callee. Empty for its first node."""


@dataclass(slots=True)
class Component:
    """A function under a binding."""

    name: str
    function: Function
    exits: dict[str, int] = field(default_factory=dict)
    """Its exit nodes, by name."""
    entries: dict[str, int] = field(default_factory=dict)
    """Its entries besides the first node, by name."""
    labels: list[tuple[str, ...]] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    """The node of the function that each node stands for. -1 for none."""
    edges: list[tuple[int, int]] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    passed: dict[tuple[int, int], range] = field(default_factory=dict)
    """By edge: the nodes of the function that it passes besides its ends, by number in"""
    numbered: Sequence[int] = ()
    """these nodes of the function."""
    raised: dict[tuple[int, int], tuple[Way, str]] = field(default_factory=dict)
    """By edge: where a call that is not followed raises, and why. Empty for `raise`."""
    why: dict[int, str] = field(default_factory=dict)
    """By node: why the call there raises."""

    def node(self, origin: int, *labels: str) -> int:
        """A new node. The first one is the entry."""
        self.labels.append(labels)
        self.origins.append(origin)
        return len(self.labels) - 1


@dataclass(slots=True)
class Machine:
    """Components by their keys."""

    components: dict[Hashable, Component] = field(default_factory=dict)

    def part(self, keys: Iterable[Hashable]) -> Machine:
        """The components of these keys, and those that they call."""
        found: dict[Hashable, Component] = {}
        pending = list(keys)
        while pending:
            key = pending.pop()
            if key not in found:
                found[key] = self.components[key]
                pending += (each.callee for each in found[key].boxes)
        return Machine(found)

    def model(
        self, starts: Iterable[tuple[Hashable, int]], files: Mapping[str, str]
    ) -> tuple[RSM, list[int]]:
        """The model, and the number of the initial node of each start.

        A start is a component and one of its nodes.

        `files` has the file of each function.
        """
        return _Flat(self.components, files).model(starts)


class _Flat:
    def __init__(self, components: dict[Hashable, Component], files: Mapping[str, str]) -> None:
        self.components = components
        self.files = files
        self.first: dict[Hashable, int] = {}
        count = 0
        for key, each in components.items():
            self.first[key] = count
            count += len(each.labels)
        self.count = count
        self.numbers = {key: at for at, key in enumerate(components)}

    def model(self, starts: Iterable[tuple[Hashable, int]]) -> tuple[RSM, list[int]]:
        flags = bytearray(self.count)
        box_offsets, box_callee = array("i", [0]), array("i")
        call_offsets, call_entries = array("i", [0]), array("i")
        return_offsets, return_exits = array("i", [0]), array("i")
        sources, targets = array("i"), array("i")
        labels: dict[str, list[int]] = {}
        calls: list[tuple[int, int]] = []
        returns: list[tuple[int, int]] = []
        for key, each in self.components.items():
            base = self.first[key]
            flags[base] |= _ENTRY
            for node in each.exits.values():
                flags[base + node] |= _EXIT
            for node in each.entries.values():
                flags[base + node] |= _ENTRY
            for node, row in enumerate(each.labels):
                for label in row:
                    labels.setdefault(label, []).append(base + node)
            for source, target in each.edges:
                sources.append(base + source)
                targets.append(base + target)
            for box in each.boxes:
                callee = self.components[box.callee]
                box_callee.append(self.numbers[box.callee])
                at = len(call_entries)
                calls += [(base + caller, at) for caller in sorted(set(box.callers))]
                entry = callee.entries[box.entry] if box.entry else 0
                call_entries.append(self.first[box.callee] + entry)
                call_offsets.append(len(call_entries))
                for name, after in box.returns.items():
                    if name in callee.exits:
                        at = len(return_exits)
                        returns += [(at, base + target) for target in sorted(set(after))]
                        return_exits.append(self.first[box.callee] + callee.exits[name])
                return_offsets.append(len(return_exits))
            box_offsets.append(len(box_callee))
        for source, call in calls:
            sources.append(source)
            targets.append(self.count + call)
        for back, target in returns:
            sources.append(self.count + len(call_entries) + back)
            targets.append(target)
        offsets = array("i", [*self.first.values(), self.count])
        names, positions = self._names()
        initial = [self.first[key] + node for key, node in starts]
        model = RSM.from_arrays(
            component_offsets=offsets,
            node_flags=bytes(flags),
            edge_sources=sources,
            edge_targets=targets,
            labels=labels,
            initial=initial,
            box_offsets=box_offsets,
            box_callee=box_callee,
            call_offsets=call_offsets,
            call_entries=call_entries,
            return_offsets=return_offsets,
            return_exits=return_exits,
            names=names,
            positions=positions,
        )
        return model, [model.node_of(node) for node in initial]

    def _names(self) -> tuple[Names, Positions]:
        parts = self.components.values()
        used = {self.files.get(each.function.name, "") for each in parts}
        files = {each: at for at, each in enumerate(sorted(used))}
        nodes, node_rows = [], array("i")
        boxes, box_rows = [], array("i")
        components, component_rows = [], array("i")
        taken: dict[str, int] = {}
        for each in parts:
            file = files[self.files.get(each.function.name, "")]
            taken[each.name] = taken.get(each.name, 0) + 1
            again = taken[each.name]
            components.append(each.name if again == 1 else f"{each.name} #{again}")
            component_rows.extend(_row(file, each.function.at))
            ats = each.function.at_nodes
            exits = {node: name for name, node in (*each.exits.items(), *each.entries.items())}
            for node, origin in enumerate(each.origins):
                nodes.append(exits.get(node) or f"n{node}")
                node_rows.extend(_row(file, ats[origin] if origin >= 0 else NOWHERE))
            for at, box in enumerate(each.boxes):
                boxes.append(f"b{at}")
                box_rows.extend(_row(file, ats[box.origin] if box.origin >= 0 else NOWHERE))
        positions = Positions.of(
            list(files), nodes=node_rows, boxes=box_rows, components=component_rows
        )
        return Names(components, nodes, boxes), positions


def _row(file: int, at: tuple[int, int, int, int]) -> tuple[int, ...]:
    """A position as models have it. Columns, which `ast` counts in bytes, are left out."""
    return (file, at[0], 0, at[2], 0) if at[0] else (0, 0, 0, 0, 0)
