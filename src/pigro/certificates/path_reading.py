"""The claims about a path formula, from bytes to data (docs/certificate-format.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.path_normal import PU
from pigro.model.plain import members

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.certificates.reading import SectionReader
    from pigro.logic.levels import FormulaLevel
    from pigro.model.plain import PlainComponent as Component


class Vertex(NamedTuple):
    """A node, or an exit where a run stays (after the nodes), with the state before it."""

    operands: int
    state: int
    node: int


VALUE, WAY, LIVE, LOOP = range(4)
"""The kinds of sure blocks of path formulas."""


class SureBlock(NamedTuple):
    kind: int
    operands: int | None
    exits: int
    """Of VALUE and WAY: a set of pairs of a state and an exit."""
    vertices: tuple[Vertex, ...]


class BoundBlock(NamedTuple):
    operands: int
    entry: Vertex | None
    marks: dict[Vertex, int]
    """The vertices, with the marks that may be seen on ways from the entry."""


class MarkedVertices(NamedTuple):
    mark: int | None
    vertices: tuple[Vertex, ...]


class PathClaims(NamedTuple):
    """The claims of a level over a path formula."""

    states: tuple[int, ...]
    sure: tuple[SureBlock, ...]
    bound: tuple[BoundBlock, ...]
    parts: tuple[MarkedVertices, ...]


def shape_marks(shape: FormulaLevel) -> int:
    """How many marks there are: one for each U."""
    return sum(shape.form.ops[node] == PU for node in shape.paths)


def read_states(reader: SectionReader, shape: FormulaLevel) -> tuple[int, ...]:
    """The states: sets of parts of the formula. The first one is the formula alone."""
    size = len(shape.roots + shape.paths)
    states = reader.several(lambda: reader.set(size))
    fine = states[:1] == (1 << (size - 1),) and len(set(states)) == len(states)
    reader.need(fine, "the first state is another one, or two are the same")
    return states


class PathClaimsReader:
    """Reads the claims of a path formula, in place of blocks.

    `parts` are the components of the operand contexts.
    """

    def __init__(
        self,
        reader: SectionReader,
        states: tuple[int, ...],
        parts: Sequence[Component],
        marks: int,
    ) -> None:
        self.reader, self.states, self.parts, self.marks = reader, states, parts, marks

    def paths(self) -> PathClaims:
        several = self.reader.several
        found = PathClaims(self.states, several(self.sure), several(self.bound), several(self.part))
        ranked = [vertex for part in found.parts for vertex in part.vertices]
        self.reader.need(len(set(ranked)) == len(ranked), "a vertex is in two parts")
        return found

    def state(self) -> int:
        return self.reader.number(len(self.states))

    def vertices(self, of: int | None = None) -> tuple[Vertex, ...]:
        """A list of vertices. `of`: the operand context of all of them, none of which stays."""
        found, node, number = [], 0, self.reader.number
        for _ in range(number()):
            at = number(len(self.parts)) if of is None else of
            state, step, part = self.state(), number(), self.parts[at]
            node += -(step // 2) - 1 if step % 2 else step // 2
            width = part.width + (len(part.exits) if of is None else 0)
            self.reader.need(0 <= node < width and node not in part.calls, "no such vertex")
            found.append(Vertex(at, state, node))
        return tuple(found)

    def sure(self) -> SureBlock:
        kind = self.reader.number(4)
        at = None if kind >= LIVE else self.reader.number(len(self.parts))
        width = 0 if at is None else len(self.parts[at].exits) * len(self.states)
        exits = 0 if at is None else self.reader.set(width)
        block = SureBlock(kind, at, exits, self.vertices(at))
        single = not exits & (exits - 1) and block.vertices
        fine = kind in {VALUE, LIVE} or single
        self.reader.need(fine, "a block has several exits, or no vertex")
        return block

    def bound(self) -> BoundBlock:
        reader, at = self.reader, self.reader.number(len(self.parts))
        part, entry, last = self.parts[at], None, -1
        if reader.number(2) == 1:
            entry = Vertex(at, self.state(), reader.number(part.width))
        rows: dict[Vertex, int] = {}
        for _ in range(reader.number()):
            state, nodes = self.state(), reader.set(part.width)
            reader.need(state > last, "states do not ascend")
            seen = [reader.set(part.width) for _ in range(0 if entry is None else self.marks)]
            reader.need(
                part.calls.keys().isdisjoint(members(nodes)), "a claim is about a call node"
            )
            for node in members(nodes):
                marks = [1 << mark for mark, each in enumerate(seen) if each >> node & 1]
                rows[Vertex(at, state, node)] = sum(marks)
            last = state
        reader.need(entry is None or entry in rows, "the entry of a block is not in it")
        return BoundBlock(at, entry, rows)

    def part(self) -> MarkedVertices:
        mark = self.reader.number(1 + self.marks) - 1
        return MarkedVertices(mark if mark >= 0 else None, self.vertices())
