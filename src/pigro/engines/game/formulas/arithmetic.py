"""Arithmetic on integers, as native/core/smv does it: in 64 bits, with faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InternalError
from pigro.engines.game.formulas.values import NotEncodable, SingleValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.formulas.numbers import BitArithmetic, Bits

ARITHMETIC = frozenset(
    (
        *("add", "subtract", "multiply", "divide", "modulo", "minimum", "maximum"),
        *("minus", "absolute", "count", "number_of", "truth_of"),
    )
)
_LONGEST = 62
"""Bits of a number that fits into a value of the native core for sure."""


def compute(numbers: BitArithmetic, op: str, given: Sequence[SingleValue]) -> SingleValue:
    """An operator on numbers, or one that makes a number of truth values or the other way round."""
    if op == "truth_of":
        return _truth_of(numbers, given[0])
    if op in ("count", "number_of"):
        return _count(numbers, given)
    fault, where, left = given[0].fault, *_number(numbers, given[0])
    if len(given) == 1:
        left = _unary(numbers, op, left)
    for each in given[1:]:
        here, right = _number(numbers, each)
        fault |= each.fault
        where &= here
        if op in ("divide", "modulo"):
            where &= ~numbers.equal(right, numbers.zero)
        left = _binary(numbers, op, left, right)
    if len(left) > _LONGEST:
        raise NotEncodable
    where &= ~fault
    return SingleValue(~where, {}, (where, left))


def _number(numbers: BitArithmetic, value: SingleValue) -> tuple[Bdd, Bits]:
    """Where it is a number, and which. Elsewhere it is a fault to compute with it."""
    return (numbers.false, numbers.zero) if value.number is None else value.number


def _unary(numbers: BitArithmetic, op: str, bits: Bits) -> Bits:
    if op == "minus":
        return numbers.minus(bits)
    if op == "absolute":
        return numbers.absolute(bits)
    raise InternalError("P901", f"the operator {op} has no bits")


def _binary(numbers: BitArithmetic, op: str, left: Bits, right: Bits) -> Bits:
    if op == "add":
        return numbers.add(left, right)
    if op == "subtract":
        return numbers.subtract(left, right)
    if op == "multiply":
        return numbers.multiply(left, right)
    if op in ("divide", "modulo"):
        return numbers.divide(left, right)[op == "modulo"]
    if op == "minimum":
        return numbers.choose(numbers.less(left, right), left, right)
    if op == "maximum":
        return numbers.choose(numbers.less(left, right), right, left)
    raise InternalError("P901", f"the operator {op} has no bits")


def _count(numbers: BitArithmetic, given: Sequence[SingleValue]) -> SingleValue:
    fault, total = numbers.false, numbers.zero
    for each in given:
        fault |= each.fault
        total = numbers.add(total, (each.is_true(numbers.false), numbers.false))
    return SingleValue(fault, {}, (~fault, total))


def _truth_of(numbers: BitArithmetic, value: SingleValue) -> SingleValue:
    where, bits = _number(numbers, value)
    true = where & ~numbers.equal(bits, numbers.zero) & ~value.fault
    return SingleValue(value.fault, {True: true, False: ~true & ~value.fault})
