"""Evidence about compositions, as cases for the judge: alone, and among results of `pigro compose`.

A verdict counts as shown only if there is a strategy for it that is right, and that speaks of the
same formula, verdict and dead ends as what stands around it. For LTL and CTL*, it is shown by ways
to finish the parts, with their runs. Other unknown verdicts show nothing. Sentences for people,
sizes, times and the rounds of refinement are not judged. Docs/certificate-format.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, PigroError
from pigro.engines.completions import CompletionCheck
from pigro.engines.game.checking import named_labels, require_modal, unknown_names
from pigro.engines.game.modules import as_needed
from pigro.evidence.data import WrongEvidence, converted, require
from pigro.evidence.kinds import SharedEvidence
from pigro.evidence.strategy.replay import check_actions
from pigro.limits import no_poll
from pigro.logic import parse
from pigro.logic.fragments import is_about_runs
from pigro.model.composition import Composition
from pigro.model.lazy.seen import seen
from pigro.options import METHODS
from pigro.session.findings import not_judged
from pigro.session.judge import EvidenceCase, judged_rows, piece_of
from pigro.session.results import COMPOSITION, CompositionResults, PartSizeData

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.kinds import EvidenceKind, ShownEvidence
    from pigro.logic import Formula
    from pigro.model.lazy.seen import AnyPart
    from pigro.session.findings import JudgedItem
    from pigro.session.judge import JudgedRow
    from pigro.session.results import CompositionResult
    from pigro.session.subject import EvidenceSubject


def case_of(given: EvidenceSubject, whole: dict[str, Any]) -> EvidenceCase:
    """The case that a document is.

    `NotEvidence` if there is no evidence in it, `Mismatch` if it is about other parts.
    """
    composition = _as_told(_in_its_order(given.composition(), whole), whole)
    if whole["schema"] != COMPOSITION:
        return EvidenceCase(composition, [piece_of(whole, "composition")])
    document = converted(whole, CompositionResults)
    rows = judged_rows(document.results, "composition")
    if document.parts != [PartSizeData.of(part) for part in composition.parts]:
        raise Mismatch("the results are about other parts")
    return _CompositionResultsCase(composition, rows, document)


def case_of_refinement(given: EvidenceSubject, whole: dict[str, Any]) -> EvidenceCase:
    """The case of a document that says whether parts refine others."""
    return EvidenceCase(given.sides(), [piece_of(whole, "refinement")])


class _SharedByParts(SharedEvidence):
    """What the evidence in results shares. Ways to finish the parts are decided again."""

    def __init__(self, dead_ends: str) -> None:
        super().__init__()
        self._dead_ends = dead_ends

    def completing(self, composition: Composition, formula: Formula) -> CompletionCheck:
        return CompletionCheck(composition, formula, self._dead_ends, no_poll)


class _CompositionResultsCase(EvidenceCase):
    """Results of `pigro compose`."""

    def __init__(
        self, composition: Composition, rows: Sequence[JudgedRow], document: CompositionResults
    ) -> None:
        super().__init__(composition, rows)
        self.document = document
        self._names = [part.name for part in composition.parts]

    @property
    def shared(self) -> SharedEvidence:
        return _SharedByParts(self.document.dead_ends)

    @property
    def warnings(self) -> list[str]:
        """As `pigro compose` has it, of labels that no part sees."""
        labels = [_labels(row.formula, self.document.dead_ends) for row in self.document.results]
        unknown = unknown_names(self.subject, labels)
        return [unknown.message()] if unknown else []

    def need_reading(self, _semantics: str, dead_ends: str) -> None:
        fine = dead_ends == self.document.dead_ends
        require(fine, f"the evidence reads dead ends as {dead_ends}, the results do not")

    def check_shown(self, row: CompositionResult, kind: EvidenceKind, shown: ShownEvidence) -> None:
        if row.verdict != "unknown":
            self._check_names(row.decided_by)
        parts = kind.parts(shown)
        if parts:
            is_symbolic = row.method == "symbolic"
            require(
                (row.symbolic is not None) == is_symbolic, "only the symbolic method has diagrams"
            )
            used = {self._names[part] for part in parts}
            fine = used <= set(row.decided_by)
            require(fine, "the evidence needs other parts than those that decided")

    def check_row(self, row: CompositionResult) -> None:
        require(row.method in METHODS, "there is no such method")
        require(row.verdict != "unknown" or not row.decided_by, "no part decided it")
        self._check_formula(row)
        for layer in (*row.layers, *(layer for each in row.rounds for layer in each.layers)):
            self._check_names(layer.parts)
            enough = bool(row.rounds) or set(row.decided_by) <= set(layer.parts)
            shown = layer.value == row.verdict and enough  # in rounds, other games may have helped
            require(layer.value == "unknown" or shown, "a game has a value that is not shown")
        is_one = row.finished is UNSET or row.evidence is UNSET
        require(is_one, "it has evidence of two kinds")

    def _check_formula(self, row: CompositionResult) -> None:
        """`WrongEvidence` if a formula can't be asked about the parts."""
        try:
            formula = parse(row.formula)
            if is_about_runs(formula):
                return
            form = require_modal(formula, dead_ends=self.document.dead_ends)
        except (FormulaError, CheckError):
            raise WrongEvidence("its formula can't be read") from None
        check_actions(form, self.subject)

    def _check_names(self, names: Sequence[str]) -> None:
        """Some of the parts, in their order."""
        fine = names and list(names) == [name for name in self._names if name in names]
        require(fine, "these are not parts")

    def rest(self) -> Iterator[JudgedItem]:
        yield from not_judged(
            "rounds of refinement", sum(bool(row.rounds) for row in self.document.results)
        )
        yield from not_judged(
            "diagrams", sum(row.symbolic is not None for row in self.document.results)
        )


def _labels(text: str, dead_ends: str) -> tuple[str, ...]:
    try:
        return named_labels(parse(text), dead_ends=dead_ends)
    except PigroError:
        return ()


def _as_told(composition: Composition, whole: dict[str, Any]) -> Composition:
    """Parts whose states the document does not list are seen as far as it needs. Others in full."""
    parts: list[AnyPart] = []
    for part, row in zip(composition.parts, _rows(whole), strict=False):
        is_open = row.get("states", row.get("blocks")) is None
        if "states" not in row and part.predicates:
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
