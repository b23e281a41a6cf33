"""All machines up to a small size, each once up to symmetries that cannot change a verdict.

`all_machines(Size(...))` yields every machine with at most that many components, nodes, exits,
boxes and edges, except

* those with a part that cannot matter: a node without a path to it (a path that may leave a call
  by any return node), a box never called, an edge from a return node whose box is never called.
  Without it they are smaller machines;
* those that differ by renaming nodes or boxes of one component. Component 0 is the initial one,
  and with at most two components there is nothing else to rename;
* those read in a way that makes no difference: `stop` comes only with machines that have a dead
  end, `rsmcheck` only with machines that call a node that is an exit.

There is one initial node. A node is an entry when some box calls it. Return nodes are listed when
they have edges. What is left open means the same either way, so it alternates from one machine to
the next: the initial node is marked as entry too. Call nodes without edges to them and return
nodes without edges are listed too (an unlisted return node and a listed one without edges are
both dead ends by T3).

Counts, labels () and p (components, nodes, exits, boxes, edges): (1,2,1,1,4) 1,564; (1,2,2,1,8)
2,892; (1,2,2,2,4) 10,136; (1,3,2,1,4) 55,656; (2,2,1,1,4) 50,114; (2,2,2,1,4) 64,036; (2,2,1,1,5)
248,836. Enumeration takes about 0.04 ms a machine, `contexts.decide_many` with FORMULAS about
0.75 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING

from oracle.formula import TRUE, Formula
from oracle.machine import Box, Component, DeadEnds, Machine, Node, Ref, Semantics

if TYPE_CHECKING:
    from collections.abc import Iterator

Point = tuple[int, ...]  # (component, node), or (component, box, node of the callee)
Edge = tuple[Point, Point]
Labels = tuple[str, ...]


@dataclass(frozen=True)
class Size:
    """Upper bounds. Nodes, exits and boxes are per component, edges in the whole machine."""

    components: int = 2
    nodes: int = 2
    exits: int = 1
    boxes: int = 1
    edges: int = 4
    labels: tuple[Labels, ...] = ((), ("p",))  # what a node may carry


@dataclass(frozen=True)
class Skeleton:
    """Per component: how many nodes, how many of them (the first ones) are exits, what the boxes
    call.
    """

    nodes: tuple[int, ...]
    exits: tuple[int, ...]
    boxes: tuple[tuple[int, ...], ...]

    def sources(self) -> list[Point]:
        """Where edges may start: nodes that are no exits, return nodes."""
        plain = [(c, n) for c, count in enumerate(self.nodes) for n in range(self.exits[c], count)]
        back = [
            (c, b, x)
            for c, row in enumerate(self.boxes)
            for b, d in enumerate(row)
            for x in range(self.exits[d])
        ]
        return [*plain, *back]

    def targets(self, source: Point) -> list[Point]:
        """Where edges from `source` may lead: nodes and call nodes of its component."""
        c = source[0]
        plain = [(c, n) for n in range(self.nodes[c])]
        return [
            *plain,
            *((c, b, n) for b, d in enumerate(self.boxes[c]) for n in range(self.nodes[d])),
        ]


def all_machines(size: Size) -> Iterator[Machine]:
    """Every machine up to `size`, each once up to the symmetries of the module's header."""
    if size.components > 2:
        raise ValueError("three components: renaming the called ones is not broken")
    turn = 0
    for skeleton in _skeletons(size):
        slots = [
            (source, target) for source in skeleton.sources() for target in skeleton.targets(source)
        ]
        starts = [n for n in (0, skeleton.exits[0]) if n < skeleton.nodes[0]]
        for start in sorted(
            set(starts)
        ):  # the initial node: the first exit, or the first node that is none
            groups = list(_renamings(skeleton, start))
            for count in range(size.edges + 1):
                for edges in combinations(slots, count):
                    if not _all_reached(skeleton, start, edges):
                        continue
                    readings = _readings(skeleton, edges)
                    for numbers in _labellings(skeleton, size, edges, groups):
                        labels = [[size.labels[k] for k in row] for row in numbers]
                        for reading in readings:
                            turn += 1
                            yield _machine(skeleton, start, edges, labels, reading, turn)


def _skeletons(size: Size) -> Iterator[Skeleton]:
    for count in range(1, size.components + 1):
        kinds = [(n, x) for n in range(1, size.nodes + 1) for x in range(min(n, size.exits) + 1)]
        callees = [
            row
            for k in range(size.boxes + 1)
            for row in combinations_with_replacement(range(count), k)
        ]
        for chosen in product(kinds, repeat=count):
            for boxes in product(callees, repeat=count):
                yield Skeleton(tuple(n for n, _ in chosen), tuple(x for _, x in chosen), boxes)


def _all_reached(skeleton: Skeleton, start: int, edges: tuple[Edge, ...]) -> bool:
    """Does a path, leaving calls by any return node, lead to every node, box and edge?"""
    after: dict[Point, list[Point]] = {}
    for source, target in edges:
        after.setdefault(source, []).append(target)
    seen: set[Point] = {(0, start)}
    called: set[Point] = set()
    todo: list[Point] = [(0, start)]

    def reach(point: Point) -> None:
        if point not in seen:
            seen.add(point)
            todo.append(point)

    while todo:
        for target in after.get(todo.pop(), ()):
            if len(target) == 2:
                reach(target)
            else:
                c, b, n = target
                callee = skeleton.boxes[c][b]
                called.add((c, b))
                reach((callee, n))
                for x in range(skeleton.exits[callee]):
                    reach((c, b, x))
    return (
        len(called) == sum(len(row) for row in skeleton.boxes)
        and sum(len(point) == 2 for point in seen) == sum(skeleton.nodes)
        and all(source in seen for source in after)
    )


Renaming = tuple[
    tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]
]  # new numbers of nodes, of boxes


def _renamings(skeleton: Skeleton, start: int) -> Iterator[Renaming]:
    """All ways but the identity to renumber nodes and boxes that keep exits, callees and the
    initial node.
    """
    nodes = []
    for c, count in enumerate(skeleton.nodes):
        kind = [(n < skeleton.exits[c], c == 0 and n == start) for n in range(count)]
        nodes.append(
            [
                p
                for p in permutations(range(count))
                if all(kind[p[n]] == kind[n] for n in range(count))
            ]
        )
    boxes = [
        [p for p in permutations(range(len(row))) if all(row[p[b]] == d for b, d in enumerate(row))]
        for row in skeleton.boxes
    ]
    for new_nodes in product(*nodes):
        for new_boxes in product(*boxes):
            if any(list(p) != sorted(p) for p in (*new_nodes, *new_boxes)):
                yield new_nodes, new_boxes


def _labellings(
    skeleton: Skeleton, size: Size, edges: tuple[Edge, ...], renamings: list[Renaming]
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """The labellings (numbers of `size.labels`) such that edges and labels are the least of all
    their renamings.
    """
    here = tuple(sorted(edges))
    same = []
    for renaming in renamings:
        there = tuple(
            sorted(
                (_rename(skeleton, a, renaming), _rename(skeleton, b, renaming)) for a, b in edges
            )
        )
        if there < here:
            return
        if there == here:
            same.append(renaming)
    kinds = range(len(size.labels))
    for labels in product(*(product(kinds, repeat=count) for count in skeleton.nodes)):
        if all(labels <= _relabel(labels, renaming) for renaming in same):
            yield labels


def _rename(skeleton: Skeleton, point: Point, renaming: Renaming) -> Point:
    nodes, boxes = renaming
    if len(point) == 2:
        c, n = point
        return (c, nodes[c][n])
    c, b, n = point
    return (c, boxes[c][b], nodes[skeleton.boxes[c][b]][n])


def _relabel(
    labels: tuple[tuple[int, ...], ...], renaming: Renaming
) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row[n] for n in new) for row, new in zip(labels, renaming[0], strict=True))


Reading = tuple[DeadEnds, Semantics]


def _readings(skeleton: Skeleton, edges: tuple[Edge, ...]) -> list[Reading]:
    """The ways to read the machine that may differ."""
    calls = [target for _, target in edges if len(target) == 3]
    has_edges = {source for source, _ in edges}
    readings: list[Reading] = [("stutter", "standard")]
    if any(source not in has_edges for source in skeleton.sources()):
        readings.append(("stop", "standard"))
    if any(n < skeleton.exits[skeleton.boxes[c][b]] for c, b, n in calls):
        readings += [("stutter", "rsmcheck"), ("stop", "rsmcheck")]
    return readings


def _machine(
    skeleton: Skeleton,
    start: int,
    edges: tuple[Edge, ...],
    labels: list[list[Labels]],
    reading: Reading,
    turn: int,
) -> Machine:
    entries = {(skeleton.boxes[p[0]][p[1]], p[2]) for _, p in edges if len(p) == 3}
    if turn % 2:
        entries.add((0, start))
    components = []
    for c, count in enumerate(skeleton.nodes):
        nodes = [
            Node(f"n{n}", (c, n) in entries, n < skeleton.exits[c], labels[c][n])
            for n in range(count)
        ]
        mine = [(source, target) for source, target in edges if source[0] == c]
        boxes = []
        for b, callee in enumerate(skeleton.boxes[c]):
            calls = {p[2] for _, p in mine if len(p) == 3 and p[1] == b}
            returns = {p[2] for p, _ in mine if len(p) == 3 and p[1] == b}
            if turn // 2 % 2:
                calls |= {n for d, n in entries if d == callee}
                returns = set(range(skeleton.exits[callee]))
            boxes.append(Box(f"b{b}", f"C{callee}", _names(calls), _names(returns)))
        named = tuple((_ref(source), _ref(target)) for source, target in mine)
        components.append(Component(f"C{c}", tuple(nodes), tuple(boxes), named))
    return Machine(tuple(components), "C0", (f"n{start}",), *reading)


def _names(numbers: set[int]) -> tuple[str, ...]:
    return tuple(f"n{n}" for n in sorted(numbers))


def _ref(point: Point) -> Ref:
    return f"n{point[1]}" if len(point) == 2 else (f"b{point[1]}", f"n{point[2]}")


P: Formula = ("atom", "p")
NOT_P: Formula = ("not", P)
FORMULAS: tuple[Formula, ...] = (
    ("EX", P),
    ("AX", P),
    ("EF", P),
    ("AF", P),
    ("EG", P),
    ("AG", P),
    ("EX", ("EX", P)),
    ("AX", ("AX", ("AX", P))),
    ("AG", ("EF", P)),
    ("EF", ("EG", NOT_P)),
    ("AF", ("AG", P)),
    ("EG", ("EF", ("and", P, ("EX", NOT_P)))),
    ("EU", P, ("and", NOT_P, ("AX", P))),
    ("AU", P, ("EG", NOT_P)),
    ("EU", ("EX", P), ("AG", NOT_P)),
    ("EW", P, ("AX", NOT_P)),
    ("AW", ("EX", P), ("EX", ("EX", NOT_P))),
    ("ER", ("AX", P), ("EF", P)),
    ("AR", NOT_P, ("EX", P)),
    ("AG", ("implies", P, ("EX", ("AF", NOT_P)))),
    ("AF", ("or", ("EG", P), ("AX", ("EU", NOT_P, P)))),
    ("not", ("EX", TRUE)),
)
