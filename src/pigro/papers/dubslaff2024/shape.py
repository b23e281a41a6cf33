"""The model as the engines of [Dubslaff2024] walk it: read once, shared by all formulas.

A component becomes a `ComponentBody`. A set of nodes is an int. Invariants:

 SH1  nodes are numbered 0, 1, ... with the exits first: the low bits of a set are the exits.
 SH2  the return nodes of a box lie side by side, ascending by exit (native/core/model/model.hpp,
      M3), so that what waits for a callee is a slice of the caller's set of nodes (see
      `LocalBox.slice`).

    paper           here                    paper               here
    A_i             ComponentBody           b in B_i            LocalBox
    Ex_i            ComponentBody.exits     Y_i(b)              ContextInstance.callee[box.slot]
    n -> n'         ComponentBody.after     (b, en), (b, ex)    LocalBox.calls, LocalBox.slice

Bodies, not instances, hold the structure: copies of a component share it (Alg. 2, footnote 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro import _core
from pigro.papers.dubslaff2024.reach import mark_reached, ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model import RSM

_WIDE = 4096
"""Bodies with more nodes keep no ready-made neighbour sets: those would be quadratic."""


def bits(nodes: int) -> Iterator[int]:
    """The members of a set of nodes, ascending."""
    while nodes:
        low = nodes & -nodes
        yield low.bit_length() - 1
        nodes ^= low


def bytes_for(bits: int) -> int:
    """The size of a set in the core: words of 64 bits."""
    return (bits + 63) // 64 * 8


class LazyNeighbours(Sequence[int]):
    """Neighbour sets that are made when asked for."""

    def __init__(self, rows: list[list[int]]) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> int:  # type: ignore[override]
        return as_set(self._rows[index])


def as_set(members: list[int]) -> int:
    """A list of node numbers as a set."""
    result = 0
    for member in members:
        result |= 1 << member
    return result


@dataclass(slots=True, eq=False)
class LocalBox:
    """A box in its component."""

    box: int
    """Its number in the model."""
    slot: int
    """Its place among the sites of its body."""
    callee: int
    calls: list[tuple[int, int]] = field(default_factory=list)
    """Call nodes: (node here, entry in the callee)."""
    call_set: int = 0
    reached: bool = False
    """Whether a run may enter the box."""
    start: int = 0
    """The first return node."""
    exits: list[int] = field(default_factory=list)
    """Which exit of the callee each return node belongs to."""
    returns: int = 0
    """The return nodes."""
    is_partial: bool = False
    """Return nodes don't tell all: some exits have none here, or no run enters the box."""
    listed: int = 0
    """Those exits as a set."""
    dense: bool = True
    """All exits up to the last listed one are listed."""

    def calls_of(self, entries: int) -> int:
        """The call nodes that call one of these entries."""
        result = 0
        for node, entry in self.calls:
            if entries >> entry & 1:
                result |= 1 << node
        return result

    def slice(self, nodes: int) -> int:
        """The exits of the callee whose return nodes are in `nodes`."""
        part = nodes >> self.start
        if self.dense:
            return part & self.listed
        result = 0
        for place, exit_ in enumerate(self.exits):
            result |= (part >> place & 1) << exit_
        return result


@dataclass(slots=True, eq=False)
class ComponentBody:
    """A component: nodes, edges and boxes."""

    component: int
    places: _core.Places
    nodes: list[int]
    """Node numbers of the model."""
    size: int
    """Of a set of nodes in the core, in bytes."""
    every: int
    exits: int
    successors: list[list[int]]
    after: Sequence[int]
    before: Sequence[int]
    sites: list[LocalBox]
    site_of: dict[int, LocalBox] = field(default_factory=dict)
    """By the number of the box in the model."""
    calls: int = 0
    """All call nodes."""
    called: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each of them, the slot of its site and the entry in the callee."""
    dead: int = 0
    """Nodes without successors that are neither exits nor call nodes."""
    plain: int = 0
    """Nodes whose step is an edge of this body."""
    returns: int = 0
    """All return nodes."""
    partial: list[LocalBox] = field(default_factory=list)
    """The sites whose return nodes don't tell all."""
    entries: int = 0
    """Entries that boxes call."""
    rank: int = 0
    """Callees have smaller or equal ranks. Equal ones call each other."""
    recursive: bool = False

    def before_all(self, nodes: int) -> int:
        """The nodes with an edge into `nodes`."""
        found = self.places.before(self.component, nodes.to_bytes(self.size, "little"))
        return int.from_bytes(found, "little")


@dataclass(slots=True, eq=False)
class ComponentGraphs:
    """The components that the initial nodes reach, by number, and their label bearers."""

    model: RSM
    places: _core.Places
    """The nodes by their numbers in bodies, in the core."""
    bodies: dict[int, ComponentBody] = field(default_factory=dict)
    place: dict[int, int] = field(default_factory=dict)
    """Node number of the model -> number in its body."""
    bearers: dict[int, list[int]] = field(default_factory=dict)
    """Declared node -> the call and return nodes that carry its labels."""

    def labelled(self, label: int) -> dict[int, int]:
        """The nodes that carry a label, as a set for each component that has any."""
        found: dict[int, int] = {}
        component = self.model.core.component
        for subject in self.model.core.labelled(label):
            for node in (subject, *self.bearers.get(subject, ())):
                if node in self.place:
                    at = component(node)
                    found[at] = found.get(at, 0) | 1 << self.place[node]
        return found


def shape_of(model: RSM) -> ComponentGraphs:
    """The model's shape, made at the first request."""
    return model.kept("shape", _read)


def _read(model: RSM) -> ComponentGraphs:
    shape = ComponentGraphs(model, _core.Places(model.core))
    component = model.core.component
    waiting = list(dict.fromkeys(component(node) for node in model.initial))
    seen = set(waiting)
    for each in waiting:  # grows while we walk
        shape.bodies[each] = body = _body(shape, each)
        for site in body.sites:
            if site.callee not in seen:
                seen.add(site.callee)
                waiting.append(site.callee)
    for body in shape.bodies.values():
        _link_calls(shape, body)
    mark_reached(shape)
    for body in shape.bodies.values():
        for site in body.sites:
            site.is_partial = not site.reached or site.listed != shape.bodies[site.callee].exits
        body.partial = [site for site in body.sites if site.is_partial]
    order = ranks({c: [s.callee for s in b.sites] for c, b in shape.bodies.items()})
    for number, body in shape.bodies.items():
        body.rank, body.recursive = order[number]
    return shape


def _body(shape: ComponentGraphs, component: int) -> ComponentBody:
    core = shape.model.core
    kind, exit_kind, call_kind = core.kind, _core.NodeKind.EXIT, _core.NodeKind.CALL
    kinds = {node: kind(node) for node in core.nodes_of(component)}
    nodes = sorted(kinds, key=lambda node: (kinds[node] is not exit_kind, node))  # SH1
    for place, node in enumerate(nodes):
        shape.place[node] = place
        subject = core.subject(node)
        if subject != node:
            shape.bearers.setdefault(subject, []).append(node)
    place_of = shape.place
    successors = [[place_of[to] for to in core.successors(node)] for node in nodes]
    predecessors: list[list[int]] = [[] for _ in nodes]
    for place, row in enumerate(successors):
        for to in row:
            predecessors[to].append(place)
    body = ComponentBody(
        component=component,
        places=shape.places,
        nodes=nodes,
        size=bytes_for(len(nodes)),
        every=(1 << len(nodes)) - 1,
        exits=(1 << sum(each is exit_kind for each in kinds.values())) - 1,
        successors=successors,
        after=_neighbours(successors),
        before=_neighbours(predecessors),
        sites=[],
        calls=as_set([place_of[n] for n, each in kinds.items() if each is call_kind]),
    )
    leaf = as_set([place for place, row in enumerate(successors) if not row])
    body.dead = leaf & ~body.exits & ~body.calls
    body.plain = body.every & ~body.exits & ~body.calls
    _add_sites(shape, body, predecessors)
    return body


def _neighbours(rows: list[list[int]]) -> Sequence[int]:
    return [as_set(row) for row in rows] if len(rows) <= _WIDE else LazyNeighbours(rows)


def _add_sites(shape: ComponentGraphs, body: ComponentBody, predecessors: list[list[int]]) -> None:
    """The boxes that some edge goes to, calls of entry-exit nodes included."""
    core = shape.model.core
    used = {core.box(node) for node, row in zip(body.nodes, predecessors, strict=True) if row}
    for box in core.boxes_of(body.component):
        if box in used:
            body.sites.append(LocalBox(box, len(body.sites), core.callee(box)))


def _link_calls(shape: ComponentGraphs, body: ComponentBody) -> None:
    core, place = shape.model.core, shape.place
    body.site_of = by_box = {site.box: site for site in body.sites}
    for at in bits(body.calls):
        node = body.nodes[at]
        site = by_box[core.box(node)]
        entry = place[core.subject(node)]
        site.calls.append((at, entry))
        body.called[at] = site.slot, entry
        site.call_set |= 1 << at
        shape.bodies[site.callee].entries |= 1 << entry
    for site in body.sites:
        returns = core.returns(site.box)
        if returns:
            site.start = place[returns[0]]
            site.exits = [place[core.subject(node)] for node in returns]  # SH1, SH2
            body.returns |= (1 << len(returns)) - 1 << site.start
            site.returns = (1 << len(returns)) - 1 << site.start
            site.listed = as_set(site.exits)
            site.dense = site.exits == list(range(len(site.exits)))
