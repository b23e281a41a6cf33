"""What a certificate claims (docs/certificate-rules.md), and whether that is false, by the oracle.

A claim of a certificate is about all stacks that its operand context or instance describes: often without
end. `claims` takes some of them, with few boxes, and makes a `Claim` for each. `Judge.is_false`
decides one by inlining its stack (oracle/inline.py). So what is found false is false. What is not
may still be false for another stack.

    sure, bound   a node of a block            true, false   an exit in a mask
    irrelevant    a node of an irrelevant component: there phi1 is true and phi2 false, or phi true
    link          link(A, b) = A': if A describes s, then A' describes s.b
    verdict       the formula holds, or fails, at the initial nodes

The last but one needs no oracle: what describes what is told by links alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.logic import existential_normal_form, parse
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE

from oracle.contexts import true_points
from oracle.formula import TRUE as TRUTH
from oracle.inline import inline, leave_by, reaches, stays
from support.certificates.sections import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.reading import ClaimLevel
    from pigro.model import RSM

    from oracle.contexts import Point
    from oracle.formula import Formula
    from oracle.machine import Machine
    from support.certificates.sections import Proof

DEPTH = 3
"""Stacks have at most so many boxes,"""
PLACES = 60
"""there are at most so many of them,"""
OF_EACH = 6
"""and at most so many for each operand context and instance."""

Place = tuple[int, tuple[int, ...]]
"""A stack: the component at its bottom, and boxes as numbered in their components."""


class Claim(NamedTuple):
    """One claim about one stack. Levels count from 0, those of the lemmas from -2. The verdict's
    nodes are those at which the formula is said to have the value.
    """

    kind: str
    level: int
    place: Place
    exits: int = 0
    node: int = 0


class Operator(NamedTuple):
    op: int
    first: Formula
    last: Formula
    whole: Formula


class Known(NamedTuple):
    """All that the claims of one operator about one stack need, as points of the topmost clone.

    Each of the claims is a boolean combination of these, since E[f U (g | h)] = E[f U g] | E[f U h].
    """

    first: set[Point]
    last: set[Point]
    whole: set[Point]
    inside: set[Point]
    """EU: phi2 is reached through phi1. EG: a path through phi stays above the stack."""
    leaving: list[set[Point]]
    """By exit: it is reached through phi1 (phi), and phi1 (phi) is true there."""


def operators(formula: str) -> tuple[list[Operator], Formula]:
    """The temporal operators of the normal form, children first, and the whole formula."""
    form = existential_normal_form(parse(formula))
    done: list[Formula] = []
    found: list[Operator] = []
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        if op == TRUE:
            done.append(TRUTH)
        elif op == ATOM:
            done.append(("atom", form.atoms[left]))
        elif op == NOT:
            done.append(("not", done[left]))
        elif op in (AND, OR):
            done.append(("and" if op == AND else "or", done[left], done[right]))
        else:
            last = done[right] if op == EU else done[left]
            name = {EX: "EX", EG: "EG", EU: "EU"}[op]
            done.append((name, done[left], last) if op == EU else (name, last))
            found.append(Operator(op, done[left], last, done[-1]))
    return found, done[-1]


FALSITY: Formula = ("not", TRUTH)
LEMMAS = [
    Operator(EU, TRUTH, FALSITY, ("EU", TRUTH, FALSITY)),
    Operator(EG, TRUTH, TRUTH, ("EG", TRUTH)),
]


class Component(NamedTuple):
    name: str
    points: list[Point | None]
    """Of each node, without the number of its clone. None: a call node."""
    exits: list[str]
    exit_at: list[int]
    boxes: list[str]
    callees: list[int]


def components_of(model: RSM) -> list[Component]:
    """Names of what the numbers in certificates stand for."""
    core, names = model.core, model.names
    found = []
    for number in range(core.components):
        nodes = core.nodes_of(number)
        exits = [node for node in nodes if core.kind(node) == _core.NodeKind.EXIT]
        boxes = core.boxes_of(number)
        found.append(
            Component(
                names.components[number],
                [_point(model, node) for node in nodes],
                [names.nodes[core.declared_of_node(node)] for node in exits],
                [node - nodes[0] for node in exits],
                [names.boxes[box] for box in boxes],
                [core.callee(box) for box in boxes],
            )
        )
    return found


def _point(model: RSM, node: int) -> Point | None:
    core, names = model.core, model.names
    if core.kind(node) == _core.NodeKind.CALL:
        return None
    name = names.nodes[core.declared_of_node(core.subject(node))]
    if core.box(node) < 0:
        return ("node", name)
    # A call of an entry that is an exit, where there is no return node, is a node of its own: by
    # the standard reading it is that exit under the box, a dead end (T2, T3 of the semantics).
    is_return = core.kind(node) == _core.NodeKind.RETURN or model.semantics.name == "STANDARD"
    return ("return" if is_return else "call", (names.boxes[core.box(node)], name))


class Judge:
    """Decides claims about one machine and formula."""

    def __init__(self, machine: Machine, model: RSM, formula: str) -> None:
        self.machine, self.model = machine, model
        self.components = components_of(model)
        self.operators, self.whole = operators(formula)
        self.operators = [*self.operators, *LEMMAS]  # so that -2 and -1 are theirs
        self.shape = shape_of(formula)
        self.places = self._places()
        self.known = cache(self._known)
        self.whole_at = cache(self._whole_at)

    def end(self, place: Place) -> int:
        """The component that a stack ends in."""
        at, boxes = place
        for box in boxes:
            at = self.components[at].callees[box]
        return at

    def _places(self) -> list[Place]:
        """Stacks, those with few boxes first."""
        found: list[Place] = [(at, ()) for at in range(len(self.components))]
        for bottom, boxes in found:  # grows
            if len(boxes) < DEPTH and len(found) < PLACES:
                here = self.components[self.end((bottom, boxes))]
                found += [(bottom, (*boxes, box)) for box in range(len(here.boxes))]
        return found

    def _inlined(self, place: Place) -> tuple[Machine, int]:
        at, names = place[0], []
        for box in place[1]:
            names.append(self.components[at].boxes[box])
            at = self.components[at].callees[box]
        return inline(self.machine, self.components[place[0]].name, names), at

    def _known(self, level: int, place: Place) -> Known:
        op, first, last, whole = self.operators[level]
        machine, component = self._inlined(place)
        asked = [first, last, whole, reaches(first, last) if op == EU else stays(last)]
        asked += [
            reaches(first, ("and", first, leave_by(e))) for e in self.components[component].exits
        ]
        found = [self._topmost(points, len(place[1])) for points in true_points(machine, asked)]
        return Known(*found[:4], found[4:])

    def _whole_at(self, component: int) -> set[Point]:
        machine, _ = self._inlined((component, ()))
        return self._topmost(true_points(machine, [self.whole])[0], 0)

    @staticmethod
    def _topmost(points: set[Point], clone: int) -> set[Point]:
        """The points of the topmost clone, without its number."""
        start, found = f"{clone}/", set()
        for kind, ref in points:
            if isinstance(ref, str):
                if ref.startswith(start) and ref.count("/") == 1:
                    found.add((kind, ref[len(start) :]))
            elif ref[0].startswith(start):
                found.add((kind, (ref[0][len(start) :], ref[1])))
        return found

    def is_false(self, claim: Claim) -> bool:
        kind, level, place, exits, node = claim
        here = self.components[self.end(place)]
        if kind == "link":
            return True  # `claims` names only those that are false
        if kind in ("true", "false"):  # e in T: the operator is true in (s, e); e in F: false
            known = self.known(level, place)
            return (("node", here.exits[node]) in known.whole) != (kind == "true")
        point = here.points[node]
        known = self.known(level, place)
        if (
            kind == "irrelevant"
        ):  # everywhere phi1 is true and phi2 false (of EU), or phi true (of EG)
            eu = self.operators[level].op == EU
            return point not in known.first or (eu and point in known.last)
        inside = point in known.inside
        leaves = [e for e, points in enumerate(known.leaving) if point in points]
        if kind == "sure":
            # EU: some path above s leads through phi1 to phi2, or to an exit in Z with phi1.
            # EG: some path through phi is maximal and stays above s, or reaches an exit in Z.
            return not inside and not any(exits >> e & 1 for e in leaves)
        # EU: no path above s leads through phi1 to phi2, nor to an exit outside Z with phi1.
        # EG: no path through phi is maximal and stays above s, or reaches an exit outside Z.
        return inside or not all(exits >> e & 1 for e in leaves)

    def is_wrong(self, proof: Proof) -> bool:
        """Is the verdict wrong?"""
        core = self.model.core
        values = []
        for node in proof.initial:
            component = core.component(node)
            point = self.components[component].points[node - core.nodes_of(component)[0]]
            values.append(point in self.whole_at(component))
        return all(values) != proof.holds

    def claims(self, proof: Proof) -> set[Claim]:
        """What a certificate claims, for some of the stacks it speaks of."""
        found: set[Claim] = set()
        described = [_Described(self, level) for level in proof.levels]
        for number, level in enumerate(proof.levels):
            below = [described[child] for child in self.shape[number][1]]
            found.update(self._claims_of(number, level, described[number], below))
        for number, level in enumerate(proof.lemmas):
            for block in level.blocks:  # what goes on above a stack does not depend on it
                place = (level.operand_contexts[block.operands].component, ())
                kind = "sure" if block.sure else "bound"
                found.update(
                    Claim(kind, number - len(LEMMAS), place, block.exits, node)
                    for node in block.nodes
                )
        return found

    def _claims_of(
        self, number: int, level: ClaimLevel, described: _Described, below: list[_Described]
    ) -> Iterator[Claim]:
        def is_at(operands: int, place: Place) -> bool:
            """Does the operand context describe the stack?"""
            component, lower = level.operand_contexts[operands]
            return self.end(place) == component and all(
                at is None or at in child.at(place) for at, child in zip(lower, below, strict=True)
            )

        where = [
            [place for place in self.places if is_at(operands, place)]
            for operands in range(len(level.operand_contexts))
        ]
        for operands, sure, _, exits, nodes in level.blocks:
            kind = "sure" if sure else "bound"
            for place in where[operands][:OF_EACH]:
                yield from (Claim(kind, number, place, exits, node) for node in nodes)
        for source, box, target in level.links:
            for bottom, boxes in where[source]:
                if not is_at(target, (bottom, (*boxes, box))):
                    yield Claim("link", number, (bottom, (*boxes, box)), 0, target)
                    break
        yield from self._claims_of_masks(number, level, described)
        if level.relevant is not None and self.operators[number].op != EX:
            yield from self._claims_of_irrelevant(number, level.relevant)

    def _claims_of_masks(
        self, number: int, level: ClaimLevel, described: _Described
    ) -> Iterator[Claim]:
        for at, instance in enumerate(level.instances):
            places = [place for place in self.places if at in described.at(place)]
            for place in places[:OF_EACH]:
                for kind, mask in (("true", instance.true), ("false", instance.false)):
                    there = (e for e in range(mask.bit_length()) if mask >> e & 1)
                    yield from (Claim(kind, number, place, 0, e) for e in there)

    def _claims_of_irrelevant(self, number: int, relevant: tuple[int, ...]) -> Iterator[Claim]:
        for place in self.places:
            if self.end(place) not in relevant and len(place[1]) < 2:
                points = self.components[self.end(place)].points
                plain = (node for node, point in enumerate(points) if point is not None)
                yield from (Claim("irrelevant", number, place, 0, node) for node in plain)


class _Described:
    """Which instances of a level describe a stack."""

    def __init__(self, judge: Judge, level: ClaimLevel) -> None:
        self.judge, self.level = judge, level
        self.links: dict[tuple[int, int], list[int]] = {}
        for source, box, target in level.instance_links:
            self.links.setdefault((source, box), []).append(target)
        self.found: dict[Place, set[int]] = {}

    def component(self, instance: int) -> int:
        return self.level.operand_contexts[self.level.instances[instance].operands].component

    def at(self, place: Place) -> set[int]:
        """Exactly those, but links to an instance of another component than is called say nothing."""
        if place not in self.found:
            bottom, boxes = place
            if boxes:
                below = self.at((bottom, boxes[:-1]))
                reached = {to for at in below for to in self.links.get((at, boxes[-1]), ())}
            else:
                reached = {at for at, each in enumerate(self.level.instances) if each.root}
            end = self.judge.end(place)
            self.found[place] = {at for at in reached if self.component(at) == end}
        return self.found[place]
