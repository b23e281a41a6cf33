"""Path formulas on one run, by the definition of their operators.

A *line* is the positions of a run, one after the other: after the last comes an earlier one again,
or nothing (the run ends), or something unknown, for which one more position stands. A set of
positions is an int, the first position its highest bit. So an operator costs a few operations on
ints, however long the run is. Nothing recurses.

Each subformula has two sets: where it is satisfied, and where its negation is, for sure. Negation
is pushed down to labels, A and E, and X needs a next state in both sets (docs/semantics.md, T3):
where a run ends, neither X f nor its negation is satisfied. Elsewhere one of the two is, or
something is unknown. More knowledge satisfies more formulas, so every result here stays true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.logic import Formula

_TRUE, _FALSE, _ATOM, _A, _E = map(int, (Op.TRUE, Op.FALSE, Op.ATOM, Op.A, Op.E))
_MATCH = int(Op.MATCH)
Sets = tuple[int, int]
"""Where a formula is satisfied, and where its negation is."""


@dataclass(frozen=True, slots=True)
class RunPositions:
    """The positions of a run."""

    length: int
    after: int | None
    """The position after the last one. None if the run ends."""
    may_end: bool = False
    """Whether the last position stands for what may end anywhere."""

    @property
    def all(self) -> int:
        """The set of all positions."""
        return (1 << self.length) - 1

    def at(self, position: int) -> int:
        """The set of one position."""
        return 1 << (self.length - 1 - position)

    def set_of(self, values: Iterable[bool | None], which: bool) -> int:
        """The positions that have a value, of the first ones."""
        digits = "".join(["01"[value is which] for value in values])
        return int(digits.ljust(self.length, "0"), 2)

    def flags(self, positions: int) -> list[bool]:
        """For each position whether it is in a set."""
        return [digit == "1" for digit in f"{positions:0{self.length}b}"]

    def next(self, f: int) -> int:
        """Where there is a next position, which is in `f`."""
        back = self.after is not None and not self.may_end and f & self.at(self.after)
        return (f << 1) & self.all | bool(back)

    def following(self, positions: int) -> int:
        """The positions next to others."""
        back = self.at(self.after) if self.after is not None and positions & 1 else 0
        return positions >> 1 | back

    def ahead(self, positions: int) -> int:
        """All positions that are reached from others, and these."""
        if not positions:
            return 0
        highest = positions.bit_length()
        if self.after is not None:
            highest = max(highest, self.length - self.after)
        return (1 << highest) - 1

    def until(self, f: int, g: int) -> int:
        """Where a position in `g` is reached through `f`."""
        found = _flood(f, g)
        if self.after is not None and f & ~found & 1 and found & self.at(self.after):
            found = _flood(f, g | 1)
        return found

    def release(self, f: int, g: int) -> int:
        """Where all positions are in `g`, up to and including one in `f`."""
        every = self.all
        return every ^ self.until(every ^ f, every ^ g)


def _flood(f: int, g: int) -> int:
    """`g`, and each row of positions in `f` that leads there: a carry runs through it."""
    through = f & ~g
    return g | (through + (g << 1 & through) ^ through) & through


def shortest(before: Sequence[object], loop: Sequence[object]) -> tuple[int, int]:
    """The same endless run with the shortest loop, begun as early as can be: its start and length.

    >>> shortest("ab", "cbcb")
    (1, 2)
    """
    length = _period(loop)
    early = 0
    while early < len(before) and before[-1 - early] == loop[length - 1 - early % length]:
        early += 1
    return len(before) - early, length


def _period(loop: Sequence[object]) -> int:
    """The length of the shortest piece that a loop repeats. Found by its longest border."""
    borders = [0] * len(loop)
    border = 0
    for at in range(1, len(loop)):
        while border and loop[at] != loop[border]:
            border = borders[border - 1]
        border += loop[at] == loop[border]
        borders[at] = border
    length = len(loop) - border
    return length if len(loop) % length == 0 else len(loop)


def inside(formula: Formula, root: int) -> list[int]:
    """A path formula's parts down to labels, A and E. Children first."""
    seen, pending = {root}, [root]
    while pending:
        for child in _operands(formula, pending.pop()):
            if child not in seen:
                seen.add(child)
                pending.append(child)
    return sorted(seen)


def evaluate(
    formula: Formula,
    parts: Sequence[int],
    line: RunPositions,
    leaf: Callable[[int], Sets],
    keep: dict[int, Sets] | None = None,
) -> Sets:
    """Both sets of the last part, from those of labels, A and E.

    `parts` are those `inside` a formula. Those of all parts are put into `keep`, if it is there.
    Otherwise they are forgotten as soon as possible: a set of a long run is large.
    """
    done = {} if keep is None else keep
    last_use = {}
    for node in parts if keep is None else ():
        for child in _operands(formula, node):
            last_use[child] = node
    for node in parts:
        op = formula.ops[node]
        if op in (_TRUE, _FALSE):
            done[node] = (line.all, 0) if op == _TRUE else (0, line.all)
        elif op in (_ATOM, _A, _E):
            done[node] = leaf(node)
        else:
            operands = _operands(formula, node)
            if op >= _MATCH:
                done[node] = _regular(line, formula, node, done)
            else:
                done[node] = _operator(line, op, done[operands[0]], done[operands[-1]])
            for child in {each for each in operands if last_use.get(each) == node}:
                del done[child]
    return done[parts[-1]]


def wanted(
    formula: Formula, parts: Sequence[int], line: RunPositions, sets: Mapping[int, Sets]
) -> dict[int, int]:
    """Where A and E must be known to know the formula at the first position, if it is not known.

    Needs: the sets of all parts, with the values known so far.
    """
    asked = dict.fromkeys(parts, 0)
    asked[parts[-1]] = line.at(0)
    for node in reversed(parts):
        op, (yes, no) = formula.ops[node], sets[node]
        where = asked[node] & ~(yes | no)
        if op == Op.X:
            where = line.following(where)
        elif op >= _MATCH:
            where = line.ahead(where)
        elif op > Op.X:
            where = line.ahead(where) & ~(yes | no)
        for child in _operands(formula, node):
            asked[child] |= where
        asked[node] = where
    return {node: asked[node] for node in parts if formula.ops[node] in (_A, _E) and asked[node]}


def _operands(formula: Formula, node: int) -> list[int]:
    """Of a path formula. Labels, A and E have none."""
    if formula.ops[node] in (_TRUE, _FALSE, _ATOM, _A, _E):
        return []
    operands = [each for each in (formula.left[node], formula.right[node]) if each >= 0]
    return _parts(formula, operands) if formula.ops[node] >= _MATCH else operands


def _parts(formula: Formula, operands: list[int]) -> list[int]:
    from pigro.logic.regular.automata import letters

    return [*letters(formula, operands[0]), *operands[1:]]


def _regular(line: RunPositions, formula: Formula, node: int, done: Mapping[int, Sets]) -> Sets:
    from pigro.evidence.run.matches import regular

    return regular(line, formula, node, done)


def _operator(  # noqa: C901, PLR0911 - a case for each operator, by its definition
    line: RunPositions, op: int, first: Sets, second: Sets
) -> Sets:
    """Both sets of an operator, from those of its operands."""
    (f, not_f), (g, not_g) = first, second
    until, release = line.until, line.release
    match op:
        case Op.NOT:
            return not_f, f
        case Op.AND:
            return f & g, not_f | not_g
        case Op.OR:
            return f | g, not_f & not_g
        case Op.IMPLIES:
            return not_f | g, f & not_g
        case Op.XOR:
            return f & not_g | not_f & g, f & g | not_f & not_g
        case Op.IFF:
            return f & g | not_f & not_g, f & not_g | not_f & g
        case Op.X:
            return line.next(f), line.next(not_f)
        case Op.F:
            return until(line.all, f), release(0, not_f)
        case Op.G:
            return release(0, f), until(line.all, not_f)
        case Op.U:
            return until(f, g), release(not_f, not_g)
        case Op.W:
            return release(g, f | g), until(not_g, not_f & not_g)
        case Op.R:
            return release(f, g), until(not_f, not_g)
    raise AssertionError(f"{Op(op).name} is no operator of runs")
