"""Results that `pigro compose --format json` wrote, read back to be judged.

Strategies are judged by their replay. Here is the rest: names, formulas and verdicts are compared
with the parts and with the strategy. Sentences for people, sizes, times and the rounds of
refinement are not judged. Docs/evidence.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError
from pigro.engines.game.checking import is_about_runs, require_modal
from pigro.engines.table import METHODS
from pigro.evidence.data import WrongEvidence, converted, need
from pigro.evidence.strategy.replay import Rules, check_actions
from pigro.logic import parse
from pigro.session.findings import need_evidence
from pigro.session.results import CompositionResults, PartData

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Strategy
    from pigro.model.composition import Composition
    from pigro.session.results import CompositionResult


def read_results(composition: Composition, decoded: object) -> CompositionResults:
    """The results of a document that was decoded.

    `NotEvidence` if it holds none, `Mismatch` if it is about other parts.
    """
    found = converted(decoded, CompositionResults)
    if all(row.finished is UNSET for row in found.results):
        need_evidence(found.results)
    if found.parts != [PartData.of(part) for part in composition.parts]:
        raise Mismatch("the results are about other parts")
    return found


def check_result(
    composition: Composition, told: CompositionResults, row: CompositionResult, strategy: Strategy
) -> None:
    """`WrongEvidence` if a result says something else than its strategy, which is right."""
    assert row.evidence is not UNSET, "else there is no strategy"
    inside = (row.evidence["formula"], row.evidence["verdict"])
    same = (row.formula, row.verdict) == inside
    need(same, "the evidence is for another formula or verdict than the result")
    need(
        told.dead_ends == strategy.dead_ends,
        f"the evidence reads dead ends as {strategy.dead_ends}, the results do not",
    )
    need(row.method in METHODS, "there is no such method")
    is_symbolic = row.method == "symbolic"
    need((row.symbolic is not None) == is_symbolic, "only the symbolic method has diagrams")
    names = [part.name for part in composition.parts]
    _check_names(row.decided_by, names)
    places = Rules(composition, strategy).starts()
    used = {names[part] for at, _ in places for part in strategy.layers[at].parts}
    need(used <= set(row.decided_by), "the strategy needs other parts than those that decided")


def check_row(composition: Composition, told: CompositionResults, row: CompositionResult) -> None:
    """`WrongEvidence` if a result, with evidence or without, names what there is not."""
    need(row.method in METHODS, "there is no such method")
    need(row.verdict != "unknown" or not row.decided_by, "no part decided it")
    names = [part.name for part in composition.parts]
    _check_formula(composition, told, row)
    for layer in (*row.layers, *(layer for each in row.rounds for layer in each.layers)):
        _check_names(layer.parts, names)
        enough = bool(row.rounds) or set(row.decided_by) <= set(layer.parts)
        shown = layer.value == row.verdict and enough  # in rounds, other games may have helped
        need(layer.value == "unknown" or shown, "a game has a value that is not shown")


def _check_formula(
    composition: Composition, told: CompositionResults, row: CompositionResult
) -> None:
    """`WrongEvidence` if a formula can't be asked about the parts."""
    try:
        formula = parse(row.formula)
        if is_about_runs(formula):
            return
        form = require_modal(formula, dead_ends=told.dead_ends)
    except (FormulaError, CheckError):
        raise WrongEvidence("its formula can't be read") from None
    check_actions(form, composition)


def _check_names(told: Sequence[str], names: Sequence[str]) -> None:
    """Some of the parts, in their order."""
    need(told and list(told) == [name for name in names if name in told], "these are not parts")
