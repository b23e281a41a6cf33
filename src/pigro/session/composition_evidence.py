"""Evidence about compositions, judged: every result of a file is told, and its strategy replayed.

A verdict counts as shown only if there is a strategy for it that is right, and that speaks of the
same formula, verdict and dead ends as what stands around it. For LTL and CTL*, it is shown by ways
to finish the parts, with their runs. Other unknown verdicts show nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pigro.diagnostics import PigroError
from pigro.engines.game.checking import named_labels, unknown_names
from pigro.engines.game.modules import as_needed
from pigro.evidence import WrongEvidence, replay_strategy
from pigro.evidence.data import STRATEGY, StrategyDocument, converted, need
from pigro.evidence.strategy.documents import take_strategy
from pigro.logic import parse
from pigro.model.composition import Composition
from pigro.model.lazy.seen import AnyPart, TooWide, seen
from pigro.session.composition_file import check_result, check_row, read_results
from pigro.session.findings import (
    Finding,
    not_judged,
    partial_finding,
    result_finding,
    unjudged_finding,
)
from pigro.session.judging.finished_runs import check_finished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.evidence import Strategy
    from pigro.session.results import CompositionResult, CompositionResults


def judge_compositions(
    given: Composition, whole: dict[str, Any], warn: Callable[[str], None]
) -> Iterator[Finding]:
    """What became of each result, or of a strategy alone, in order."""
    composition = _as_told(_in_its_order(given, whole), whole)
    if whole["schema"] == STRATEGY:
        yield _judged_alone(composition, whole)
    else:
        yield from _judge(composition, read_results(composition, whole), warn)


def _judge(
    composition: Composition, told: CompositionResults, warn: Callable[[str], None]
) -> Iterator[Finding]:
    """Everything that results say."""
    for row in told.results:
        yield _judged_result(composition, told, row)
    _warn_of_labels(composition, told, warn)
    yield from not_judged("rounds of refinement", sum(bool(row.rounds) for row in told.results))
    yield from not_judged("diagrams", sum(row.symbolic is not None for row in told.results))


def _judged_result(
    composition: Composition, told: CompositionResults, row: CompositionResult
) -> Finding:
    problem = None
    has_evidence = row.evidence is not UNSET or row.finished is not UNSET
    is_whole = True
    try:
        if row.evidence is not UNSET:
            strategy = _replayed(composition, row.evidence)
            is_whole = strategy.is_whole
            check_result(composition, told, row, strategy)
        if has_evidence or row.verdict == "unknown":
            check_row(composition, told, row)
        if row.finished is not UNSET:
            need(row.evidence is UNSET, "it has evidence of two kinds")
            check_finished(composition, told.dead_ends, row)
    except TooWide as error:
        return unjudged_finding(row.formula, row.verdict, error.message)
    except WrongEvidence as error:
        problem = str(error)
    if problem is None and not is_whole:
        return partial_finding(row.formula, row.verdict)
    return result_finding(row.formula, row.verdict, problem, has_evidence=has_evidence)


def _replayed(composition: Composition, decoded: dict[str, Any]) -> Strategy:
    """The strategy of a document. `WrongEvidence` if it is wrong."""
    strategy = take_strategy(composition, converted(decoded, StrategyDocument))
    replay_strategy(composition, strategy)
    return strategy


def _judged_alone(composition: Composition, decoded: dict[str, Any]) -> Finding:
    """A strategy that stands in no results."""
    head = converted(decoded, StrategyDocument)
    problem = None
    try:
        if not _replayed(composition, decoded).is_whole:
            return partial_finding(head.formula, head.verdict)
    except TooWide as error:
        return unjudged_finding(head.formula, head.verdict, error.message)
    except WrongEvidence as error:
        problem = str(error)
    return result_finding(head.formula, head.verdict, problem)


def _warn_of_labels(
    composition: Composition, told: CompositionResults, warn: Callable[[str], None]
) -> None:
    """As `pigro compose` does, for labels that no part sees."""
    unknown = unknown_names(
        composition, [_labels(row.formula, told.dead_ends) for row in told.results]
    )
    if unknown:
        warn(unknown.message())


def _labels(text: str, dead_ends: str) -> tuple[str, ...]:
    try:
        return named_labels(parse(text), dead_ends=dead_ends)
    except PigroError:
        return ()


def _as_told(composition: Composition, whole: dict[str, Any]) -> Composition:
    """Parts whose states the document does not list are seen as far as it needs. Others in full."""
    parts: list[AnyPart] = []
    for part, told in zip(composition.parts, _rows(whole), strict=False):
        is_open = told.get("states", told.get("blocks")) is None
        if "states" not in told and part.predicates:
            is_open = False  # a strategy alone is about the part as its predicates see it
        parts.append(seen(part) if is_open else as_needed(part, "concrete"))
    if len(parts) < len(composition.parts):
        return composition
    return Composition(parts)


def _rows(whole: dict[str, Any]) -> list[dict[str, Any]]:
    """What a document says of the parts, if anything."""
    named = whole.get("parts")
    rows = named if isinstance(named, list) else []
    return [each for each in rows if isinstance(each, dict)]


def _in_its_order(composition: Composition, whole: dict[str, Any]) -> Composition:
    """The parts in the order of the document, if they are those that it names."""
    names = [each.get("name") for each in _rows(whole)]
    places = {part.name: at for at, part in enumerate(composition.parts)}
    order = [places[name] for name in names if isinstance(name, str) and name in places]
    if sorted(order) != list(range(len(places))):
        return composition
    return Composition([composition.parts[at] for at in order])
