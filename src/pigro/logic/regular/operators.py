"""The operators with automata, for translations: what they need, and what they become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic.regular.threads import FormulaFactory
    from pigro.logic.syntax import Formula

_TRIGGER, _OMEGA = int(Op.TRIGGER), int(Op.OMEGA)


def expression_parts(formula: Formula, node: int, *, plain: bool) -> list[tuple[int, bool]]:
    """The operands of an operator: its letters, and the formula that follows, negated or not."""
    from pigro.logic.regular.automata import letters

    found = [(each, True) for each in letters(formula, formula.left[node])]
    return [*found, (formula.right[node], plain)] if formula.right[node] >= 0 else found


def translated(
    make: FormulaFactory,
    formula: Formula,
    node: int,
    positive: bool,
    letter: Callable[[int, bool], int],
    follows: Callable[[int], int],
) -> int:
    """The formula of an operator, or of its negation, under E."""
    from pigro.logic.regular.automata import automaton_of
    from pigro.logic.regular.threads import ThreadFormulas

    op, right = formula.ops[node], formula.right[node]
    threads = ThreadFormulas(make, automaton_of(formula, node), letter)
    if op >= _OMEGA:
        return threads.accepted() if positive else threads.rejected()
    if positive == (op == _TRIGGER):
        return threads.all_matches(follows(right))
    return threads.some_match(follows(right))
