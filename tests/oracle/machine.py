"""Recursive state machines, and THE definition of their Kripke structure.

Everything here follows docs/semantics.md, whose rules are cited as T1 ... T5.

States are written in ONE way each, though the rules let several pairs (stack, node) be one
moment:

* T1 call: (s, (b,en)) is one moment with (s.b, en). We always write (s.b, en).
* T1 return: (s.b, ex) is one moment with (s, (b,ex)). We always write (s.b, ex).
* T2: a call of a node that is both entry and exit is one moment with its return node. Both ways
  of writing above give (s.b, en), an exit under a box, so nothing more is needed.
* T2, `rsmcheck` reading only: such a call is a node of the caller without successor. We write (s,
  (b,en)). No other state is written with a pair as its node.

A stack is a tuple of (component, box) names, outermost call first.

The reading `rmv` is [Finis2012], definition 2.4.3. It differs from the standard reading in the exits
with the empty stack: equation 2.8 leads from there to the termination state `TERMINATED`, equation
2.9 is its loop, and no label holds in it. The virtual initial call of the thesis is the bottom of
every stack, so it is not written: its stack [c_in] is () here, and its stack [] is TERMINATED.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

Ref = (
    str | tuple[str, str]
)  # a node, or (box, node): a return node as source, a call node as target
Stack = tuple[tuple[str, str], ...]
State = tuple[Stack, Ref]
DeadEnds = Literal["stutter", "stop"]
Semantics = Literal["standard", "rsmcheck", "rmv"]
TERMINATED: State = ((("", ""),), "")
"""The state ([], l_term) of the reading `rmv`. No box and no node has an empty name."""


@dataclass(frozen=True)
class Node:
    """A node of a component."""

    name: str
    is_entry: bool = False
    is_exit: bool = False
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Box:
    """A call site: which component it calls, and the call and return nodes it lists."""

    name: str
    component: str
    call_nodes: tuple[str, ...] = ()
    return_nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Component:
    """Nodes, boxes, and edges between them."""

    name: str
    nodes: tuple[Node, ...]
    boxes: tuple[Box, ...] = ()
    edges: tuple[tuple[Ref, Ref], ...] = ()

    @cached_property
    def node(self) -> dict[str, Node]:
        """The nodes by name."""
        return {n.name: n for n in self.nodes}

    @cached_property
    def box(self) -> dict[str, Box]:
        """The boxes by name."""
        return {b.name: b for b in self.boxes}

    @cached_property
    def targets(self) -> dict[Ref, tuple[Ref, ...]]:
        """The edges by source; a source without edges is missing. Repeated edges count once."""
        found: dict[Ref, dict[Ref, None]] = {}
        for source, target in self.edges:
            found.setdefault(source, {})[target] = None
        return {source: tuple(targets) for source, targets in found.items()}


@dataclass(frozen=True)
class Machine:
    """A recursive state machine with its way of being read."""

    components: tuple[Component, ...]
    initial_component: str
    initial_nodes: tuple[str, ...]
    dead_ends: DeadEnds = "stutter"
    semantics: Semantics = "standard"

    @cached_property
    def component(self) -> dict[str, Component]:
        """The components by name."""
        return {c.name: c for c in self.components}


def initial_states(machine: Machine) -> list[State]:
    """T4: the initial nodes with the empty stack. A formula holds if it holds in all of them."""
    return [((), name) for name in machine.initial_nodes]


def component_of(machine: Machine, stack: Stack) -> Component:
    """The component whose nodes are visited under `stack`."""
    if not stack:
        return machine.component[machine.initial_component]
    caller, box = stack[-1]
    return machine.component[machine.component[caller].box[box].component]


def steps(machine: Machine, state: State) -> list[State]:
    """All states one step later. Empty only at dead ends under `stop`."""
    if state == TERMINATED:  # equation 2.9
        return [TERMINATED]
    stack, node = state
    if isinstance(
        node, tuple
    ):  # T2, rsmcheck reading: a call of an entry that is an exit has no successor
        return dead_end(machine, state)
    here = component_of(machine, stack)
    if not here.node[
        node
    ].is_exit:  # T1 local and call: the targets of the node in its own component
        after = [arrive(machine, stack, here, target) for target in here.targets.get(node, ())]
    elif not stack:  # T1 loop: an exit with the empty stack loops forever, also under `stop`
        return [TERMINATED if machine.semantics == "rmv" else state]  # rmv: equation 2.8
    # T1 return: (s.b, ex) -> (s, n) for (b,ex) -> n; T3: without listed return node, a dead end
    else:
        caller_name, box_name = stack[-1]
        caller = machine.component[caller_name]
        listed = node in caller.box[box_name].return_nodes
        targets = caller.targets.get((box_name, node), ()) if listed else ()
        after = [arrive(machine, stack[:-1], caller, target) for target in targets]
    return after or dead_end(machine, state)


def dead_end(machine: Machine, state: State) -> list[State]:
    """T3: a state without successor stutters, or the path stops there."""
    return [state] if machine.dead_ends == "stutter" else []


def arrive(machine: Machine, stack: Stack, here: Component, target: Ref) -> State:
    """The one way to write the state at `target`, in component `here` under `stack`."""
    if isinstance(target, str):
        return (stack, target)
    box, entry = target
    callee = machine.component[here.box[box].component]
    if machine.semantics == "rsmcheck" and callee.node[entry].is_exit:
        return (stack, target)  # T2, rsmcheck reading
    return (
        (*stack, (here.name, box)),
        entry,
    )  # T1: a call node and the entry it calls are one moment


def labels(machine: Machine, state: State) -> tuple[str, ...]:
    """T5: call and return nodes carry the labels of the entry or exit they stand for."""
    if state == TERMINATED:
        return ()
    stack, node = state
    here = component_of(machine, stack)
    if isinstance(node, tuple):
        box, node = node
        here = machine.component[here.box[box].component]
    return here.node[node].labels


def problems(machine: Machine) -> list[str]:
    """What makes the machine no machine at all (docs/formats/rsm.md and T5). Empty when it is well-formed."""
    found = []
    if len(machine.component) != len(machine.components):
        found.append("component names repeat")
    if machine.initial_component not in machine.component:
        return [*found, "no such initial component"]
    nodes = machine.component[machine.initial_component].node
    if not machine.initial_nodes or any(name not in nodes for name in machine.initial_nodes):
        found.append("initial nodes missing or unknown")
    for component in machine.components:
        found += [f"{component.name}: {text}" for text in _component_problems(machine, component)]
    return found


def _component_problems(machine: Machine, here: Component) -> list[str]:
    found = []
    if len({n.name for n in here.nodes} | {b.name for b in here.boxes}) != len(here.nodes) + len(
        here.boxes
    ):
        found.append("node or box names repeat")
    for box in here.boxes:
        callee = machine.component.get(box.component)
        if callee is None:
            return [*found, f"box {box.name} calls no component"]
        found += [
            f"box {box.name} lists {name}, which is no entry"
            for name in box.call_nodes
            if name not in callee.node or not callee.node[name].is_entry
        ]
        found += [
            f"box {box.name} lists {name}, which is no exit"
            for name in box.return_nodes
            if name not in callee.node or not callee.node[name].is_exit
        ]
    for source, target in here.edges:
        if isinstance(source, str):
            if source not in here.node or here.node[source].is_exit:
                found.append(f"{source} is no node or an exit with successors")
        elif source[0] not in here.box or source[1] not in here.box[source[0]].return_nodes:
            found.append(f"{source} is no listed return node")
        if isinstance(target, str):
            if target not in here.node:
                found.append(f"{target} is no node")
        elif target[0] not in here.box or target[1] not in here.box[target[0]].call_nodes:
            found.append(f"{target} is no listed call node")
    return found


def to_json_dict(machine: Machine) -> dict[str, Any]:
    """The machine as `.rsm` JSON (docs/formats/rsm.md); dead_ends and semantics are options of the check,
    not of the file.
    """
    one = len(machine.initial_nodes) == 1
    return {
        "initial_component": machine.initial_component,
        "initial_node": machine.initial_nodes[0] if one else list(machine.initial_nodes),
        "components": [_component_json(component) for component in machine.components],
    }


def _component_json(component: Component) -> dict[str, Any]:
    return {
        "name": component.name,
        "nodes": [
            {"name": n.name, "is_entry": n.is_entry, "is_exit": n.is_exit, "labels": list(n.labels)}
            for n in component.nodes
        ],
        "boxes": [
            {
                "name": b.name,
                "component": b.component,
                "call_nodes": list(b.call_nodes),
                "return_nodes": list(b.return_nodes),
            }
            for b in component.boxes
        ],
        "transitions": [
            {"source": _ref_json(source), "targets": [_ref_json(target) for target in targets]}
            for source, targets in component.targets.items()
        ],
    }


def _ref_json(ref: Ref) -> dict[str, str]:
    if isinstance(ref, str):
        return {"type": "node", "name": ref}
    return {"type": "box_node", "node_name": ref[1], "box_name": ref[0]}
