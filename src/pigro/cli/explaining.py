"""The work of `pigro explain`: reads the input, asks for all subformulas, tells what was found."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from pigro.cli.failures import Problems, warn
from pigro.cli.formulas import reader
from pigro.engines import UnknownLabelWarning, unknown_labels
from pigro.engines.explaining import MOST, explain_at
from pigro.formats.source import open_source
from pigro.logic.subformulas import count_subformulas
from pigro.render.explanation import Explanation

if TYPE_CHECKING:
    from pigro.limits import Budget


def explain_formula(  # noqa: PLR0913 - how to read the model is said by name
    path: str,
    text: str,
    name: str | None,
    *,
    from_: str | None,
    semantics: str,
    dead_ends: str | None,
    budget: Budget,
) -> Explanation:
    """The explanation; `PigroError` or `Problems` if the input is wrong."""
    problems = Problems()
    source = open_source(path, from_, budget.poll)
    formula = node = model = None
    with problems.collecting():  # first, for it may say which labels a document's model needs
        formula = reader(source.document)(text).require_ctl()
    with problems.collecting():
        model = source.model(semantics=semantics, dead_ends=dead_ends, poll=budget.poll)
        node = None if name is None else model.find(name)
    problems.raise_if_any()
    assert formula is not None, "else there is a problem"
    assert model is not None, "else there is a problem"
    model = model.about(formula.atoms)
    unknown = unknown_labels(model, [formula])
    told = (unknown.message(),) if unknown else ()
    for each in told:
        warn(each)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        truths = tuple(explain_at(model, formula, node, budget=budget))
    left_out = max(count_subformulas(formula) - MOST, 0)
    return Explanation(model, formula, node, truths, left_out, told)
