"""The model with new nodes that lead to the states of a run, and so questions about these states.

An engine tells the truth of a formula at an initial node with the empty stack. A run has states
with other stacks, and a pump even states with endless many: each round has one more piece of the
stack. So new nodes are added, one entry for each stack of the run. They call each other by the
boxes of the stack:

    lead(s) -> call of box b at lead(s b)     for each stack s b of the run
    lead(s) -> probe(s, n) -> n               for each state (s, n) of the run

The one step after a *probe* leads to its state. No old node leads to a new one, so all old states
are as before. Of a pump with the stack s at its start and s w at its end, the new node for s w goes
on like the one for s. So a probe of the round leads to its state in every round, and no others.

Cost: linear in the model and the stacks of the run.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.evidence.states import State
from pigro.model import RSM, Semantics
from pigro.model.assembly import ENTRY, LooseAssembly

if TYPE_CHECKING:
    from pigro.evidence import Path, Stack


@dataclass(frozen=True, slots=True)
class ProbeModel:
    """A model with probes to the states of a path."""

    model: RSM
    probes: tuple[int, ...]
    """Of each state of the path, by number among the declared nodes. The last state of a pump has
    that of its start.
    """


def probe_model(model: RSM, path: Path) -> ProbeModel:
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
    probes = [new.probe(state, in_round=at >= start) for at, state in enumerate(states)]
    if pumps:
        probes.append(probes[start])
        new.repeat(last.stack)
    made, place = _joined(model, new)
    return ProbeModel(made, tuple([place[probe] for probe in probes]))


def back_to(model: RSM, probed: RSM, path: Path, before: int) -> Path:
    """A run of the model that leads to a state, from there on, with the numbers of the old model.

    `before` is the number of states at new nodes, after which there must be others.
    """
    states = tuple([_old_state(model, probed, state) for state in path.states[before:]])
    start = None if path.start is None else path.start - before
    assert start is None or start >= 0, "no run comes back to a new node"
    return replace(path, states=states, start=start)


def _old_state(model: RSM, probed: RSM, state: State) -> State:
    node, box = (
        old_node(model, probed, probed.core.subject(state.node)),
        probed.core.box(state.node),
    )
    if box >= 0 and node is not None:
        node = model.core.return_node(box, node)
    assert node is not None, "it is an old state"
    return State(state.stack, node)


def old_node(model: RSM, probed: RSM, declared: int) -> int | None:
    """A declared node of the model that leads to others, as the model itself numbers it.

    New nodes follow the old ones of each component. They are none.
    """
    component = probed.core.component(declared)
    at = declared - probed.core.nodes_of(component)[0]
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
        """and from a probe to an old declared node, or by a box, if any, to an old entry whose call
        is a dead end."""
        self.leads: dict[tuple[bool, Stack], int] = {}
        self.probes: dict[tuple[bool, State], int] = {}
        self.bottom: Stack | None = None
        """Of a pump: the stack at the start of a round."""

    def probe(self, state: State, *, in_round: bool) -> int:
        """The probe of a state, in the rounds of a pump or before."""
        key = (in_round, state)
        if key not in self.probes:
            made = self.probes[key] = self._node(self.core.component(state.node))
            old = self.core.declared_of_node(self.core.subject(state.node))
            self.arrivals.append((made, self.core.box(state.node), old))
            self.steps[self.lead(in_round, state.stack)].append(made)
        return self.probes[key]

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


def _joined(old: RSM, new: _NewNodes) -> tuple[RSM, list[int]]:
    """The model with the new nodes, which follow the old ones of each component, as new calls do
    those of each box. And where the new nodes are.
    """
    arrays = {name: _numbers(name, data) for name, data in old.core.arrays().items()}
    made = LooseAssembly(old.core.components)
    made.owner = _owners(arrays["component_offsets"])
    made.flags = bytearray(arrays["node_flags"])
    made.box_owner = _owners(arrays["box_offsets"])
    made.box_callee = list(arrays["box_callee"])
    made.call_box, made.call_entry = _owners(arrays["call_offsets"]), list(arrays["call_entries"])
    made.return_box = _owners(arrays["return_offsets"])
    made.return_exit = list(arrays["return_exits"])
    nodes, calls = len(made.owner), len(made.call_box)
    made.sources = [_end(each, nodes, nodes + calls) for each in arrays["edge_sources"]]
    made.targets = [_end(each, nodes, nodes) for each in arrays["edge_targets"]]
    for component, is_entry in zip(new.component, new.is_entry, strict=True):
        made.add_node(component, ENTRY * is_entry)
    new_calls: dict[tuple[int, int], int] = {}
    for at, (steps, called) in enumerate(zip(new.steps, new.calls, strict=True), nodes):
        for after in steps:
            made.edge(at, nodes + after)
        for box, entry in called:
            if (box, entry) not in new_calls:
                new_calls[box, entry] = made.call(box, nodes + entry)
            made.edge(at, new_calls[box, entry])
    wanted = {(box, node) for _, box, node in new.arrivals if box >= 0}
    listed = zip(made.call_box[:calls], made.call_entry[:calls], strict=True)
    dead = {call: ~at for at, call in enumerate(listed) if call in wanted}
    for probe, box, node in new.arrivals:
        made.edge(nodes + probe, node if box < 0 else dead[box, node])
    placed = made.placed()
    place = placed.place[nodes:]
    rows = placed.arrays | {
        "label_offsets": arrays["label_offsets"],
        "label_nodes": array("i", [placed.place[each] for each in arrays["label_nodes"]]),
    }
    rsmcheck = old.semantics is Semantics.RSMCHECK
    model = RSM.from_flat(
        {name: memoryview(row) for name, row in rows.items()},
        label_ids=old.label_ids,
        initial=[place[each] for each in new.starts],
        names=None,
        semantics=Semantics.RSMCHECK if rsmcheck else Semantics.STANDARD,
        dead_ends=old.dead_ends,
        source=None,
        positions=None,
    )
    return model, place


def _owners(offsets: array[int]) -> list[int]:
    """Of each thing what it belongs to."""
    return [owner for owner, (a, b) in enumerate(pairwise(offsets)) for _ in range(b - a)]


def _end(number: int, nodes: int, first: int) -> int:
    """An end of an edge: a node, or `~i` for the i-th call or return."""
    return number if number < nodes else ~(number - first)


def _numbers(name: str, data: bytes) -> array[int]:
    return array("B" if name == "node_flags" else "i", data)
