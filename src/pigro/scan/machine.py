"""Components to a model: the seam to the engines.

A `ScanComponent` is a function under a binding, by local numbers. `ScanMachine.model` makes one RSM
of all components that the initial ones call, with a source position for each node and box.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.model import Names, Positions
from pigro.model.assembly import ENTRY, EXIT, ModelAssembly
from pigro.sources.graph import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence

    from pigro.model import RSM
    from pigro.scan.exceptions import Way
    from pigro.sources.graph import Function

Told = Callable[[], tuple["Way", str]]
"""Finds the way to what raises, and why it does. Only runs that are shown need it."""


@dataclass(slots=True)
class CallBox:
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
class ScanComponent:
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
    boxes: list[CallBox] = field(default_factory=list)
    passed: dict[tuple[int, int], range] = field(default_factory=dict)
    """By edge: the nodes of the function that it passes besides its ends, by number in"""
    numbered: Sequence[int] = ()
    """these nodes of the function."""
    raised: dict[tuple[int, int], Told] = field(default_factory=dict)
    """By edge: where a call that is not followed raises, and why. Empty for `raise`."""
    why: dict[int, Told] = field(default_factory=dict)
    """By node: the same, where a call raises by the table."""

    def node(self, origin: int, *labels: str) -> int:
        """A new node. The first one is the entry."""
        self.labels.append(labels)
        self.origins.append(origin)
        return len(self.labels) - 1


@dataclass(slots=True)
class ScanMachine:
    """Components by their keys."""

    components: dict[Hashable, ScanComponent] = field(default_factory=dict)

    def part(self, keys: Iterable[Hashable]) -> ScanMachine:
        """The components of these keys, and those that they call."""
        found: dict[Hashable, ScanComponent] = {}
        pending = list(keys)
        while pending:
            key = pending.pop()
            if key not in found:
                found[key] = self.components[key]
                pending += (each.callee for each in found[key].boxes)
        return ScanMachine(found)

    def model(
        self, starts: Iterable[tuple[Hashable, int]], files: Mapping[str, str]
    ) -> tuple[RSM, list[int]]:
        """The model, and the number of the initial node of each start.

        A start is a component and one of its nodes.

        `files` has the file of each function.
        """
        return _FlatArrays(self.components, files).model(starts)


class _FlatArrays:
    def __init__(self, components: dict[Hashable, ScanComponent], files: Mapping[str, str]) -> None:
        self.components = components
        self.files = files
        self.first: dict[Hashable, int] = {}
        count = 0
        for key, each in components.items():
            self.first[key] = count
            count += len(each.labels)
        self.numbers = {key: at for at, key in enumerate(components)}

    def model(self, starts: Iterable[tuple[Hashable, int]]) -> tuple[RSM, list[int]]:
        made = ModelAssembly()
        labels: dict[str, list[int]] = {}
        boxes: list[tuple[int, CallBox, list[str]]] = []
        for key, each in self.components.items():
            base = self.first[key]
            made.flags += bytes(len(each.labels))
            made.flags[base] |= ENTRY
            for node in each.exits.values():
                made.flags[base + node] |= EXIT
            for node in each.entries.values():
                made.flags[base + node] |= ENTRY
            for node, row in enumerate(each.labels):
                for label in row:
                    labels.setdefault(label, []).append(base + node)
            made.sources.extend([base + source for source, _ in each.edges])
            made.targets.extend([base + target for _, target in each.edges])
            boxes += [(base, box, self._add_box(made, box)) for box in each.boxes]
            made.end_component()
        for number, (base, box, _) in enumerate(boxes):
            for call in made.calls(number):
                for caller in sorted(set(box.callers)):
                    made.sources.append(base + caller)
                    made.targets.append(call)
        for number, (base, box, exits) in enumerate(boxes):
            for name, back in zip(exits, made.returns(number), strict=True):
                for after in sorted(set(box.returns[name])):
                    made.sources.append(back)
                    made.targets.append(base + after)
        names, positions = self._names()
        initial = [self.first[key] + node for key, node in starts]
        model = made.model(labels=labels, initial=initial, names=names, positions=positions)
        return model, [model.node_of(node) for node in initial]

    def _add_box(self, made: ModelAssembly, box: CallBox) -> list[str]:
        """The names of the exits that a box returns from."""
        callee, first = self.components[box.callee], self.first[box.callee]
        exits = [name for name in box.returns if name in callee.exits]
        entry = callee.entries[box.entry] if box.entry else 0
        leave = [first + callee.exits[name] for name in exits]
        made.add_box(self.numbers[box.callee], [first + entry], leave)
        return exits

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
