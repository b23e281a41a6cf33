"""The state formulas inside a formula, as it was written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.arena import Arena
from pigro.logic.operators import Op
from pigro.logic.syntax import Formula

if TYPE_CHECKING:
    from collections.abc import Iterator

_ATOM, _A, _E = int(Op.ATOM), int(Op.A), int(Op.E)


def subformulas(formula: Formula) -> Iterator[Formula]:
    """All distinct ones of a formula of CTL: the whole first, operands after it, left to right.

    >>> [str(each) for each in subformulas(Formula("AG (p -> A [q U p])"))]
    ['AG (p -> A [q U p])', 'p -> A [q U p]', 'p', 'A [q U p]', 'q']
    """
    return (part_of(formula, at) for at in _roots(formula))


def count_subformulas(formula: Formula) -> int:
    """How many there are.

    >>> count_subformulas(Formula("AG (p -> A [q U p])"))
    5
    """
    return sum(1 for _ in _roots(formula))


def _roots(formula: Formula) -> Iterator[int]:
    formula.require_ctl()
    seen: set[int] = set()
    pending = [len(formula) - 1]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        yield at
        if formula.ops[at] in (_A, _E):
            at = formula.left[at]
        pending += reversed(_operands(formula, at))


def _operands(formula: Formula, at: int) -> list[int]:
    if formula.ops[at] <= _ATOM:
        return []
    return [each for each in (formula.left[at], formula.right[at]) if each >= 0]


def part_of(formula: Formula, root: int) -> Formula:
    """The subformula `root` as a formula of its own: nodes in the order of its own text."""
    arena = Arena()
    here: dict[int, int] = {-1: -1}
    pending = [root]
    while pending:
        at = pending[-1]
        missing = [each for each in _operands(formula, at) if each not in here]
        if missing:
            pending += reversed(missing)
            continue
        pending.pop()
        if at in here:
            continue
        op, left, right = formula.ops[at], formula.left[at], formula.right[at]
        if op == _ATOM:
            here[at] = arena.atom(formula.atoms[left])
        else:
            here[at] = arena.node(op, here[left], here[right])
    return Formula.from_arena(arena)
