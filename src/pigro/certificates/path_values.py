"""What the claims about a path formula say, and the moves that they are about.

Vertices are triples of an operand context, a state and a node. A move reads a node: it leads to a
successor, into a call, or past a call that returns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.certificates.path_reading import Vertex
from pigro.certificates.tableau import Tableau
from pigro.certificates.values import ClaimedValues
from pigro.model import DeadEnds
from pigro.model.plain import as_set, members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.path_reading import BoundBlock
    from pigro.certificates.reading import ClaimLevel, Instance
    from pigro.certificates.tableau import TableauBranch
    from pigro.certificates.values import Known
    from pigro.logic.levels import FormulaLevel, Pair
    from pigro.model.plain import BoxCall, PlainComponent, PlainModel


class PathMove(NamedTuple):
    """One way to go on from a vertex."""

    to: Vertex | None
    """None: the run is accepted at once. Or, of bounds, nothing is known."""
    marks: int = 0
    inside: bool = True
    """Whether it stays in the same invocation."""


class PathClaimedValues(ClaimedValues):
    """A level over a path formula."""

    def __init__(
        self,
        model: PlainModel,
        shape: FormulaLevel,
        level: ClaimLevel,
        below: list[ClaimedValues],
        lemmas: Known,
    ) -> None:
        super().__init__(model, shape, level, below, lemmas)
        assert level.paths is not None
        self.paths = level.paths
        self.tableau = Tableau(shape)
        self.state = {state: at for at, state in enumerate(self.paths.states)}
        self.all_marks = (1 << len(self.tableau.untils)) - 1
        self.live: set[Vertex] = set()
        self.rank = {
            vertex: (at, place)
            for at, part in enumerate(self.paths.parts)
            for place, vertex in enumerate(part.vertices)
        }
        self.ways: dict[Vertex, dict[int, int]] = {}
        """By the entry of a call: the pairs of state and exit that are reached, with marks."""
        self.tables: dict[Vertex, BoundBlock] = {}
        for block in self.paths.bound:
            if block.entry is not None:
                self.tables.setdefault(block.entry, block)
        self.sure: dict[int, list[tuple[frozenset[Vertex], int]]] = {}
        for row in self.paths.sure:
            if row.operands is not None:
                found = frozenset(row.vertices), row.exits
                self.sure.setdefault(row.operands, []).append(found)
        self.bound: dict[int, list[tuple[BoundBlock, int]]] = {}
        for block in self.paths.bound:
            self.bound.setdefault(block.operands, []).append((block, self.exits_of(block)))

    def part(self, vertex: Vertex) -> PlainComponent:
        return self.model.parts[self.level.operand_contexts[vertex.operands].component]

    def is_exit(self, vertex: Vertex) -> bool:
        return vertex.node in self.part(vertex).place

    def exit_pair(self, vertex: Vertex) -> int:
        """The number of a pair of a state and an exit."""
        part = self.part(vertex)
        return vertex.state * len(part.exits) + part.place[vertex.node]

    def exits_of(self, block: BoundBlock) -> int:
        """The exit pairs of a block."""
        return sum(1 << self.exit_pair(each) for each in block.marks if self.is_exit(each))

    # --- branches

    def branches(self, at: Vertex, node: int, *, sure: bool) -> Iterator[TableauBranch]:
        """The branches at a node that can surely, or possibly, be taken (K0)."""
        values = self.phis(self.level.operand_contexts[at.operands])
        letter = as_set(
            [
                leaf
                for leaf, value in enumerate(values)
                if self.tableau.labelled[leaf] and value[0] >> node & 1
            ],
            self.tableau.leaves,
        )
        for branch in self.tableau.row(self.paths.states[at.state], letter):
            tested = [values[leaf] for leaf in members(branch.tests)]
            if all(yes >> node & 1 if sure else not no >> node & 1 for yes, no in tested):
                yield branch

    def may_end(self, operands: int, state: int, exit_: int, *, sure: bool) -> bool:
        """Whether a run can surely, or possibly, end at an exit."""
        at = Vertex(operands, state, 0)
        node = self.part(at).exits[exit_]
        return any(branch.ends for branch in self.branches(at, node, sure=sure))

    # --- moves

    def moves(self, at: Vertex, *, sure: bool) -> Iterator[PathMove]:
        """How a run can surely, or possibly, go on from a vertex that is no exit."""
        part, stop = self.part(at), self.model.model.dead_ends is DeadEnds.STOP
        stays = at.node >= part.width
        node = part.exits[at.node - part.width] if stays else at.node
        steps = [at.node] if stays else part.steps[node]
        called = [] if stays else part.called[node]
        is_end = not steps and not called
        for branch in self.branches(at, node, sure=sure):
            if not branch.next or (is_end and stop and branch.ends):
                yield PathMove(None)
                continue
            state = self.state.get(branch.next)
            if state is None:
                if not sure and not (is_end and stop):
                    yield PathMove(None)
                continue
            for after in [node] if is_end and not stop else steps:
                yield PathMove(Vertex(at.operands, state, after), branch.marks)
            for call in called:
                yield from self._call(at.operands, call, state, branch.marks, sure=sure)

    def _call(
        self, operands: int, call: BoxCall, state: int, marks: int, *, sure: bool
    ) -> Iterator[PathMove]:
        target = self.links.get((operands, call.box))
        callee = self.model.parts[call.callee]
        if target is None:
            if not sure:
                yield PathMove(None)
            return
        entry = Vertex(target, state, call.entry)
        yield PathMove(entry, marks, inside=False)
        found = self.summary(entry, sure=sure)
        if found is None:
            if callee.exits:
                yield PathMove(None)
            return
        for pair, seen in found.items():
            after, exit_ = divmod(pair, len(callee.exits))
            if exit_ in call.back:
                yield PathMove(Vertex(operands, after, call.back[exit_]), marks | seen)
            elif self.model.model.dead_ends is not DeadEnds.STOP:
                yield PathMove(
                    Vertex(target, after, callee.width + exit_), marks | seen, inside=False
                )
            elif self.may_end(target, after, exit_, sure=sure):
                yield PathMove(None)

    def summary(self, entry: Vertex, *, sure: bool) -> dict[int, int] | None:
        """The exit pairs that are surely reached, or all that may be. None: nothing is known."""
        if sure:
            return self.ways.get(entry, {})
        block = self.tables.get(entry)
        if block is None:
            return None
        return {self.exit_pair(at): marks for at, marks in block.marks.items() if self.is_exit(at)}

    # --- values

    def has_value(self, instance: Instance, at: Vertex, *, value: bool) -> bool:
        """Whether the claims say that an accepted run goes on from a vertex, or that none does."""
        if value:
            return at in self.live or any(
                at in vertices and not exits & ~instance.true
                for vertices, exits in self.sure.get(at.operands, [])
            )
        return at in self.rank and any(
            at in block.marks and not exits & ~instance.false
            for block, exits in self.bound.get(at.operands, [])
        )

    def value(self, component: int, number: int | None) -> Pair:
        """Where the formula is true or false at an instance or at none. The first value counts."""
        if (component, number) not in self._values:
            part, at = self.model.parts[component], self.at(component, number)
            first = (1 << len(part.exits)) - 1  # with the first state
            yes = as_set([part.exits[each] for each in members(at.true & first)], part.width)
            no = as_set([part.exits[each] for each in members(at.false & first)], part.width)
            no &= ~yes
            for value in (True, False) if at.operands >= 0 else ():
                places = [Vertex(at.operands, 0, node) for node in range(part.width)]
                nodes = [each.node for each in places if self.has_value(at, each, value=value)]
                if value:
                    yes |= as_set(nodes, part.width) & ~no
                else:
                    no |= as_set(nodes, part.width) & ~yes
            self._values[component, number] = yes, no
        return self._values[component, number]
