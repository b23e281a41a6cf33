"""Where the parts of a formula are true, in a model that is in a file."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import Problems
from pigro.engines import UnknownLabelWarning, unknown_labels
from pigro.engines.explaining import explain_at
from pigro.engines.labelling import Truth, require_labelled
from pigro.formats.source import open_source
from pigro.logic.construct import count_subformulas
from pigro.logic.files import reader
from pigro.logic.printer import as_written

if TYPE_CHECKING:
    from pigro.engines.explaining import SubformulaTruth
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class Explanation:
    """What there is to tell."""

    model: RSM
    formula: Formula
    node: int | None
    """None for the initial nodes with the empty stack."""
    truths: tuple[SubformulaTruth, ...]
    left_out: int = 0
    """Subformulas that are not among the truths."""
    warnings: tuple[str, ...] = ()

    @property
    def is_reachable(self) -> bool:
        """Whether there are any states that are asked about."""
        return any(each.truth is not Truth.NOT_REACHABLE for each in self.truths)


def explain_formula(
    path: str,
    text: str,
    name: str | None,
    *,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    budget: Budget,
) -> Explanation:
    """The explanation. `PigroError` or `Problems` if the input is wrong."""
    model, formula, node, told = read_question(
        path,
        text,
        name,
        from_=from_,
        semantics=semantics,
        dead_ends=dead_ends,
        budget=budget,
        only_ctl=False,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        truths = tuple(explain_at(model, formula, node, budget=budget))
    left_out = count_subformulas(as_written(formula)) - len(truths)
    return Explanation(model, formula, node, truths, left_out, told)


def read_question(
    path: str,
    text: str,
    name: str | None = None,
    *,
    from_: str | None,
    semantics: str | None,
    dead_ends: str | None,
    budget: Budget,
    only_ctl: bool = True,
) -> tuple[RSM, Formula, int | None, tuple[str, ...]]:
    """The model, the formula, the node of that name, and warnings."""
    problems = Problems()
    source = open_source(path, from_, budget.poll)
    formula = node = model = None
    with problems.collecting():  # first, for it may say which labels a document's model needs
        formula = reader(source.document)(text)
        if only_ctl:
            require_labelled(formula)
    with problems.collecting():
        model = source.model(semantics=semantics, dead_ends=dead_ends, poll=budget.poll)
        model = model.listed(budget.poll) if name is not None or only_ctl else model
        node = None if name is None else model.find(name)
    problems.raise_if_any()
    assert formula is not None, "else there is a problem"
    assert model is not None, "else there is a problem"
    model = model.about(formula.atoms)
    unknown = unknown_labels(model, [formula])
    return model, formula, node, (unknown.message(),) if unknown else ()
