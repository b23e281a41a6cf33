"""CTL to existential normal form: only not, and, or, EX, EU and EG remain.

The engines check this form. CTL is read over maximal paths: infinite ones and, when dead ends stop,
finite ones that end in a dead end, where EX is false, AX true and EG f = f (docs/semantics.md, T3).
Every rule below is sound for both:

    EF f        = E[true U f]               AF f        = !EG !f
    AX f        = !EX !f                    AG f        = !E[true U !f]
    E[f W g]    = E[f U g] | EG f           A[f W g]    = !E[!g U (!f & !g)]
    E[f R g]    = E[g U (f & g)] | EG g     A[f R g]    = !E[!f U !g]
    A[f U g]    = !(E[!g U (!f & !g)] | EG !g)

Constants vanish (EG true = true, EX false = false, E[f U true] = true, E[f U false] = false,
E[false U g] = g), but EX true stays: it says "no dead end". Also E[f U f] = f,
E[f U E[f U g]] = E[f U g], EG EG f = EG f, x & !x = false.

Cost: linear in the number of distinct subformulas. Nothing recurses.
"""

from __future__ import annotations

from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from pigro.logic.arena import Arena
from pigro.logic.operators import Op
from pigro.logic.printer import text_of
from pigro.logic.simplify import (
    AND,
    ATOM,
    BOOLEAN,
    EG,
    EU,
    EX,
    NOT,
    OR,
    QUANTIFIED,
    TRUE,
    Simplifier,
)
from pigro.logic.syntax import Formula
from pigro.logic.walk import operands_first
from pigro.records import Record

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from pigro.logic.simplify import Shape

_ATOM, _A, _E = int(Op.ATOM), int(Op.A), int(Op.E)
"""Plain ints: enum members compare slowly."""
_Column = tuple[int, ...]
_SMALL = 100
"""Shapes of formulas up to this size are remembered."""
_ORDINARY = tuple(map(int, (Op.TRUE, Op.ATOM, Op.NOT, Op.AND, Op.OR, Op.X, Op.U, Op.G)))
"""The normal form's operators in a formula. EX, EU and EG get an E on top."""

__all__ = [
    "AND",
    "ATOM",
    "EG",
    "EU",
    "EX",
    "NOT",
    "OR",
    "TRUE",
    "NormalForm",
    "existential_normal_form",
]


class NormalForm(Record, frozen=True, dict=True):
    """A formula in existential normal form, as flat arrays: children before parents, the root last.

    `ops` has type code "B" and holds TRUE=0, ATOM=1, NOT=2, AND=3, OR=4, EX=5, EU=6, EG=7. `left`
    and `right` have type code "i" and hold -1 for no child. For ATOM, `left` is an index into
    `atoms`. False is NOT over TRUE. All nodes are reachable from the root and all atoms are used.
    `path_normal.py` has more operators.

    >>> form = existential_normal_form(Formula("AG (p -> EF q)"))
    >>> print(form.to_formula())
    !E [true U (p & !E [true U q])]
    >>> form.temporal_depth()
    2
    """

    ops: array[int]
    left: array[int]
    right: array[int]
    atoms: tuple[str, ...]

    @cached_property
    def _texts(self) -> dict[int, str]:
        """The subformulas that were written out."""
        return {}

    def __len__(self) -> int:
        return len(self.ops)

    def __hash__(self) -> int:
        return hash((self.ops.tobytes(), self.left.tobytes(), self.right.tobytes(), self.atoms))

    def temporal_depth(self) -> int:
        """How deep EX, EU and EG are nested."""
        depth = [0] * len(self.ops)
        for node, op in enumerate(self.ops):
            if op > ATOM:
                right = self.right[node]
                below = max(depth[self.left[node]], depth[right] if right >= 0 else 0)
                depth[node] = below + (op >= EX)
        return depth[-1]

    def to_formula(self, node: int = -1) -> Formula:
        """The subformula `node` (default: the root) as a formula, for people to read."""
        root = node % len(self.ops)
        if self.ops[root] == NOT and self.ops[self.left[root]] == TRUE:
            return Formula("false")
        arena = Arena()
        here = {-1: -1}
        for at in self._postorder(root):
            op, left, right = self.ops[at], self.left[at], self.right[at]
            if op == ATOM:
                here[at] = arena.atom(self.atoms[left])
            else:
                here[at] = arena.node(_ORDINARY[op], here[left], here[right])
            if op >= EX:
                here[at] = arena.node(_E, here[at])
        return Formula.from_arena(arena, here[root])

    def readable(self, node: int = -1) -> Formula:
        """The same, said as people would: with EF, AG, AF, AX and implications where they fit.

        >>> form = existential_normal_form(Formula("AG (p -> AF q)"))
        >>> print(form.readable())
        AG (p -> AF q)
        """
        arena = Arena()
        root = (node % len(self.ops), True)
        made = operands_first(root, {}, self._needed, partial(self._said, arena))
        return Formula.from_arena(arena, made)

    def text(self, node: int) -> str:
        """The text of `readable`, made once."""
        if node not in self._texts:
            self._texts[node] = text_of(self.readable(node))
        return self._texts[node]

    def _needed(self, key: tuple[int, bool]) -> list[tuple[int, bool]]:
        """Which subformulas, or their negations, are read for one."""
        at, positive = key
        op, left, right = self.ops[at], self.left[at], self.right[at]
        if op <= ATOM:
            return []
        if op == NOT:
            return [(left, not positive)]
        if op == AND and not positive and self.ops[right] == NOT:
            return [(left, True), (self.left[right], True)]
        if op == AND and not positive and self.ops[left] == NOT:
            return [(right, True), (self.left[left], True)]
        if op == AND and not positive:
            return [(left, True), (right, False)]
        if op in {AND, OR}:
            return [(left, positive), (right, positive)]
        if op == EU and self.ops[left] == TRUE:
            return [(right, positive)]
        if op == EU:
            return [(left, True), (right, True)]
        return [(left, positive)]

    def _said(self, arena: Arena, key: tuple[int, bool], parts: list[int]) -> int:
        at, positive = key
        op = self.ops[at]
        if op <= ATOM:
            made = arena.node(int(Op.TRUE)) if op == TRUE else arena.atom(self.atoms[self.left[at]])
            return made if positive else arena.node(int(Op.NOT), made)
        if op == NOT:
            return parts[0]
        if op in {AND, OR}:
            words = {(AND, False): Op.IMPLIES, (OR, True): Op.OR}
            return arena.node(int(words.get((op, positive), Op.AND)), *parts)
        if op == EU and len(parts) == 2:
            made = arena.node(_E, arena.node(int(Op.U), *parts))
            return made if positive else arena.node(int(Op.NOT), made)
        pair = {EX: (Op.X, Op.X), EU: (Op.F, Op.G), EG: (Op.G, Op.F)}[op]
        inner = arena.node(int(pair[0] if positive else pair[1]), parts[0])
        return arena.node(_E if positive else _A, inner)

    def _postorder(self, root: int) -> Iterator[int]:
        """The nodes below `root`, left to right, children first, each once."""
        seen: set[int] = set()
        jobs = [root]
        while jobs:
            job = jobs.pop()
            if job < 0:
                yield ~job
            elif job not in seen:
                seen.add(job)
                jobs.append(~job)
                if self.ops[job] > ATOM:
                    jobs += [child for child in (self.right[job], self.left[job]) if child >= 0]


def existential_normal_form(formula: Formula) -> NormalForm:
    """`formula` in existential normal form. CheckError P401 if it is not in CTL. Kept with it."""
    known = formula.kept.get("normal form")
    if isinstance(known, NormalForm):
        return known
    if not formula.is_ctl:
        formula.require_ctl()
    shape = _normal_shape if len(formula.ops) <= _SMALL else _normal_shape.__wrapped__
    ops, left, right, used = shape(formula.ops, formula.left, formula.right)
    atoms = tuple([formula.atoms[atom] for atom in used])
    made = formula.kept["normal form"] = NormalForm(ops, left, right, atoms)
    return made


@lru_cache(maxsize=256)
def _normal_shape(ops: _Column, left: _Column, right: _Column) -> Shape:
    """The normal form but for the names of atoms: many formulas of a file differ only in those."""
    make = Simplifier()
    done: list[int] = []
    for node, op in enumerate(ops):
        if op == _ATOM:
            done.append(make.atom(left[node]))
        elif op < _ATOM:
            done.append(make.false if op else make.true)
        elif op < _A:
            second = right[node] if right[node] >= 0 else left[node]
            done.append(BOOLEAN[op](make, done[left[node]], done[second]))
        elif op > _E:
            done.append(-1)  # a path formula has no value of its own. Its A or E looks through it
        else:
            path = left[node]
            second = right[path] if right[path] >= 0 else left[path]
            done.append(QUANTIFIED[op, ops[path]](make, done[left[path]], done[second]))
    return make.compact(done[-1])
