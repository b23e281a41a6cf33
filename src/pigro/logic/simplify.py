"""The nodes of the existential normal form, simplified while they are made.

`normal.py` says what is sound. The form is canonical up to De Morgan. Of the ways to write "and"
and "or" over two operands that may be negated only some are kept, with the operands in the order of
their numbers:
 NF1  OR stands over two operands of which none is a NOT;
 NF2  AND has at most one NOT among its operands;
 NF3  no NOT stands over a NOT;
 NF4  TRUE stands alone, under one NOT (which is false, and alone), under EX or as the left operand
     of EU.
"""

from __future__ import annotations

from typing import Final

from pigro.logic.arena import Arena

TRUE: Final = 0
ATOM: Final = 1
NOT: Final = 2
AND: Final = 3
OR: Final = 4
EX: Final = 5
EU: Final = 6
EG: Final = 7


class Simplifier:
    """Makes nodes, each once; every method keeps NF1 to NF4.

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
        self.true = self._node(TRUE)
        self.false = self._node(NOT, self.true)

    def _node(self, op: int, left: int = -1, right: int = -1) -> int:
        number = self.arena.node(op, left, right)
        if number == len(self.kind):
            self.kind.append(op)
            self.first.append(left)
            self.second.append(right)
        return number

    def atom(self, number: int) -> int:
        """The label with that number."""
        return self._node(ATOM, number)

    def negation(self, a: int) -> int:
        """`!a`."""
        return self.first[a] if self.kind[a] == NOT else self._node(NOT, a)

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
        return self._node(op, a, b) if a < b else self._node(op, b, a)

    def differ(self, a: int, b: int) -> int:
        """`a xor b`; negations of the operands come out."""
        flipped = False
        if self.kind[a] == NOT:
            a, flipped = self.first[a], not flipped
        if self.kind[b] == NOT:
            b, flipped = self.first[b], not flipped
        mixed = self.either(self.both(a, self.negation(b)), self.both(self.negation(a), b))
        return self.negation(mixed) if flipped else mixed

    def following(self, a: int) -> int:
        """`EX a`. EX true stays: it is false in a dead end."""
        return a if a == self.false else self._node(EX, a)

    def until(self, a: int, b: int) -> int:
        """`E [a U b]`."""
        if a in (b, self.false) or b in (self.true, self.false):
            return b
        if self.kind[b] == EU and self.first[b] == a:
            return b
        return self._node(EU, a, b)

    def eventually(self, a: int) -> int:
        """`EF a`."""
        return self.until(self.true, a)

    def always(self, a: int) -> int:
        """`EG a`."""
        if a in (self.true, self.false) or self.kind[a] == EG:
            return a
        return self._node(EG, a)
