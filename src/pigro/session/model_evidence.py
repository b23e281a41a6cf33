"""Evidence about models, as cases for the judge: alone, and among results of `pigro check`.

Evidence is judged by its kind. Here is the rest: how the model is read, which of its states the
evidence speaks of, and what stands around evidence. Names, formulas and verdicts are compared with
the model and with the evidence. Sentences for people, sizes and times are not judged.
Docs/certificate-format.md lists them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pigro.diagnostics import CheckError, FormulaError, ModelError, UsageError, printable
from pigro.engines import ENGINES, unknown_labels
from pigro.evidence.data import NotEvidence, RunDocument, WrongEvidence, converted, require
from pigro.evidence.kinds import SharedEvidence
from pigro.limits import Budget
from pigro.logic import parse
from pigro.logic.printer import paths_of
from pigro.session.findings import not_judged, rejected
from pigro.session.judge import EvidenceCase, judged_rows, piece_of
from pigro.session.notices import shared_labels
from pigro.session.results import MODEL, ModelResults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.kinds import EvidenceKind, ShownEvidence
    from pigro.evidence.replaying import Decide
    from pigro.evidence.run.runs import Truths
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.findings import JudgedItem
    from pigro.session.judge import JudgedRow
    from pigro.session.results import ModelResult
    from pigro.session.subject import EvidenceSubject


def case_of(given: EvidenceSubject, whole: dict[str, Any]) -> EvidenceCase:
    """The case that a document is.

    `NotEvidence` if there is no evidence in it, `Mismatch` if it is about something else.
    """
    if whole["schema"] == MODEL:
        return _of_results(given, whole)
    row, kind, head = judged = piece_of(whole, "model")
    assert kind is not None, "a piece is evidence"
    reading = kind.reading(head, SharedEvidence())
    assert reading is not None, "models are read in several ways"
    return _ModelCase(given.model([row.formula], *reading), [judged])


def _of_results(given: EvidenceSubject, whole: dict[str, Any]) -> EvidenceCase:
    document = converted(whole, ModelResults)
    rows = judged_rows(document.results, "model")
    if document.tables is UNSET or document.certificates is UNSET:
        raise NotEvidence("the tables or the certificates of the evidence are missing")
    formulas = [row.formula for row in document.results if is_formula(row.formula)]
    said = document.model
    try:
        return _ModelResultsCase(
            given.model(formulas, said.semantics, said.dead_ends), rows, document
        )
    except ModelError as error:
        if said.dead_ends != "error":
            raise
        model = given.model(formulas, said.semantics, "stutter")
        return _ModelResultsCase(
            model, rows, document, f"the model can't be read so: {error.message}"
        )


def is_formula(text: str) -> bool:
    """Whether a text is a formula, of any logic."""
    try:
        parse(text)
    except FormulaError:
        return False
    return True


class _ModelCase(EvidenceCase):
    """Evidence about a model. Here: a piece alone, which has tables of its own."""

    def __init__(self, model: Model, rows: Sequence[JudgedRow]) -> None:
        super().__init__(model, rows)
        self._heads = [each.head for each in rows if each.kind is not None]
        computed = all(_is_computed(model, head) for head in self._heads)
        self.model: Model = model if computed else _list_of(model)

    @property
    def warnings(self) -> list[str]:
        """As `pigro check` has it, of labels that no node carries."""
        unknown = unknown_labels(self.given, self._formulas)
        return [unknown.message()] if unknown else []

    @property
    def _formulas(self) -> list[Formula]:
        texts = (each.row.formula for each in self.rows)
        return [parse(text) for text in texts if is_formula(text)]

    @property
    def tables(self) -> Any:
        """What the numbers of states mean, if states are computed on demand."""
        return self._heads[0].tables

    @cached_property
    def subject(self) -> RSM:
        """The model that the states of the evidence are of."""
        if self.model.is_listed:
            return self.model
        from pigro.session.computed_evidence import opened

        atoms = [atom for formula in self._formulas for atom in formula.atoms]
        runs = [head for head in self._heads if isinstance(head, RunDocument)]
        return opened(self.model, self.tables, runs, atoms)

    @cached_property
    def shared(self) -> SharedEvidence:
        return _SharedByModel(self)

    def check_shown(self, _row: Any, _kind: EvidenceKind, shown: ShownEvidence) -> None:
        if not self.model.is_listed:
            from pigro.session.computed_evidence import check_starts

            check_starts(self.model, self.subject, shown)


def _list_of(model: Model) -> Model:
    """The model with all states. Programs have no list."""
    with suppress(CheckError):
        return model.listed()
    return model


def _is_computed(model: Model, head: Any) -> bool:
    """Whether evidence is about states that are computed on demand, and not about their list."""
    return isinstance(head, RunDocument) and head.digest == model.digest.hex()


class _SharedByModel(SharedEvidence):
    """The states and certificates of one file. Facts and claims about runs are decided again."""

    def __init__(self, case: _ModelCase, *shared: Any) -> None:
        super().__init__(case.subject, *shared, digest=case.model.digest)
        self._case = case

    def deciders(
        self, model: RSM, formula: Formula, depth: int | None
    ) -> tuple[Decide, Truths | None]:
        computed = self._case.model
        if computed.is_listed:
            from pigro.engines.recursion.recheck import deciders

            return deciders(model, formula, depth)
        from pigro.session.computed_evidence import decider, state_of

        part = self._case.subject
        return decider(computed, part, formula, state_of(part)), None


class _ModelResultsCase(_ModelCase):
    """Results of `pigro check`."""

    def __init__(
        self,
        model: Model,
        rows: Sequence[JudgedRow],
        document: ModelResults,
        problem: str | None = None,
    ) -> None:
        super().__init__(model, rows)
        self.document, self.problem = document, problem

    @property
    def tables(self) -> Any:
        return self.document.tables

    @cached_property
    def shared(self) -> SharedEvidence:
        return _SharedByModel(self, self.document.tables, str(self.document.certificates))

    def title(self, row: ModelResult) -> str:
        return row.formula if row.written is UNSET else f"{row.written} (on {row.paths} paths)"

    def need_reading(self, semantics: str, dead_ends: str) -> None:
        said = self.document.model
        fine = semantics == said.semantics
        require(fine, f"the evidence reads the model in {semantics} semantics, the results do not")
        fine = (dead_ends == "stop") is (said.dead_ends == "stop")
        require(fine, f"the evidence reads dead ends as {dead_ends}, the results do not")

    def check_shown(self, row: ModelResult, kind: EvidenceKind, shown: ShownEvidence) -> None:
        super().check_shown(row, kind, shown)
        model = shown.subject
        self.need_reading(str(model.semantics), str(model.dead_ends))
        initial = self.document.model.initial if row.initial is UNSET else row.initial
        starts = [model.node_name(node) for node in model.initial]
        same = initial == starts or (model.is_partial and set(starts) <= set(initial))
        require(same, "the evidence starts at other nodes than the result says")
        repeats = row.initial == self.document.model.initial
        require(not repeats, "the result repeats the initial nodes of the model")
        self._check_written(row)
        functions = () if row.activations is UNSET else tuple(row.activations)
        same = functions == shared_labels(model, parse(row.formula))
        require(same, "the recursive functions are not those of the formula")
        _check_vacuous(row, model)

    def _check_written(self, row: ModelResult) -> None:
        """`WrongEvidence` unless the formula that was checked means the one in the file."""
        if row.written is UNSET and row.paths is UNSET:
            return
        meanings = getattr(self.model.document, "meanings", None)
        if meanings is None or row.written is UNSET or not is_formula(row.written):
            raise WrongEvidence("the formula is not the one that was written")
        found = meanings(parse(row.written))
        same = any(each == parse(row.formula) and paths_of(each) == row.paths for each in found)
        require(same, "the formula is not the one that was written")

    def check_row(self, row: ModelResult) -> None:
        require(is_formula(row.formula), "its formula can't be read")
        engines = [row.engine] + ([] if row.certificate is UNSET else [row.certificate.engine])
        for name in engines:
            require(name in ENGINES, f"there is no engine {printable(name)!r}")
        if row.initial is not UNSET:
            fine = _nodes(self.subject, row.initial)
            require(fine, "its initial nodes are not nodes of the model")

    def before(self) -> Iterator[JudgedItem]:
        about = f"model  {printable(self.document.model.file or '')}".rstrip()
        if self.problem is not None:
            yield rejected(about, self.problem)
        try:
            self._check_model(self.subject)
        except WrongEvidence as error:
            yield rejected(about, str(error))

    def _check_model(self, model: RSM) -> None:
        said = self.document.model
        if model.is_partial:
            known = {model.node_name(node) for node in model.initial}
            require(known == set(said.initial), "its initial nodes are not those of the evidence")
            return
        nodes = _nodes(model, said.initial)
        require(nodes, "its initial nodes are not nodes of the model")
        used = any(row.initial is UNSET and kind is not None for row, kind, _ in self.rows)
        require(
            used or nodes == list(model.initial),
            "its initial nodes are not those of the model, and no evidence starts there",
        )

    def rest(self) -> Iterator[JudgedItem]:
        yield from not_judged("steps", sum(row.steps is not UNSET for row, *_ in self.rows))


def _nodes(model: RSM, names: Sequence[str]) -> list[int]:
    """The nodes that names say, each once and in full. None if they are not that."""
    found: list[int] = []
    for name in names:
        try:
            node = model.find(name)
        except UsageError:
            return []
        if node in found or model.node_name(node) != name:
            return []
        found.append(node)
    return found


def _check_vacuous(row: ModelResult, model: RSM) -> None:
    """`WrongEvidence` if a result says that its premise is never true, and that is not known."""
    if row.vacuous is not UNSET:
        from pigro.engines.vacuity import VacuityFinder
        from pigro.verdict import CheckStats, Verdict

        verdict = Verdict(model, parse(row.formula), row.verdict == "holds", "", CheckStats(0.0))
        require(
            VacuityFinder(Budget()).has(verdict),
            "the premise of the formula is not shown to be false",
        )
