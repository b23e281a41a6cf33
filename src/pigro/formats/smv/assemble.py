"""The parts of a document as the arrays of a model."""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.space import StateNames
from pigro.formats.smv.syntax.text import Fault
from pigro.limits import tick_of, unwatched
from pigro.model.arrays import as_rows
from pigro.model.choices import Semantics
from pigro.model.flatten import ENTRY, EXIT
from pigro.model.names import Names
from pigro.model.rsm import RSM, core_semantics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.formats.smv.components import Part
    from pigro.formats.smv.specs.formulas import Atom
    from pigro.limits import Poll
    from pigro.model import DeadEnds
    from pigro.model.positions import Positions
    from pigro.model.rsm import Conditions


def assemble(  # noqa: PLR0913 - a model and how to read it
    parts: Mapping[str, Part],
    held: Mapping[str, Sequence[int]],
    start: str,
    *,
    semantics: Semantics | str,
    dead_ends: DeadEnds | str | None,
    source: str | None,
    conditions: Conditions,
    positions: Positions,
    poll: Poll,
) -> RSM:
    """The model of all modules. `held` are conditions that it has as labels, with their nodes."""
    part = parts[start]
    if len(parts) == 1 and not part.calls:
        model = _alone(
            part, _labels(parts, held), Semantics(semantics), dead_ends, source, positions, poll
        )
        return model.finished(conditions)
    arrays = _Arrays(parts)
    for part in parts.values():
        arrays.add_nodes(part)
        arrays.add_boxes(part)
    for part in parts.values():
        arrays.add_edges(part)
    return RSM.from_arrays(
        component_offsets=arrays.component_offsets,
        node_flags=arrays.flags,
        box_offsets=arrays.box_offsets,
        box_callee=arrays.box_callee,
        call_offsets=arrays.call_offsets,
        call_entries=arrays.call_entries,
        return_offsets=arrays.return_offsets,
        return_exits=arrays.return_exits,
        edge_sources=arrays.edge_sources,
        edge_targets=arrays.edge_targets,
        labels=_labels(parts, held),
        initial=parts[start].entries,
        names=Names(tuple(parts), arrays.names(), tuple(arrays.box_names)),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        conditions=conditions,
        positions=positions,
        poll=poll,
    )


def _alone(
    part: Part,
    labels: Mapping[str, Sequence[int]],
    semantics: Semantics,
    dead_ends: DeadEnds | str | None,
    source: str | None,
    positions: Positions,
    poll: Poll,
) -> RSM:
    """The model of one module without calls. There may be very many steps: none is copied."""
    space = part.space
    return RSM.from_core(
        space.core.model(*as_rows(labels), core_semantics(semantics), tick_of(poll)),
        label_ids=MappingProxyType({label: i for i, label in enumerate(labels)}),
        initial=part.entries,
        names=Names((part.name,), StateNames(space, part.shown), ()),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        positions=positions,
    )


class _Arrays:
    """The arrays while they grow."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self.parts = parts
        self.numbers = {name: i for i, name in enumerate(parts)}
        self.component_offsets = array("i", [0])
        self.flags = bytearray()
        self.box_offsets = array("i", [0])
        self.box_callee = array("i")
        self.call_offsets = array("i", [0])
        self.call_entries = array("i")
        self.return_offsets = array("i", [0])
        self.return_exits = array("i")
        self.edge_sources = array("i")
        self.edge_targets = array("i")
        self.node_names: list[StateNames] = []
        self.box_names: list[str] = []
        self.boxes: dict[tuple[str, int], int] = {}
        """By module and state."""

    def add_nodes(self, part: Part) -> None:
        """The states that have a moment of their own."""
        space = part.space
        flags = bytearray(space.size)
        flags[: space.initial] = bytes([ENTRY]) * space.initial
        if space.last is not None:
            flags[space.last] |= EXIT
        self.flags += bytes([flags[state] for state in part.shown]) if part.hidden else flags
        self.node_names.append(StateNames(space, part.shown))
        self.component_offsets.append(len(self.flags))

    def add_boxes(self, part: Part) -> None:
        """The states that call."""
        for state, callee in sorted(part.calls.items()):
            called = self.parts[callee]
            self.boxes[part.name, state] = len(self.box_callee)
            self.box_names.append(part.space.name(state))
            self.box_callee.append(self.numbers[callee])
            self.call_entries.extend(called.entries)
            self.call_offsets.append(len(self.call_entries))
            if called.space.last is not None:
                self.return_exits.append(called.number[called.space.last])
            self.return_offsets.append(len(self.return_exits))
        self.box_offsets.append(len(self.box_callee))

    def add_edges(self, part: Part) -> None:
        """The steps. One to a hidden state goes to its calls."""
        space, calls, number = part.space, part.calls, part.number
        if not calls:
            base = part.base
            self.edge_sources.extend([base + each for each in space.sources])
            self.edge_targets.extend([base + each for each in space.targets])
            return
        for source, target in zip(space.sources, space.targets, strict=True):
            at = number[source]
            if source in calls:
                at = self._return_of(part, source)
                if at < 0:
                    continue
            targets = self._calls_of(part, target) if number[target] < 0 else (number[target],)
            for each in targets:
                self.edge_sources.append(at)
                self.edge_targets.append(each)
        for state in calls:
            if number[state] >= 0:
                for each in self._calls_of(part, state):
                    self.edge_sources.append(number[state])
                    self.edge_targets.append(each)

    def names(self) -> Sequence[str]:
        """The names of all nodes."""
        return tuple(name for each in self.node_names for name in each)

    def _calls_of(self, part: Part, state: int) -> range:
        box = self.boxes[part.name, state]
        first = len(self.flags)
        return range(first + self.call_offsets[box], first + self.call_offsets[box + 1])

    def _return_of(self, part: Part, state: int) -> int:
        """The return node of a call, as a reference. -1 where the called module never exits."""
        box = self.boxes[part.name, state]
        listed = self.return_offsets[box]
        if listed == self.return_offsets[box + 1]:
            return -1
        return len(self.flags) + len(self.call_entries) + listed


def _labels(
    parts: Mapping[str, Part], held: Mapping[str, Sequence[int]]
) -> dict[str, Sequence[int]]:
    """Each label with its nodes."""
    labels: dict[str, Sequence[int]] = {}
    for part in parts.values():
        for name, states in part.labelled.items():
            nodes = part.nodes(states)
            labels[name] = [*labels[name], *nodes] if name in labels else nodes
    return {**labels, **held}


def nodes_of(
    parts: Mapping[str, Part], label: str, atom: Atom, poll: Poll = unwatched
) -> Sequence[int]:
    """The declared nodes where a condition holds."""
    part = parts[atom.component]
    states = part.space.states(atom.number, poll)
    nodes = part.nodes(states)
    if len(states) and not len(nodes):
        raise _only_calls(label, part, states[0], atom)
    return nodes


def _only_calls(label: str, part: Part, state: int, atom: Atom) -> Fault:
    callee = printable(part.calls[state])
    return Fault(
        "P127",
        f"`{printable(label)}` holds only where `{callee}` is called",
        atom.at,
        "a state that calls is no moment of its own unless it carries a label: "
        "DEFINE one that is true there",
    )
