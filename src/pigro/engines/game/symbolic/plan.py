"""The question, and the order in which the subformulas are evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.modal import AND, BOX, DIAMOND, MU, NU, OR, VAR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pigro.engines.game.sets import BddSpace
    from pigro.logic.modal import ModalForm


@dataclass(frozen=True, slots=True)
class EvaluationOrder:
    """In which order to evaluate: operands first, fixpoints innermost first."""

    closed: tuple[int, ...]
    """Subformulas without free variables."""
    inside: Mapping[int, tuple[int, ...]]
    """For each fixpoint the subformulas where its variable is free, without the variable."""
    fixpoint: Mapping[int, int]
    """For each variable its fixpoint."""


def plan_of(form: ModalForm) -> EvaluationOrder:
    """Nodes of a form come after their operands, and at most one variable is free in each."""
    free: list[int] = []
    inside: dict[int, list[int]] = {}
    closed = []
    for node, operator in enumerate(form.ops):
        if operator == VAR:
            free.append(node)
            continue
        is_fixpoint = operator in {MU, NU}
        variable = (
            -1 if is_fixpoint else max((free[child] for child in operands(form, node)), default=-1)
        )
        free.append(variable)
        if variable < 0:
            closed.append(node)
        else:
            inside.setdefault(variable, []).append(node)
    fixpoint = {form.left[node]: node for node in closed if form.ops[node] in {MU, NU}}
    by_fixpoint = {node: tuple(inside.get(variable, ())) for variable, node in fixpoint.items()}
    return EvaluationOrder(tuple(closed), by_fixpoint, fixpoint)


def operands(form: ModalForm, node: int) -> tuple[int, ...]:
    operator = form.ops[node]
    if operator in {AND, OR}:
        return (form.left[node], form.right[node])
    if operator in {DIAMOND, BOX}:
        return (form.left[node],)
    if operator in {MU, NU}:
        return (form.left[form.left[node]],)
    return ()


@dataclass(frozen=True, slots=True)
class SymbolicProblem:
    """The question, the parts as diagrams, and how to go through the formula."""

    form: ModalForm
    plan: EvaluationOrder
    space: BddSpace
    tick: Callable[[], None]
