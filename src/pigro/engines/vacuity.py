"""Formulas `AG (p -> q)` that hold only because no reachable state satisfies p.

The formula is `A [G (p -> q)]` at its root, in any logic that has it. In `p -> (q -> r)` the
premise is both p and q. A premise of labels and Boolean operators is looked up in the nodes that
runs visit, which are found once for all formulas. Any other premise p is one more question, `EF p`.
Nothing is said where states are computed on demand.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, TypeAlias

from pigro.engines.native import DEMAND
from pigro.limits import LIMIT_ERRORS, tick_of
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.verdict import Verdict


def premises_of(formula: Formula) -> list[int]:
    """The nodes of the premises, if the formula is `AG (p -> q)`. Otherwise none."""
    ops, left, right = formula.ops, formula.left, formula.right
    root = len(ops) - 1
    found: list[int] = []
    if ops[root] == Op.A and ops[left[root]] == Op.G:
        body = left[left[root]]
        while ops[body] == Op.IMPLIES:
            found.append(left[body])
            body = right[body]
    return found


_ANY_OF = (Op.ATOM, Op.OR)


class VacuityFinder:
    """Says of verdicts whether they are vacuous. Needs: one at a time."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._visited: dict[tuple[object, tuple[int, ...]], bytes] = {}
        self._is_over = False

    def has(self, verdict: Verdict) -> bool:
        """Whether the formula holds only because no reachable state satisfies its premise.

        False beyond the limits, and if it is not known.
        """
        if not verdict.holds or self._is_over:
            return False
        premises = premises_of(verdict.formula)
        model: Model = verdict.subject
        if not premises or not model.is_listed:
            return False
        try:
            if max(verdict.formula.ops[: max(premises) + 1]) <= Op.IFF:
                return self._is_nowhere(model, verdict.formula, premises)
            return self._is_refuted(model, verdict.formula, premises)
        except LIMIT_ERRORS:
            self._is_over = True
            return False

    def _is_nowhere(self, model: RSM, formula: Formula, premises: list[int]) -> bool:
        """Whether no visited node satisfies the premises. Their nodes are the formula's first."""
        key = (model.core, model.initial)
        if key not in self._visited:
            self._budget.look()
            self._visited[key] = model.core.visited(model.initial, tick_of(self._budget.poll))
        visited = self._visited[key]
        if not visited:
            return False
        last = max(premises)
        if premises == [last] and all(op in _ANY_OF for op in formula.ops[: last + 1]):
            atoms = (
                at
                for op, at in zip(formula.ops, formula.left[: last + 1], strict=False)
                if op == Op.ATOM
            )
            return not any(_carrying(model, formula.atoms[at], visited) for at in atoms)
        values = _values(model, formula, last, visited)
        nodes, is_rest = values[premises[0]]
        for each in premises[1:]:
            nodes, is_rest = _both((nodes, is_rest), values[each])
        return len(nodes) == visited.count(1) if is_rest else not nodes

    def _is_refuted(self, model: RSM, formula: Formula, premises: list[int]) -> bool:
        from pigro.logic.construct import EF, conjunction, part_of

        premise = conjunction(part_of(formula, each) for each in premises)
        if not premise.is_ctl:
            return False
        [found] = DEMAND.check_all(model, [EF(premise)], budget=self._budget)
        return found.holds is False


_Value: TypeAlias = tuple[AbstractSet[int], bool]
"""Visited nodes, or all visited nodes but these."""


def _values(model: RSM, formula: Formula, last: int, visited: bytes) -> list[_Value]:
    """Where each subformula up to the node `last` is true."""
    made: list[_Value] = []
    for op, left, right in zip(formula.ops[: last + 1], formula.left, formula.right, strict=False):
        if op == Op.ATOM:
            made.append((_carrying(model, formula.atoms[left], visited), False))
        elif op < Op.ATOM:
            made.append((frozenset(), op == Op.TRUE))
        else:
            one = made[left]
            made.append(_joined(op, one, made[right] if op > Op.NOT else one))
    return made


def _carrying(model: RSM, label: str, visited: bytes) -> set[int]:
    """The visited nodes with a label."""
    number = model.label_ids.get(label)
    carrying = () if number is None else model.core.labelled(number)
    return {node for node in carrying if visited[node]}


def _joined(op: int, one: _Value, two: _Value) -> _Value:
    if op == Op.NOT:
        return _not(one)
    if op == Op.AND:
        return _both(one, two)
    if op in (Op.OR, Op.IMPLIES):
        return _not(_both(_not(one) if op == Op.OR else one, _not(two)))
    return one[0] ^ two[0], one[1] ^ two[1] ^ (op == Op.IFF)


def _not(one: _Value) -> _Value:
    return one[0], not one[1]


def _both(one: _Value, two: _Value) -> _Value:
    if one[1]:
        return (one[0] | two[0], True) if two[1] else (two[0] - one[0], False)
    return (one[0] - two[0] if two[1] else one[0] & two[0]), False
