"""Evidence about models, as cases for the judge: alone, and among results of `pigro check`.

Evidence is judged by its kind. Here is the rest: how the model is read, which of its states the
evidence speaks of, and what stands around evidence. Names, formulas and verdicts are compared with
the model and with the evidence. Sentences for people, sizes and times are not judged.
Docs/evidence.md lists them.
"""

from __future__ import annotations

import base64
import binascii
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from pigro.certificates import check_certificates
from pigro.certificates.reading import FORMULA, frames, read_header
from pigro.diagnostics import CheckError, FormulaError, ModelError, UsageError, printable
from pigro.engines import ENGINES, unknown_labels
from pigro.evidence.data import NotEvidence, RunDocument, WrongEvidence, converted, need
from pigro.evidence.kinds import Shared, kind_for
from pigro.limits import Budget
from pigro.logic import parse
from pigro.logic.printer import paths_of
from pigro.session.findings import Finding, need_evidence, not_judged, rejected
from pigro.session.formulas import shared_labels
from pigro.session.judge import Case, Piece, read_heads
from pigro.session.results import MODEL, ModelResults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.certificates import Checked
    from pigro.evidence.kinds import Shown
    from pigro.evidence.replaying import Decide
    from pigro.evidence.run.runs import Truths
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.results import ModelResult
    from pigro.session.subject import Readable


def case_of(subject: Readable, whole: dict[str, Any]) -> Case:
    """The case that a document is.

    `NotEvidence` if there is no evidence in it, `Mismatch` if it is about something else.
    """
    return (_of_results if whole["schema"] == MODEL else _of_piece)(subject, whole)


def _of_piece(subject: Readable, whole: dict[str, Any]) -> Case:
    """The case of a piece of evidence alone."""
    row = Piece("", "", whole)
    [head] = heads = read_heads([row], "model", alone=True)
    kind = kind_for(head.schema)
    assert kind is not None, "it was looked at"
    row.formula, row.verdict = head.formula, head.verdict
    reading = kind.reading(head)
    assert reading is not None, "it has a certificate of its own"
    return _Models(subject.model([head.formula], *reading), [row], heads)


def _of_results(subject: Readable, whole: dict[str, Any]) -> Case:
    """The case of a file of results. `NotEvidence` if there is no evidence in it."""
    told = converted(whole, ModelResults)
    need_evidence(told.results)
    if told.tables is UNSET or told.certificates is UNSET:
        raise NotEvidence("the tables or the certificates of the evidence are missing")
    heads = read_heads(told.results, "model")
    formulas = [row.formula for row in told.results if is_formula(row.formula)]
    said = told.model
    try:
        return _Results(subject.model(formulas, said.semantics, said.dead_ends), told, heads)
    except ModelError as error:
        if said.dead_ends != "error":
            raise
        model = subject.model(formulas, said.semantics, "stutter")
        return _Results(model, told, heads, f"the model can't be read so: {error.message}")


def is_formula(text: str) -> bool:
    """Whether a text is a formula, of any logic."""
    try:
        parse(text)
    except FormulaError:
        return False
    return True


class _Models(Case):
    def __init__(self, model: Model, rows: Sequence[Any], heads: Sequence[Any]) -> None:
        super().__init__(model, rows, heads)
        computed = all(_is_computed(model, head) for head in heads if head is not None)
        self.model: Model = model if computed else _list_of(model)

    @property
    def warnings(self) -> list[str]:
        """As `pigro check` has it, of labels that no node carries."""
        unknown = unknown_labels(self.given, self._formulas)
        return [unknown.message()] if unknown else []

    @property
    def _formulas(self) -> list[Formula]:
        return [parse(row.formula) for row in self.rows if is_formula(row.formula)]

    @property
    def tables(self) -> Any:
        """What the numbers of states mean, if states are computed on demand."""
        return self.heads[0].tables

    @cached_property
    def subject(self) -> RSM:
        """The model that the states of the evidence are of."""
        if self.model.is_listed:
            return self.model
        from pigro.session.computed_evidence import opened

        runs = [head for head in self.heads if head is not None]
        atoms = [atom for formula in self._formulas for atom in formula.atoms]
        return opened(self.model, self.tables, runs, atoms)

    @cached_property
    def shared(self) -> Shared:
        return _Shared(self, None, None)

    def check_shown(self, _row: Any, shown: Shown) -> None:
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


class _Shared(Shared):
    """The states and certificates of one file. Facts and claims about runs are decided again."""

    def __init__(self, case: _Models, tables: Any, certificates: str | None) -> None:
        super().__init__(case.subject, tables, digest=case.model.digest)
        self._case, self._certificates = case, certificates

    @cached_property
    def _proofs(self) -> list[tuple[Checked, bytes]]:
        return self._checked(str(self._certificates))

    def proof(self, _model: RSM, certificate: str | int) -> tuple[Checked, bytes]:
        if isinstance(certificate, int):
            there = 0 <= certificate < len(self._proofs)
            need(there, "its certificate is not there")
            return self._proofs[certificate]
        found = self._checked(certificate)
        need(len(found) == 1, "evidence needs a certificate of one verdict")
        return found[0]

    def _checked(self, certificates: str) -> list[tuple[Checked, bytes]]:
        """What becomes of each certificate, and its section."""
        try:
            data = base64.b64decode(certificates, validate=True)
        except (binascii.Error, ValueError) as error:
            raise NotEvidence(str(error)) from None
        header = read_header(data)
        self._case.need_reading(header.semantics, "stop" if header.stop else "stutter")
        bodies = [body for kind, body in frames(data) if kind == FORMULA]
        return list(zip(check_certificates(self._case.model.listed(), data), bodies, strict=True))

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


class _Results(_Models):
    """Results of `pigro check`."""

    def __init__(
        self, model: Model, told: ModelResults, heads: Sequence[Any], problem: str | None = None
    ) -> None:
        super().__init__(model, told.results, heads)
        self.told, self.problem = told, problem

    @property
    def tables(self) -> Any:
        return self.told.tables

    @cached_property
    def shared(self) -> Shared:
        return _Shared(self, self.told.tables, str(self.told.certificates))

    def title(self, row: ModelResult) -> str:
        return row.formula if row.written is UNSET else f"{row.written} (on {row.paths} paths)"

    def need_reading(self, semantics: str, dead_ends: str) -> None:
        said = self.told.model
        fine = semantics == said.semantics
        need(fine, f"the evidence reads the model in {semantics} semantics, the results do not")
        fine = (dead_ends == "stop") is (said.dead_ends == "stop")
        need(fine, f"the evidence reads dead ends as {dead_ends}, the results do not")

    def check_shown(self, row: ModelResult, shown: Shown) -> None:
        super().check_shown(row, shown)
        model = shown.subject
        self.need_reading(str(model.semantics), str(model.dead_ends))
        initial = self.told.model.initial if row.initial is UNSET else row.initial
        starts = [model.node_name(node) for node in model.initial]
        same = initial == starts or (model.is_partial and set(starts) <= set(initial))
        need(same, "the evidence starts at other nodes than the result says")
        repeats = row.initial == self.told.model.initial
        need(not repeats, "the result repeats the initial nodes of the model")
        self._check_written(row)
        functions = () if row.activations is UNSET else tuple(row.activations)
        same = functions == shared_labels(model, parse(row.formula))
        need(same, "the recursive functions are not those of the formula")
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
        need(same, "the formula is not the one that was written")

    def check_row(self, row: ModelResult) -> None:
        need(is_formula(row.formula), "its formula can't be read")
        engines = [row.engine] + ([] if row.certificate is UNSET else [row.certificate.engine])
        for name in engines:
            need(name in ENGINES, f"there is no engine {printable(name)!r}")
        if row.initial is not UNSET:
            fine = _nodes(self.subject, row.initial)
            need(fine, "its initial nodes are not nodes of the model")

    def before(self) -> Iterator[Finding]:
        about = f"model  {printable(self.told.model.file or '')}".rstrip()
        if self.problem is not None:
            yield rejected(about, self.problem)
        try:
            self._check_model(self.subject)
        except WrongEvidence as error:
            yield rejected(about, str(error))

    def _check_model(self, model: RSM) -> None:
        said = self.told.model
        if model.is_partial:
            known = {model.node_name(node) for node in model.initial}
            need(known == set(said.initial), "its initial nodes are not those of the evidence")
            return
        nodes = _nodes(model, said.initial)
        need(nodes, "its initial nodes are not nodes of the model")
        used = any(row.initial is UNSET and row.evidence is not UNSET for row in self.rows)
        need(
            used or nodes == list(model.initial),
            "its initial nodes are not those of the model, and no evidence starts there",
        )

    def rest(self) -> Iterator[Finding]:
        yield from not_judged("steps", sum(row.steps is not UNSET for row in self.rows))


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
        from pigro.engines.vacuity import Vacuity
        from pigro.verdict import CheckStats, Verdict

        verdict = Verdict(model, parse(row.formula), row.verdict == "holds", "", CheckStats(0.0))
        need(Vacuity(Budget()).has(verdict), "the premise of the formula is not shown to be false")
