"""Certificates, judged: which are accepted, and whether they prove the formulas that they must."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pigro.certificates import check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.certificates.reading import FORMULA, SectionReader, frames, read_header
from pigro.diagnostics import InternalError, UsageError, printable
from pigro.diagnostics.printable import listed
from pigro.diagnostics.problems import InputProblems
from pigro.engines import unknown_labels
from pigro.evidence.kinds import kind_named
from pigro.logic import Fragment, parse
from pigro.logic.files import reader
from pigro.model import DeadEnds
from pigro.session.findings import JudgedItem
from pigro.session.formulas import read_given
from pigro.session.judge import EvidenceCase, JudgedRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.certificates import CertificateResult
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.session.subject import EvidenceSubject


@dataclass(frozen=True, slots=True)
class RequiredProofs:
    """What must be proved: formulas, and files of formulas."""

    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    semantics: str | None = None
    dead_ends: str | None = None
    """How the model must be read for them. None: as `pigro check` reads it by default, which the
    file may say, or as the model was read already."""

    def __bool__(self) -> bool:
        return bool(self.formulas or self.files)

    def other_reading(self, given: EvidenceSubject, model: RSM) -> str | None:
        """How the certificates read the model, if not in the wanted way."""
        wanted = given.by_default(model, self.semantics, self.dead_ends)
        if model.semantics != (self.semantics or wanted.semantics):
            return f"the certificates read the model in {model.semantics} semantics"
        stops = (self.dead_ends or wanted.dead_ends) == DeadEnds.STOP
        if (model.dead_ends is DeadEnds.STOP) is not stops:
            return f"the certificates read dead ends as {model.dead_ends}"
        return None


@dataclass(frozen=True, slots=True)
class ProofJudge:
    """What certificates say of a model, and what they must prove."""

    model: RSM
    results: tuple[CertificateResult, ...]
    wanted: tuple[str, ...] | None = None
    """The formulas that must be proved. None: it was not said."""
    other_reading: str | None = None
    """How the certificates read the model, if the formulas must be proved in another reading."""

    @property
    def unproved(self) -> dict[str, str]:
        """The wanted formulas that are not proved to hold, each with the reason."""
        found = {}
        for formula in self.wanted or ():
            about = [each for each in self.results if each.formula == formula]
            accepted = [each for each in about if each.problem is None]
            here = [each for each in accepted if each.initial == self.model.initial]
            if not about:
                found[formula] = _why_none(formula)
            elif self.other_reading is not None:
                found[formula] = self.other_reading
            elif not accepted:
                found[formula] = "its certificate is rejected"
            elif not here:
                found[formula] = f"its certificate starts at {_start_text(accepted[0], self.model)}"
            elif not all(each.holds for each in here):
                found[formula] = "its certificate proves that it fails"
        return found


class _CertificatesCase(EvidenceCase):
    """A file of certificates."""

    def __init__(self, proofs: ProofJudge) -> None:
        kind = kind_named("certificate")
        super().__init__(proofs.model, [JudgedRow.alone(kind, each) for each in proofs.results])
        self.proofs: ProofJudge = proofs
        self._titles = {id(each.row): _title(proofs, each.head) for each in self.rows}

    def title(self, row: Any) -> str:
        return self._titles[id(row)]

    def rest(self) -> Iterator[JudgedItem]:
        for formula, why in self.proofs.unproved.items():
            yield JudgedItem(
                "not proved", printable(formula, len(formula)), why, counts_against=True
            )

    @property
    def warnings(self) -> list[str]:
        """As `pigro check` has it, of labels that no node carries."""
        proofs = self.proofs
        proved = [parse(each.formula) for each in proofs.results if each.problem is None]
        asked = [parse(each) for each in proofs.wanted or ()]
        model = proofs.model.about(atom for each in asked for atom in each.atoms)
        unknown = unknown_labels(model, [*asked, *proved])
        return [unknown.message()] if unknown else []


def _title(proofs: ProofJudge, checked: CertificateResult) -> str:
    """The formula of a certificate, where it starts if elsewhere, and if it was not asked for."""
    model = proofs.model
    start = "" if checked.initial == model.initial else f" (from {_start_text(checked, model)})"
    is_wanted = proofs.wanted is None or checked.formula in proofs.wanted
    return f"{checked.formula}{start}{'' if is_wanted else ' (not asked for)'}"


def case_of(
    given: EvidenceSubject,
    data: bytes,
    wanted: RequiredProofs,
    checker: str,
    advance: Callable[[int], None],
) -> EvidenceCase:
    """The case that a file of certificates is.

    All are checked at once, by the checkers that are asked for. `advance` is told how many there
    are, before each.
    """
    model = _certified_model(given, data)
    asked = _read_wanted(given, wanted) if wanted else None
    total = sum(kind == FORMULA for kind, _ in frames(data))
    results = []
    for each in _ask(checker, model, data):
        results.append(each)
        advance(total)
    if asked is None:
        return _CertificatesCase(ProofJudge(model, tuple(results)))
    other = wanted.other_reading(given, model)
    return _CertificatesCase(ProofJudge(model, tuple(results), tuple(map(str, asked)), other))


def _read_wanted(given: EvidenceSubject, wanted: RequiredProofs) -> list[Formula]:
    """The formulas that must be proved. `InputProblems` with all that is wrong with them."""
    problems = InputProblems()
    read = reader(given.document, lenient=given.is_object)
    found = read_given(wanted.formulas, wanted.files, problems, read, lambda each: each)
    problems.raise_if_any()
    if not found:
        raise UsageError("P002", "no formula in the files", hint="write one formula per line")
    return found


def _certified_model(given: EvidenceSubject, data: bytes) -> RSM:
    """The model, read in the way that the certificates say."""
    header = read_header(data)
    formulas = (
        SectionReader(body).statement()[0] for kind, body in frames(data) if kind == FORMULA
    )
    dead_ends = "stop" if header.stop else "stutter"
    return given.model(formulas, header.semantics, dead_ends).listed()


def _ask(checker: str, model: RSM, data: bytes) -> Iterator[CertificateResult]:
    asked: list[Callable[[RSM, bytes], Iterator[CertificateResult]]] = []
    if checker != "native":
        asked.append(check_certificates)
    if checker != "python":
        asked.append(check_certificates_natively)
    for answers in zip(*(each(model, data) for each in asked), strict=True):
        if len({str(answer.problem) for answer in answers}) > 1:
            told = " and ".join(str(answer.problem) for answer in answers)
            hint = "this is a fault of Pigro; please report it, with both files"
            raise InternalError("P904", f"the two checkers disagree: {told}", hint=hint)
        yield answers[0]


def _why_none(formula: str) -> str:
    if parse(formula).fragment is Fragment.MU:
        return "there are no certificates for the mu-calculus, but strategies"
    return "no certificate in the file is about it"


def _start_text(each: CertificateResult, model: RSM) -> str:
    return listed([model.node_name(node) for node in each.initial])
