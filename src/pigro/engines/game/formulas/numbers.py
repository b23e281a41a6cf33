"""Integers as tuples of Boolean functions: two's complement, the lowest bit first, the sign last.

A number is as short as it can be: the two highest bits differ, unless there is only one. Results
are exact, because every operation makes as many bits as it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.engines.game.diagrams import Bdd, BddManager

Bits = tuple["Bdd", ...]


class BitArithmetic:
    """Arithmetic with the functions of one store."""

    def __init__(self, diagrams: BddManager) -> None:
        self._diagrams = diagrams
        self.false, self.true = diagrams.false, diagrams.true
        self.zero: Bits = (self.false,)

    def constant(self, number: int) -> Bits:
        """A number that is the same everywhere."""
        width = max(number.bit_length(), (~number).bit_length()) + 1
        return self.short([self.true if number >> at & 1 else self.false for at in range(width)])

    def short(self, bits: Iterable[Bdd]) -> Bits:
        """The same number without bits that only repeat the sign."""
        found = list(bits)
        while len(found) > 1 and found[-1] == found[-2]:
            found.pop()
        return tuple(found)

    @staticmethod
    def long(bits: Bits, width: int) -> list[Bdd]:
        """The lowest so many bits."""
        return [bits[min(at, len(bits) - 1)] for at in range(width)]

    def choose(self, test: Bdd, yes: Bits, no: Bits) -> Bits:
        """One number where the test is true, and the other elsewhere."""
        width = max(len(yes), len(no))
        pairs = zip(self.long(yes, width), self.long(no, width), strict=True)
        return self.short([self._diagrams.choose(test, one, other) for one, other in pairs])

    def add(self, left: Bits, right: Bits) -> Bits:
        """The sum."""
        return self._sum(left, right, self.false)

    def subtract(self, left: Bits, right: Bits) -> Bits:
        """The difference."""
        return self._sum(left, tuple([~bit for bit in right]), self.true)

    def minus(self, bits: Bits) -> Bits:
        """The number with the other sign."""
        return self.subtract(self.zero, bits)

    def _sum(self, left: Bits, right: Bits, carry: Bdd) -> Bits:
        width = max(len(left), len(right)) + 1
        unequal = self._diagrams.unequal
        found = []
        for one, other in zip(self.long(left, width), self.long(right, width), strict=True):
            either = unequal(one, other)
            found.append(unequal(either, carry))
            carry = self._diagrams.choose(either, carry, one)
        return self.short(found)

    def multiply(self, left: Bits, right: Bits) -> Bits:
        """The product: the highest bit of the right number counts negatively."""
        total = self.zero
        for at, bit in enumerate(right):
            if bit == self.false:
                continue
            shifted = (self.false,) * at + tuple([each & bit for each in left])
            is_sign = at == len(right) - 1
            total = self.subtract(total, shifted) if is_sign else self.add(total, shifted)
        return total

    def divide(self, left: Bits, right: Bits) -> tuple[Bits, Bits]:
        """Quotient and remainder, rounded towards zero. Anything where the right number is 0."""
        negative, divisor = left[-1], self.absolute(right)
        rest, digits = self.zero, list[Bits]()
        for bit in reversed(self.absolute(left)[:-1] or (self.false,)):
            rest = self.short((bit, *rest))
            smaller = self.subtract(rest, divisor)
            fits = ~smaller[-1]
            rest = self.choose(fits, smaller, rest)
            digits.append((fits,))
        quotient = self.short([*(fits for (fits,) in reversed(digits)), self.false])
        turned = self._diagrams.unequal(negative, right[-1])
        return (
            self.choose(turned, self.minus(quotient), quotient),
            self.choose(negative, self.minus(rest), rest),
        )

    def absolute(self, bits: Bits) -> Bits:
        """The number without its sign."""
        return self.choose(bits[-1], self.minus(bits), bits)

    def less(self, left: Bits, right: Bits) -> Bdd:
        """Whether the left number is smaller."""
        return self.subtract(left, right)[-1]

    def equal(self, left: Bits, right: Bits) -> Bdd:
        """Whether the numbers are the same."""
        width = max(len(left), len(right))
        same = self.true
        for one, other in zip(self.long(left, width), self.long(right, width), strict=True):
            same &= ~self._diagrams.unequal(one, other)
        return same

    def wrapped(self, bits: Iterable[Bdd], width: int) -> Bits:
        """The word with these lowest bits. A negative width is that of a signed one."""
        size = abs(width)
        found = self.long(tuple(bits), size)
        return self.short(found if width < 0 else [*found, self.false])
