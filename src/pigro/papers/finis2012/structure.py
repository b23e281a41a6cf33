"""Recursive Kripke structures: the model as [Finis2012] walks it, read once for all formulas.

A component is a sub-structure S of Definition 2.4.1. Its nodes are numbered 0, 1, ... in the order
of the model.

    thesis          here                        thesis          here
    S               Structure                   c in C(S)       a key of Structure.calls
    l in L(S)       every other node            nu(c)           Call.callee
    l_in            Structure.entry             l_succ(c)       the successors of Call.back
    l_out           Structure.exit

Deviations from Definition 2.4.1, all towards the models that Pigro reads:
 - A call need not have exactly one successor location. What follows it are the successors of its
   return node `Call.back`: any number of them, calls among them (so equations 2.3 and 2.4 are
   dropped), or the return node is missing (-1).
 - The return node is a location of its own, with the labels of the callee's exit. It is entered
   only where the model loader made a call of an entry-exit node lead to it.
 - Sub-structures may lack an entry or an exit (-1), and initial nodes may be any nodes.
 - Locations without successors are dead ends (equation 2.1 is dropped).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pigro._core import NodeKind
from pigro.diagnostics import printable

if TYPE_CHECKING:
    from pigro.model import RSM

NONE = -1
"""No such node."""


class CallTarget(NamedTuple):
    """What a call node stands for."""

    callee: int
    """The component that it calls."""
    back: int
    """Its return node."""


@dataclass(slots=True, eq=False)
class Structure:
    """A component with at most one entry that is called and at most one exit."""

    component: int
    first: int
    """The model's number of node 0."""
    width: int
    successors: list[list[int]]
    predecessors: list[list[int]]
    subjects: list[int]
    """For each node, the node of the model whose labels it carries."""
    calls: dict[int, CallTarget]
    exit: int = NONE
    entry: int = NONE
    after: dict[int, list[int]] = field(default_factory=dict)
    """For a node, the calls after whose return it is a next node."""
    locations: list[int] = field(default_factory=list)
    """All nodes but the calls."""


Structures = dict[int, Structure]


def misfit(model: RSM) -> str | None:
    """Why the model is not single-entry single-exit, if it is not.

    Only what the initial nodes can reach through calls counts. Entries that are exits too are never
    called: the model loader makes such calls lead to the return node.
    """
    found = _kept(model)
    return found if isinstance(found, str) else None


def structures_of(model: RSM) -> Structures:
    """The components that the initial nodes reach, in the order in which they are reached.

    Needs: no `misfit`.
    """
    found = _kept(model)
    assert not isinstance(found, str), found
    return found


def _kept(model: RSM) -> Structures | str:
    return model.kept("structures", _read_all)


def _read_all(model: RSM) -> Structures | str:
    core = model.core
    waiting = list(dict.fromkeys(core.component(node) for node in model.initial))
    seen = set(waiting)
    found: Structures = {}
    entries: dict[int, int] = {}
    for component in waiting:  # grows while we walk
        exits, structure = _read(model, component)
        if exits > 1:
            return f"{_named(model, component)} has {exits} exits"
        found[component] = structure
        for node, call in structure.calls.items():
            if call.callee not in seen:
                seen.add(call.callee)
                waiting.append(call.callee)
            entry = structure.subjects[node]
            if entries.setdefault(call.callee, entry) != entry:
                return f"{_named(model, call.callee)} is called at several entries"
    for component, entry in entries.items():
        found[component].entry = entry - found[component].first
    return found


def _named(model: RSM, component: int) -> str:
    name = printable(model.names.components[component])
    return f'it needs one entry and one exit per component, but "{name}"'


def _read(model: RSM, component: int) -> tuple[int, Structure]:
    """How many exits the component has, and its structure if that is at most one."""
    core = model.core
    nodes = core.nodes_of(component)
    first = nodes[0] if nodes else 0
    successors = [[to - first for to in core.successors(node)] for node in nodes]
    predecessors: list[list[int]] = [[] for _ in nodes]
    for node, row in enumerate(successors):
        for to in row:
            predecessors[to].append(node)
    subjects = [core.subject(node) for node in nodes]
    structure = Structure(
        component, first, len(nodes), successors, predecessors, subjects, calls={}
    )
    exits = 0
    for node, number in enumerate(nodes):
        kind = core.kind(number)
        if kind is NodeKind.EXIT:
            structure.exit = node
            exits += 1
        if kind is not NodeKind.CALL:
            structure.locations.append(node)
            continue
        box = core.box(number)
        returns = core.returns(box)
        back = returns[0] - first if returns else NONE
        structure.calls[node] = CallTarget(core.callee(box), back)
        if back != NONE:
            for following in successors[back]:
                structure.after.setdefault(following, []).append(node)
    return exits, structure
