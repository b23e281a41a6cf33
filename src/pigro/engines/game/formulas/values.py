"""What an expression can be, as Boolean functions of the slots that it reads.

A `SingleValue` has one value everywhere where nothing goes wrong: a truth value, a symbol, or a
number. Where something goes wrong, such as a division by zero, it has none, and `fault` is true. A
`ValueSet` is a set of values: singles and ranges, each where its guard is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.formulas.numbers import BitArithmetic, Bits


class NotEncodable(Exception):  # callers list the states instead
    """An expression that has no formula here."""


class SingleValue(NamedTuple):
    """One value. Where it is which: these are disjoint, and with `fault` they are everywhere."""

    fault: Bdd
    constants: Mapping[bool | str, Bdd]
    number: tuple[Bdd, Bits] | None = None

    def is_true(self, false: Bdd) -> Bdd:
        """Where it is TRUE."""
        return self.constants.get(True, false)


class IntegerRange(NamedTuple):
    """The integers from one to another."""

    low: Bits
    high: Bits


class ValueSet(NamedTuple):
    """A set of values."""

    fault: Bdd
    members: tuple[tuple[Bdd, SingleValue | IntegerRange], ...]


Valued = SingleValue | ValueSet


def members_of(value: Valued, true: Bdd) -> tuple[tuple[Bdd, SingleValue | IntegerRange], ...]:
    """The values of a set, or the one value."""
    return value.members if isinstance(value, ValueSet) else ((true, value),)


def chosen(numbers: BitArithmetic, branches: Iterable[tuple[Bdd, Valued]], fault: Bdd) -> Valued:
    """The value of one of several branches. Their guards are disjoint."""
    given = list(branches)
    for guard, value in given:
        fault |= guard & value.fault
    if any(isinstance(value, ValueSet) for _, value in given):
        found = []
        for guard, value in given:
            for inner, member in members_of(value, numbers.true):
                both = guard & inner
                if both != numbers.false:
                    found.append((both, member))
        return ValueSet(fault, tuple(found))
    return _merged(numbers, [(g, v) for g, v in given if isinstance(v, SingleValue)], fault)


def _merged(
    numbers: BitArithmetic, branches: Iterable[tuple[Bdd, SingleValue]], fault: Bdd
) -> SingleValue:
    constants: dict[bool | str, Bdd] = {}
    number: tuple[Bdd, Bits] | None = None
    for guard, value in branches:
        for constant, where in value.constants.items():
            constants[constant] = constants.get(constant, numbers.false) | (guard & where)
        if value.number is None:
            continue
        here = guard & value.number[0]
        if number is None:
            number = (here, value.number[1])
        else:
            bits = numbers.choose(here, value.number[1], number[1])
            number = (number[0] | here, bits)
    return SingleValue(fault, constants, number)


def equal(numbers: BitArithmetic, left: SingleValue, right: SingleValue) -> Bdd:
    """Where both have the same value."""
    same = numbers.false
    for constant, where in left.constants.items():
        same |= where & right.constants.get(constant, numbers.false)
    if left.number is not None and right.number is not None:
        both = left.number[0] & right.number[0]
        same |= both & numbers.equal(left.number[1], right.number[1])
    return same


def contains(numbers: BitArithmetic, member: SingleValue | IntegerRange, value: SingleValue) -> Bdd:
    """Where a member of a set is the value, or has it."""
    if isinstance(member, SingleValue):
        return equal(numbers, member, value)
    if value.number is None:
        return numbers.false
    where, bits = value.number
    return where & ~numbers.less(bits, member.low) & ~numbers.less(member.high, bits)
