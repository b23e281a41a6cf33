"""Which variables a constraint lets be EXIT.

A variable without right side has only values of its type. So `TRANS next(s) = EXIT` would leave no
step. A comparison with EXIT asks for it where the constraint may need the comparison to be true:
`s = a -> next(s) = EXIT` does, `next(s) != EXIT` does not.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pigro.formats.smv.native import EXIT_VALUE, Op

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro import _core

_TRUE, _FALSE = 1, 2
"""Whether a condition may be needed to be true, or to be false. As bits."""
_BOTH = _TRUE | _FALSE
_TRUTHS = frozenset((*range(Op.NEGATION, Op.LESS_EQUAL + 1), Op.MEMBER, Op.COUNT, Op.TRUTH_OF))
"""Operators whose value is never EXIT."""


def asked(machine: _core.Machine, constraint: int) -> Iterator[tuple[int, int]]:
    """Slots that a constraint asks to be EXIT, each with the place of a comparison."""
    needed = {constraint: _TRUE}
    waiting = [-constraint]
    while waiting:  # operands have smaller numbers, so each comes once
        number = -heappop(waiting)
        op, args, _, at = machine.term(number)
        if op in (Op.EQUAL, Op.MEMBER) and needed[number] & _TRUE:
            sources = [_sources(machine, each) for each in args]
            for own, other in (sources, reversed(sources)):
                if EXIT_VALUE in other[0]:
                    yield from ((slot, at) for slot in sorted(own[1]))
        for arg, how in zip(args, _needs(op, len(args), needed[number]), strict=True):
            if arg not in needed:
                heappush(waiting, -arg)
            needed[arg] = needed.get(arg, 0) | how


def _needs(op: int, count: int, needed: int) -> Sequence[int]:
    """What an operator needs of its operands, if this is needed of it."""
    opposite = needed >> 1 | (needed & _TRUE) << 1
    if op in (Op.CONJUNCTION, Op.DISJUNCTION, Op.REMEMBER):
        return [needed] * count
    if op == Op.NEGATION:
        return [opposite]
    if op == Op.IMPLICATION:
        return [opposite, needed]
    if op == Op.CHOICE:
        return [_BOTH, needed] * (count // 2)
    if op == Op.CONDITION:
        return [_BOTH, needed, needed]
    return [_BOTH] * count


def _sources(machine: _core.Machine, expression: int) -> tuple[set[int], set[int]]:
    """The constants and slots that the value of an expression may come from."""
    constants: set[int] = set()
    slots: set[int] = set()
    seen = {expression}
    waiting = [expression]
    for number in waiting:  # grows
        op, args, value, _ = machine.term(number)
        if op == Op.CONSTANT:
            constants.add(value)
        elif op == Op.SLOT:
            slots.add(value)
        fresh = [each for each in _operands(op, args) if each not in seen]
        seen.update(fresh)
        waiting += fresh
    return constants, slots


def _operands(op: int, args: Sequence[int]) -> Sequence[int]:
    if op in _TRUTHS:
        return ()
    if op == Op.CHOICE:
        return args[1::2]
    return args[1:] if op == Op.CONDITION else args
