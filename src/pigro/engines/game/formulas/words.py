"""Operators on words. A word is the integer that it stands for, whatever its width is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InternalError
from pigro.engines.game.formulas.values import NotEncodable, SingleValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.formulas.numbers import BitArithmetic, Bits


def word(numbers: BitArithmetic, op: str, width: int, given: Sequence[SingleValue]) -> SingleValue:
    """An operator whose result has a width, negative if it is signed."""
    fault = numbers.false
    found = []
    for each in given:
        if each.number is None:
            raise NotEncodable
        fault |= each.fault
        found.append(each.number[1])
    if op in ("word_divide", "word_modulo"):
        fault |= numbers.equal(found[1], numbers.zero)
    elif op in ("word_left", "word_right"):
        high = numbers.constant(abs(width))
        fault |= found[1][-1] | numbers.less(high, found[1])
    return SingleValue(
        fault, {}, (~fault, numbers.wrapped(_bits(numbers, op, width, found), width))
    )


def _bits(numbers: BitArithmetic, op: str, width: int, given: Sequence[Bits]) -> Sequence[Bdd]:  # noqa: C901, PLR0911 - a line each
    size = abs(width)
    left = given[0]
    if op == "word_wrap":
        return left
    if op == "word_not":
        return [~bit for bit in left]
    if op == "word_bits":
        return numbers.long(left, len(left) + 64)[_fixed(numbers, given[2]) :]
    if op == "word_join":
        low = _fixed(numbers, given[2])
        return [*numbers.long(given[1], low), *left]
    right = given[1]
    if op == "word_add":
        return numbers.add(left, right)
    if op == "word_subtract":
        return numbers.subtract(left, right)
    if op == "word_multiply":
        return numbers.multiply(tuple(numbers.long(left, size)), tuple(numbers.long(right, size)))
    if op in ("word_divide", "word_modulo"):
        return numbers.divide(left, right)[op == "word_modulo"]
    if op in ("word_left", "word_right"):
        return _shifted(numbers, op, size, left, right)
    pairs = zip(numbers.long(left, size), numbers.long(right, size), strict=True)
    if op == "word_and":
        return [one & other for one, other in pairs]
    if op == "word_or":
        return [one | other for one, other in pairs]
    if op == "word_xor":
        return [(one & ~other) | (~one & other) for one, other in pairs]
    raise InternalError("P901", f"the operator {op} has no bits")


def _shifted(numbers: BitArithmetic, op: str, size: int, left: Bits, right: Bits) -> Bits:
    found = left
    for by in range(1, size + 1):
        if op == "word_left":
            moved = ((numbers.false,) * by + left)[:size]
        else:
            moved = left[by:] or left[-1:]
        found = numbers.choose(
            numbers.equal(right, numbers.constant(by)), numbers.short(moved), found
        )
    return tuple(numbers.long(found, size))


def _fixed(numbers: BitArithmetic, bits: Bits) -> int:
    """A number that is the same everywhere."""
    if any(bit not in (numbers.false, numbers.true) for bit in bits):
        raise NotEncodable
    total = sum((bit == numbers.true) << at for at, bit in enumerate(bits))
    return total - ((bits[-1] == numbers.true) << len(bits))
