"""The model with new nodes that lead to the states of a run, and so questions about these states.

An engine tells the truth of a formula at an initial node with the empty stack. A run has states
with other stacks, and a pump even states with endless many: each round has one more piece of the
stack. So new nodes are added, one entry for each stack of the run. They call each other by the
boxes of the stack:

    lead(s) -> call of box b at lead(s b)     for each stack s b of the run
    lead(s) -> door(s, n) -> n                for each state (s, n) of the run

The one step after a *door* leads to its state. No old node leads to a new one, so all old states
are as before. Of a pump with the stack s at its start and s w at its end, the new node for s w goes
on like the one for s. So a door of the round leads to its state in every round, and no others.

Cost: linear in the model and the stacks of the run.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pigro.evidence.states import State
from pigro.model import RSM, Semantics

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.evidence import Path, Stack

_ENTRY = 1
"""The flag of an entry."""


@dataclass(frozen=True, slots=True)
class Leading:
    """A model with doors to the states of a path."""

    model: RSM
    doors: tuple[int, ...]
    """Of each state of the path, by number among the declared nodes. The last state of a pump has
    that of its start.
    """


def leading_to(model: RSM, path: Path) -> Leading:
    """The model that leads to the states of a path. To those of the rounds of a pump in each round.

    Needs: the path is one of the model.
    """
    new = _NewNodes(model, _declared(model, path.states[0]))
    states = [_declared(model, state) for state in path.states]
    pumps = path.ends == "pump"
    start = path.start if pumps and path.start is not None else len(states)
    if pumps:
        last = states.pop()
        new.bottom = states[start].stack
    doors = [new.door(state, in_round=at >= start) for at, state in enumerate(states)]
    if pumps:
        doors.append(doors[start])
        new.repeat(last.stack)
    made = _Arrays(model, new).model()
    return Leading(made, tuple([new.place[door] for door in doors]))


def back_to(model: RSM, leading: RSM, path: Path, before: int) -> Path:
    """A run of the model that leads to a state, from there on, with the numbers of the old model.

    `before` is the number of states at new nodes, after which there must be others.
    """
    states = tuple([_old_state(model, leading, state) for state in path.states[before:]])
    start = None if path.start is None else path.start - before
    assert start is None or start >= 0, "no run comes back to a new node"
    return replace(path, states=states, start=start)


def _old_state(model: RSM, leading: RSM, state: State) -> State:
    node, box = (
        old_node(model, leading, leading.core.subject(state.node)),
        leading.core.box(state.node),
    )
    if box >= 0 and node is not None:
        node = model.core.return_node(box, node)
    assert node is not None, "it is an old state"
    return State(state.stack, node)


def old_node(model: RSM, leading: RSM, declared: int) -> int | None:
    """A declared node of the model that leads to others, as the model itself numbers it.

    New nodes follow the old ones of each component. They are none.
    """
    component = leading.core.component(declared)
    at = declared - leading.core.nodes_of(component)[0]
    mine = model.core.nodes_of(component)
    return mine[at] if at < len(mine) and model.core.box(mine[at]) < 0 else None


def _declared(model: RSM, state: State) -> State:
    """The same moment as at the exit, for a return node."""
    core, node = model.core, state.node
    if core.kind(node).name != "RETURN":
        return state
    return State(state.stack.push(core.box(node)), core.subject(node))


class _NewNodes:
    """New nodes by number, with their steps."""

    def __init__(self, model: RSM, first: State) -> None:
        self.core = model.core
        boxes = tuple(first.stack)
        owner = self.core.box_component(boxes[0]) if boxes else self.core.component(first.node)
        self.home = owner
        """The component that all states with the empty stack are in."""
        self.component: list[int] = []
        self.is_entry: list[bool] = []
        self.steps: list[list[int]] = []
        """Of each new node, to new ones in the same component,"""
        self.calls: list[list[tuple[int, int]]] = []
        """by a box to a new entry,"""
        self.arrivals: list[tuple[int, int, int]] = []
        """and from a door to an old declared node, or by a box, if any, to an old entry whose call
        is a dead end."""
        self.leads: dict[tuple[bool, Stack], int] = {}
        self.doors: dict[tuple[bool, State], int] = {}
        self.bottom: Stack | None = None
        """Of a pump: the stack at the start of a round."""
        self.place: list[int] = []
        """Of each new node: its number among the declared ones of the new model."""

    def door(self, state: State, *, in_round: bool) -> int:
        """The door of a state, in the rounds of a pump or before."""
        key = (in_round, state)
        if key not in self.doors:
            made = self.doors[key] = self._node(self.core.component(state.node))
            old = self.core.declared_of_node(self.core.subject(state.node))
            self.arrivals.append((made, self.core.box(state.node), old))
            self.steps[self.lead(in_round, state.stack)].append(made)
        return self.doors[key]

    def lead(self, in_round: bool, stack: Stack) -> int:
        """The new node for a stack."""
        missing = []
        at = (in_round, stack)
        while at not in self.leads:
            missing.append(at)
            if not at[1]:
                break
            at = self._below(*at)
        for each in reversed(missing):
            self._make_lead(*each)
        return self.leads[in_round, stack]

    def _below(self, in_round: bool, stack: Stack) -> tuple[bool, Stack]:
        """What calls the new node for a stack: the first one of a round is called from outside."""
        return in_round and stack != self.bottom, stack.below

    def _make_lead(self, in_round: bool, stack: Stack) -> None:
        if not stack:
            self.leads[in_round, stack] = self._node(self.home)
            return
        made = self._node(self.core.callee(stack.box), is_entry=True)
        self.leads[in_round, stack] = made
        self.calls[self.leads[self._below(in_round, stack)]].append((stack.box, made))

    def repeat(self, top: Stack) -> None:
        """After each round comes another: at the stack of its end, it goes on as at its start."""
        assert self.bottom is not None, "there is a pump"
        first, last = self.leads[True, self.bottom], self.lead(True, top)
        self.steps[last] += self.steps[first]
        self.calls[last] += self.calls[first]

    @property
    def starts(self) -> list[int]:
        """The new nodes for the empty stack."""
        return [made for (_, stack), made in self.leads.items() if not stack]

    def _node(self, component: int, *, is_entry: bool = False) -> int:
        self.component.append(component)
        self.is_entry.append(is_entry)
        self.steps.append([])
        self.calls.append([])
        return len(self.component) - 1


class _Arrays:
    """The arrays of the old model (`RSM.from_arrays`), with new nodes after the old ones of each
    component, and new calls after the old ones of each box.
    """

    def __init__(self, old: RSM, new: _NewNodes) -> None:
        self.old, self.new = old, new
        self.arrays = {name: _numbers(name, data) for name, data in old.core.arrays().items()}
        more = [0] * old.core.components
        for component in new.component:
            more[component] += 1
        self.shift = list(accumulate(more, initial=0))
        """Of each component: how far its old nodes move."""
        self.calls: dict[int, dict[int, None]] = {}
        """Of each box the new entries that it calls."""
        for row in new.calls:
            for box, entry in row:
                self.calls.setdefault(box, {})[entry] = None
        self._place_nodes()

    def _place_nodes(self) -> None:
        offsets, used = self.arrays["component_offsets"], [0] * (len(self.shift) - 1)
        for component in self.new.component:
            at = offsets[component + 1] + self.shift[component] + used[component]
            used[component] += 1
            self.new.place.append(at)
        self.moved = array("i", bytes(4 * offsets[-1]))
        """Of each old declared node its new number."""
        for component, (first, end) in enumerate(pairwise(offsets)):
            by = self.shift[component]
            self.moved[first:end] = array("i", range(first + by, end + by))

    def model(self) -> RSM:
        old, new, arrays = self.old, self.new, self.arrays
        offsets = arrays["component_offsets"]
        sources, targets, made = self._edges()
        rsmcheck = old.semantics is Semantics.RSMCHECK
        return RSM.from_flat(
            {
                "component_offsets": _view(a + b for a, b in zip(offsets, self.shift, strict=True)),
                "node_flags": memoryview(self._flags()),
                "box_offsets": _view(arrays["box_offsets"]),
                "box_callee": _view(arrays["box_callee"]),
                "call_offsets": _view(made["call_offsets"]),
                "call_entries": _view(made["call_entries"]),
                "return_offsets": _view(arrays["return_offsets"]),
                "return_exits": _view(self.moved[each] for each in arrays["return_exits"]),
                "edge_sources": _view(sources),
                "edge_targets": _view(targets),
                "label_offsets": _view(arrays["label_offsets"]),
                "label_nodes": _view(self.moved[each] for each in arrays["label_nodes"]),
            },
            label_ids=old.label_ids,
            initial=[new.place[each] for each in new.starts],
            names=None,
            semantics=Semantics.RSMCHECK if rsmcheck else Semantics.STANDARD,
            dead_ends=old.dead_ends,
            source=None,
            positions=None,
        )

    def _flags(self) -> bytes:
        flags = bytearray(len(self.moved) + self.shift[-1])
        for at, flag in zip(self.moved, self.arrays["node_flags"], strict=True):
            flags[at] = flag
        for at, is_entry in zip(self.new.place, self.new.is_entry, strict=True):
            flags[at] = _ENTRY if is_entry else 0
        return bytes(flags)

    def _edges(self) -> tuple[list[int], list[int], dict[str, list[int]]]:
        """Sources and targets, and the calls of boxes."""
        arrays, new, place = self.arrays, self.new, self.new.place
        old_nodes, nodes = len(self.moved), len(self.moved) + self.shift[-1]
        old_calls = arrays["call_entries"]
        entries: list[int] = []
        offsets = [0]
        at_call: list[int] = []
        """Of each old call its new number,"""
        new_call: dict[tuple[int, int], int] = {}
        """and of each new one."""
        old_call = {(box, node): -1 for _, box, node in new.arrivals if box >= 0}
        """Calls that are dead ends, as they are numbered now."""
        for box, (first, end) in enumerate(pairwise(arrays["call_offsets"])):
            at_call += range(len(entries), len(entries) + end - first)
            for each in old_calls[first:end]:
                if (box, each) in old_call:
                    old_call[box, each] = len(entries)
                entries.append(self.moved[each])
            for entry in self.calls.get(box, ()):
                new_call[box, entry] = len(entries)
                entries.append(place[entry])
            offsets.append(len(entries))
        returns = nodes + len(entries) - old_nodes - len(old_calls)
        sources = [
            self.moved[each] if each < old_nodes else each + returns
            for each in arrays["edge_sources"]
        ]
        targets = [
            self.moved[each] if each < old_nodes else nodes + at_call[each - old_nodes]
            for each in arrays["edge_targets"]
        ]
        for at, (steps, calls) in enumerate(zip(new.steps, new.calls, strict=True)):
            sources += [place[at]] * (len(steps) + len(calls))
            targets += [place[each] for each in steps]
            targets += [nodes + new_call[call] for call in calls]
        for door, box, node in new.arrivals:
            sources.append(place[door])
            targets.append(self.moved[node] if box < 0 else nodes + old_call[box, node])
        return sources, targets, {"call_offsets": offsets, "call_entries": entries}


def _numbers(name: str, data: bytes) -> array[int]:
    return array("B" if name == "node_flags" else "i", data)


def _view(numbers: Iterable[int]) -> memoryview:
    return memoryview(array("i", numbers))
