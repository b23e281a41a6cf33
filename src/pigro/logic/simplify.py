"""The nodes of the existential normal form, simplified while they are made, and its rules.

`normal.py` lists the sound rules. The form is canonical up to De Morgan. Of the ways to write "and"
and "or" over two operands that may be negated only some are kept, with the operands in the order of
their numbers:
 NF1  OR stands over two operands of which none is a NOT.
 NF2  AND has at most one NOT among its operands.
 NF3  no NOT stands over a NOT.
 NF4  TRUE stands alone, under one NOT (which is false, and alone), under EX or as the left operand
     of EU.
"""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pigro.logic.arena import Arena
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Shape = tuple["array[int]", "array[int]", "array[int]", tuple[int, ...]]
"""A normal form but for the names of atoms: operators, operands, and which atoms it uses."""
_NO_LINKS: Mapping[int, int] = MappingProxyType({})
TRUE: Final = 0
ATOM: Final = 1
NOT: Final = 2
AND: Final = 3
OR: Final = 4
EX: Final = 5
EU: Final = 6
EG: Final = 7


class Simplifier:
    """Makes nodes, each once. Every method keeps NF1 to NF4.

    >>> make = Simplifier()
    >>> p, q = make.atom(0), make.atom(1)
    >>> make.either(p, q) == make.negation(make.both(make.negation(q), make.negation(p)))
    True
    >>> make.until(p, make.true) == make.true, make.following(make.true) == make.true
    (True, False)
    """

    __slots__ = ("arena", "false", "first", "kind", "second", "true")

    def __init__(self) -> None:
        self.arena = Arena()
        self.kind: list[int] = []
        self.first: list[int] = []
        self.second: list[int] = []
        self.true = self.node(TRUE)
        self.false = self.node(NOT, self.true)

    def node(self, op: int, left: int = -1, right: int = -1) -> int:
        """The node with these children. It must keep N1 to N4."""
        number = self.arena.node(op, left, right)
        if number == len(self.kind):
            self.kind.append(op)
            self.first.append(left)
            self.second.append(right)
        return number

    def atom(self, number: int) -> int:
        """The label with that number."""
        return self.node(ATOM, number)

    def negation(self, a: int) -> int:
        """`!a`."""
        return self.first[a] if self.kind[a] == NOT else self.node(NOT, a)

    def both(self, a: int, b: int) -> int:
        """`a & b`."""
        if b in (a, self.true) or a == self.false:
            return a
        if a == self.true or b == self.false:
            return b
        kind, first = self.kind, self.first
        if kind[a] == NOT:
            if first[a] == b:
                return self.false
            if kind[b] == NOT:
                return self.negation(self._sorted(OR, first[a], first[b]))
        elif kind[b] == NOT and first[b] == a:
            return self.false
        return self._sorted(AND, a, b)

    def either(self, a: int, b: int) -> int:
        """`a | b`."""
        not_a, not_b = self.kind[a] == NOT, self.kind[b] == NOT
        if not_a or not_b or a == b or self.true in (a, b):
            return self.negation(self.both(self.negation(a), self.negation(b)))
        return self._sorted(OR, a, b)

    def _sorted(self, op: int, a: int, b: int) -> int:
        return self.node(op, a, b) if a < b else self.node(op, b, a)

    def differ(self, a: int, b: int) -> int:
        """`a xor b`. Negations of the operands come out."""
        flipped = False
        if self.kind[a] == NOT:
            a, flipped = self.first[a], not flipped
        if self.kind[b] == NOT:
            b, flipped = self.first[b], not flipped
        mixed = self.either(self.both(a, self.negation(b)), self.both(self.negation(a), b))
        return self.negation(mixed) if flipped else mixed

    def following(self, a: int) -> int:
        """`EX a`. EX true stays: it is false in a dead end."""
        return a if a == self.false else self.node(EX, a)

    def until(self, a: int, b: int) -> int:
        """`E [a U b]`."""
        if a in (b, self.false) or b in (self.true, self.false):
            return b
        if self.kind[b] == EU and self.first[b] == a:
            return b
        return self.node(EU, a, b)

    def eventually(self, a: int) -> int:
        """`EF a`."""
        return self.until(self.true, a)

    def always(self, a: int) -> int:
        """`EG a`."""
        if a in (self.true, self.false) or self.kind[a] == EG:
            return a
        return self.node(EG, a)

    def compact(self, root: int, links: Mapping[int, int] = _NO_LINKS) -> Shape:
        """The nodes that `root` needs, renumbered in the same order, and the atoms they use.

        Nodes in `links` stand for others. These may come later than those that need them.
        """
        if links:
            return self._compact_cycles(root, links)
        kind, first, second = self.kind, self.first, self.second
        needed = bytearray(root + 1)
        needed[root] = 1
        for node in range(root, -1, -1):
            if needed[node] and kind[node] > ATOM:
                needed[first[node]] = 1
                if second[node] >= 0:
                    needed[second[node]] = 1
        atoms: dict[int, int] = {}
        ops, left, right = array("B"), array("i"), array("i")
        here = [-1] * (root + 2)  # the last one is for "no child", -1
        for node in range(root + 1):
            if needed[node]:
                here[node] = len(ops)
                ops.append(kind[node])
                if kind[node] == ATOM:
                    left.append(atoms.setdefault(first[node], len(atoms)))
                else:
                    left.append(here[first[node]])
                right.append(here[second[node]])
        return ops, left, right, tuple(atoms)

    def _compact_cycles(self, root: int, links: Mapping[int, int]) -> Shape:
        found = links.get
        first = [
            found(f, f) if op > ATOM else f for op, f in zip(self.kind, self.first, strict=True)
        ]
        second = [found(g, g) for g in self.second]
        seen, pending = {root}, [root]
        while pending:
            node = pending.pop()
            for child in (first[node], second[node]) if self.kind[node] > ATOM else ():
                if child >= 0 and child not in seen:
                    seen.add(child)
                    pending.append(child)
        order = sorted(seen)
        here = {node: number for number, node in enumerate(order)}
        here[-1] = -1
        atoms: dict[int, int] = {}
        ops, left, right = array("B"), array("i"), array("i")
        for node in order:
            is_atom = self.kind[node] == ATOM
            ops.append(self.kind[node])
            left.append(atoms.setdefault(first[node], len(atoms)) if is_atom else here[first[node]])
            right.append(here[second[node]])
        return ops, left, right, tuple(atoms)


def _implies(make: Simplifier, f: int, g: int) -> int:
    return make.either(make.negation(f), g)


def _iff(make: Simplifier, f: int, g: int) -> int:
    return make.negation(make.differ(f, g))


def _not_weak_until(make: Simplifier, f: int, g: int) -> int:
    """Some path reaches `!f` before any `g`: the negation of A[f W g]."""
    not_g = make.negation(g)
    return make.until(not_g, make.both(make.negation(f), not_g))


def _all_until(make: Simplifier, f: int, g: int) -> int:
    never = make.always(make.negation(g))
    return make.negation(make.either(_not_weak_until(make, f, g), never))


def _some_weak_until(make: Simplifier, f: int, g: int) -> int:
    return make.either(make.until(f, g), make.always(f))


def _some_release(make: Simplifier, f: int, g: int) -> int:
    return make.either(make.until(g, make.both(f, g)), make.always(g))


def _all_release(make: Simplifier, f: int, g: int) -> int:
    return make.negation(make.until(make.negation(f), make.negation(g)))


BOOLEAN: dict[int, Callable[[Simplifier, int, int], int]] = {
    Op.NOT: lambda make, f, _: make.negation(f),
    Op.AND: Simplifier.both,
    Op.OR: Simplifier.either,
    Op.XOR: Simplifier.differ,
    Op.IMPLIES: _implies,
    Op.IFF: _iff,
}
QUANTIFIED: dict[tuple[int, int], Callable[[Simplifier, int, int], int]] = {
    (Op.E, Op.X): lambda make, f, _: make.following(f),
    (Op.E, Op.F): lambda make, f, _: make.eventually(f),
    (Op.E, Op.G): lambda make, f, _: make.always(f),
    (Op.E, Op.U): Simplifier.until,
    (Op.E, Op.W): _some_weak_until,
    (Op.E, Op.R): _some_release,
    (Op.A, Op.X): lambda make, f, _: make.negation(make.following(make.negation(f))),
    (Op.A, Op.F): lambda make, f, _: make.negation(make.always(make.negation(f))),
    (Op.A, Op.G): lambda make, f, _: make.negation(make.eventually(make.negation(f))),
    (Op.A, Op.U): _all_until,
    (Op.A, Op.W): lambda make, f, g: make.negation(_not_weak_until(make, f, g)),
    (Op.A, Op.R): _all_release,
}
