"""What is true under a given stack, and before the run returns from it: the stack is inlined.

A certificate (docs/certificate-rules.md) makes claims about all states (s, n) with certain stacks
s: that something is true there, or that a path from there *that stays above s* does something. Here
such a claim about one stack s becomes a plain question in CTL.

The machine with s inlined has one clone of a component for each box of s, and one for the bottom,
all in one component, the initial one. The run is in it with the empty stack. With `k/n` for node n
of the k-th clone:

* A box of a clone that is on the stack is replaced by edges: to call (b, en) is to be at (s.b, en),
  so an edge to the call node goes to node en of the next clone, and being at exit (s.b, ex) is being
  at the return node, so the edges of return node (b, ex) leave from ex of the next clone (T1 of the
  semantics). Without such edges, or not listed at all, ex is a dead end with the labels of ex, as T3
  has it. A call of an entry that is an exit goes to that exit, one moment with its return (T2); in
  the `rsmcheck` reading it is a node of the caller without successor, which we add.
* All other boxes call the components of the machine, as before: (s, n) and what is above s are
  states of the topmost clone, or states in calls from it.
* Only the exits of the bottom clone are exits: with the empty stack they loop (T1).

So (s, n) and node `k/n` of the topmost clone k have the same steps and labels all the way: each state
of the machine whose stack begins with s is one of the inlined machine, and conversely.

The exits of the topmost clone get labels of their own, `leave` and `leave n`. A path from (s, n)
stays above s just as long as no state *before* its last has `leave`: to go on from (s, ex) is to
return. (Under a box without return node, and with the empty stack, it does not return, but the
claims count that as reaching the exit too.) Hence:

    reaches(f, g)   E[(f & !leave) U g]      some path above s goes through f to a state with g
    stays(f)        EG (f & !leave)          some path through f is maximal and stays above s
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from oracle.machine import Box, Machine, Node, Ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.formula import Formula

from oracle.machine import Component

NAME = "inlined"
LEAVE: Formula = ("atom", "leave")


def leave_by(node: str) -> Formula:
    """True at this exit of the topmost clone only."""
    return ("atom", f"leave {node}")


def reaches(through: Formula, goal: Formula) -> Formula:
    """Some path that stays above the stack goes through `through` to a state with `goal`."""
    return ("EU", ("and", through, ("not", LEAVE)), goal)


def stays(through: Formula) -> Formula:
    """Some path through `through` is maximal and stays above the stack."""
    return ("EG", ("and", through, ("not", LEAVE)))


def inline(machine: Machine, bottom: str, boxes: Sequence[str]) -> Machine:
    """The machine with this stack inlined, from a component up."""
    clones = [machine.component[bottom]]
    for box in boxes:
        clones.append(machine.component[clones[-1].box[box].component])
    nodes: list[Node] = []
    others: list[Box] = []
    edges: dict[tuple[Ref, Ref], None] = {}
    for level, clone in enumerate(clones):
        top = level == len(boxes)
        on_stack = None if top else boxes[level]
        for node in clone.nodes:
            own = ("leave", f"leave {node.name}") if top and node.is_exit else ()
            at_bottom = node.is_exit and level == 0
            nodes.append(
                Node(f"{level}/{node.name}", is_exit=at_bottom, labels=(*node.labels, *own))
            )
        for box in clone.boxes:
            if box.name != on_stack:
                others.append(replace(box, name=f"{level}/{box.name}"))
            elif machine.semantics == "rsmcheck":
                callee = machine.component[box.component]
                nodes += [
                    Node(_stub(level, box.name, name), labels=callee.node[name].labels)
                    for name in box.call_nodes
                    if callee.node[name].is_exit
                ]
        for source, target in clone.edges:
            left = _source(level, on_stack, source)
            edges[left, _target(machine, level, clone, on_stack, target)] = None
    component = Component(NAME, tuple(nodes), tuple(others), tuple(edges))
    return replace(
        machine,
        components=(*machine.components, component),
        initial_component=NAME,
        initial_nodes=(nodes[0].name,),
    )


def _stub(level: int, box: str, entry: str) -> str:
    return f"{level}/{box}/{entry}"


def _source(level: int, on_stack: str | None, ref: Ref) -> Ref:
    if isinstance(ref, str):
        return f"{level}/{ref}"
    if ref[0] == on_stack:
        return f"{level + 1}/{ref[1]}"
    return (f"{level}/{ref[0]}", ref[1])


def _target(machine: Machine, level: int, clone: Component, on_stack: str | None, ref: Ref) -> Ref:
    if isinstance(ref, str):
        return f"{level}/{ref}"
    if ref[0] != on_stack:
        return (f"{level}/{ref[0]}", ref[1])
    callee = machine.component[clone.box[ref[0]].component]
    if machine.semantics == "rsmcheck" and callee.node[ref[1]].is_exit:
        return _stub(level, ref[0], ref[1])
    return f"{level + 1}/{ref[1]}"
