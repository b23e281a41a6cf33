"""Where a formula holds: each of its parts at one place, or the whole of it at every node.

`pigro explain` and `pigro label` ask the same question of a model. They differ in the rows of the
answer.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.engines import UnknownLabelWarning
from pigro.engines.explaining import explain_at
from pigro.engines.labelling import TruthAmongStates, satisfying
from pigro.logic.construct import count_subformulas
from pigro.logic.printer import as_written
from pigro.options import PARTS_FILE, PROGRAM
from pigro.session.prepare import how_given, prepare

if TYPE_CHECKING:
    from pigro.engines.labelling import FormulaTruth, Satisfying
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model.space import Model
    from pigro.session.request import CheckQuestion, Request


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer: a row for each formula and place."""

    model: Model
    formula: Formula
    truths: tuple[FormulaTruth, ...]
    node: int | None = None
    """The node that all rows are about. None for the initial nodes, and for all nodes."""
    left_out: int = 0
    """Subformulas that have no row."""
    warnings: tuple[str, ...] = ()
    satisfying: Satisfying | None = None
    """All states that satisfy the formula, if every node was asked about."""

    @property
    def is_reachable(self) -> bool:
        """Whether there are any states that are asked about."""
        return any(each.truth is not TruthAmongStates.NOT_REACHABLE for each in self.truths)

    @property
    def is_known(self) -> bool:
        """Whether all truths were found within the limits."""
        return all(each.truth is not TruthAmongStates.UNKNOWN for each in self.truths)


_INSTEAD = {
    PARTS_FILE: "a file of parts is checked by `pigro compose`",
    PROGRAM: "only `pigro check`, `bench`, `batch` and `validate-witness` take programs",
}


def prepare_explanation(request: Request, budget: Budget) -> CheckQuestion:
    """The question about a model in a file and one formula.

    `PigroError` or `InputProblems` for wrong input, and for other subjects. No code of these is
    run.
    """
    given = how_given(request)
    if given in _INSTEAD:
        message = f"explain and label need a model, and this is a {given}"
        raise UsageError("P006", message, hint=_INSTEAD[given])
    return prepare(request, budget)


def explain_parts(question: CheckQuestion) -> Explanation:
    """Each subformula, at the node of the request or at the initial nodes."""
    [formula] = question.formulas
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        truths = explain_at(question.model, formula, question.node, budget=question.budget)
    return Explanation(
        question.model,
        formula,
        tuple(truths),
        question.node,
        count_subformulas(as_written(formula)) - len(truths),
        _told(question),
    )


def label_nodes(question: CheckQuestion) -> Explanation:
    """The whole formula, at every declared node. `LIMIT_ERRORS` beyond the limits."""
    [formula] = question.formulas
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        found = satisfying(question.model, formula, budget=question.budget)
    found.reach(question.budget.poll)
    rows = tuple(found.rows())
    return Explanation(found.model, formula, rows, warnings=_told(question), satisfying=found)


def _told(question: CheckQuestion) -> tuple[str, ...]:
    return tuple(each.text for each in question.notices)
