"""The parts of a document as the arrays of a model."""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.space import StateNames
from pigro.formats.smv.syntax.text import TokenFault
from pigro.limits import no_poll, tick_of
from pigro.model.arrays import as_rows
from pigro.model.assembly import ENTRY, EXIT, ModelAssembly
from pigro.model.choices import Semantics
from pigro.model.names import Names
from pigro.model.positions import OWN, Positions
from pigro.model.rsm import RSM, core_semantics

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.formats.smv.components import ComponentStates
    from pigro.formats.smv.specs.formulas import ComponentCondition
    from pigro.formats.smv.syntax.text import TokenText
    from pigro.limits import Poll
    from pigro.model import DeadEnds
    from pigro.model.conditions import ModelConditions


def assemble(
    parts: Mapping[str, ComponentStates],
    held: Mapping[str, Sequence[int]],
    start: str,
    *,
    semantics: Semantics | str,
    dead_ends: DeadEnds | str | None,
    text: TokenText,
    conditions: ModelConditions,
    poll: Poll,
) -> RSM:
    """The model of all modules. `held` are conditions that it has as labels, with their nodes."""
    part, source = parts[start], text.source
    positions = _positions(text, [*parts.values()])
    if len(parts) == 1 and not part.calls:
        model = _alone(
            part, _labels(parts, held), Semantics(semantics), dead_ends, source, positions, poll
        )
        return model.finished(conditions)
    made = _ModuleAssembly(parts)
    for part in parts.values():
        made.add_component(part)
    for part in parts.values():
        made.add_edges(part)
    return made.model(
        labels=_labels(parts, held),
        initial=parts[start].entries,
        names=Names(tuple(parts), made.names(), tuple(made.box_names)),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        conditions=conditions,
        positions=positions,
        poll=poll,
    )


def _alone(
    part: ComponentStates,
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


class _ModuleAssembly(ModelAssembly):
    """The parts as components."""

    def __init__(self, parts: Mapping[str, ComponentStates]) -> None:
        super().__init__()
        self.parts = parts
        self.numbers = {name: i for i, name in enumerate(parts)}
        self.node_names: list[StateNames] = []
        self.box_names: list[str] = []
        self.boxes: dict[tuple[str, int], int] = {}
        """By module and state."""

    def add_component(self, part: ComponentStates) -> None:
        """The states that have a moment of their own, and boxes for those that call."""
        space = part.space
        flags = bytearray(space.size)
        flags[: space.initial] = bytes([ENTRY]) * space.initial
        if space.last is not None:
            flags[space.last] |= EXIT
        self.flags += bytes([flags[state] for state in part.shown]) if part.hidden else flags
        self.node_names.append(StateNames(space, part.shown))
        for state, callee in sorted(part.calls.items()):
            called = self.parts[callee]
            last = called.space.last
            self.box_names.append(part.space.name(state))
            self.boxes[part.name, state] = self.add_box(
                self.numbers[callee], called.entries, () if last is None else (called.number[last],)
            )
        self.end_component()

    def add_edges(self, part: ComponentStates) -> None:
        """The steps. One to a hidden state goes to its calls."""
        space, calls, number = part.space, part.calls, part.number
        if not calls:
            base = part.base
            self.sources.extend([base + each for each in space.sources])
            self.targets.extend([base + each for each in space.targets])
            return
        boxes = {state: self.boxes[part.name, state] for state in calls}
        for source, target in zip(space.sources, space.targets, strict=True):
            at = number[source]
            if source in calls:
                returns = self.returns(boxes[source])
                if not returns:  # the called module never exits
                    continue
                (at,) = returns
            targets = self.calls(boxes[target]) if number[target] < 0 else (number[target],)
            for each in targets:
                self.sources.append(at)
                self.targets.append(each)
        for state, box in boxes.items():
            if number[state] >= 0:
                for each in self.calls(box):
                    self.sources.append(number[state])
                    self.targets.append(each)

    def names(self) -> Sequence[str]:
        """The names of all nodes."""
        return tuple(name for each in self.node_names for name in each)


def _labels(
    parts: Mapping[str, ComponentStates], held: Mapping[str, Sequence[int]]
) -> dict[str, Sequence[int]]:
    """Each label with its nodes."""
    labels: dict[str, Sequence[int]] = {}
    for part in parts.values():
        for name, states in part.labelled.items():
            nodes = part.nodes(states)
            labels[name] = [*labels[name], *nodes] if name in labels else nodes
    return {**labels, **held}


def _positions(text: TokenText, listed: Sequence[ComponentStates]) -> Positions:
    """The positions of all nodes, boxes and components of a model, in the order of its arrays.

    A state is no line of its own: it has the position of its module's name, and a state that calls
    that of the call, and so has the box. Steps have places of their own (`branches.py`).
    """
    tokens = {part.space.component.module.at for part in listed}
    tokens.update(*(part.called_at.values() for part in listed))
    rows = {token: array("i", (0, *span)).tobytes() for token, span in text.spans(tokens).items()}
    components = [rows[part.space.component.module.at] for part in listed]
    if len(listed) == 1 and not listed[0].called_at:  # one row for all: there may be very many
        return Positions((OWN,), components[0], b"", components[0], shared=listed[0].space.size)
    nodes, boxes = [], []
    for part in listed:
        module, called_at = rows[part.space.component.module.at], part.called_at
        boxes += [rows[called_at[state]] for state in sorted(called_at)]
        if not called_at:
            nodes.append(module * part.space.size)
            continue
        nodes += [rows[called_at[each]] if each in called_at else module for each in part.shown]
    return Positions((OWN,), b"".join(nodes), b"".join(boxes), b"".join(components))


def nodes_of(
    parts: Mapping[str, ComponentStates], label: str, atom: ComponentCondition, poll: Poll = no_poll
) -> Sequence[int]:
    """The declared nodes where a condition holds."""
    part = parts[atom.component]
    states = part.space.states(atom.number, poll)
    nodes = part.nodes(states)
    if len(states) and not len(nodes):
        raise _only_calls(label, part, states[0], atom)
    return nodes


def _only_calls(
    label: str, part: ComponentStates, state: int, atom: ComponentCondition
) -> TokenFault:
    callee = printable(part.calls[state])
    return TokenFault(
        "P127",
        f"`{printable(label)}` holds only where `{callee}` is called",
        atom.at,
        "a state that calls is no moment of its own unless it carries a label: "
        "DEFINE one that is true there",
    )
