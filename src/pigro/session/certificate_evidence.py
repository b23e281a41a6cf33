"""Certificates, judged: which are accepted, and whether they prove the formulas that they must."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.certificates import check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.certificates.reading import FORMULA, Reader, frames, read_header
from pigro.diagnostics import InternalError, UsageError, printable
from pigro.diagnostics.printable import listed
from pigro.diagnostics.problems import Problems
from pigro.engines import unknown_labels
from pigro.logic import Fragment, parse
from pigro.logic.files import reader
from pigro.model import DeadEnds
from pigro.session.findings import Finding
from pigro.session.formulas import read_given
from pigro.session.subject import Given, OfFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.certificates import Checked
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.subject import Readable


@dataclass(frozen=True, slots=True)
class Wanted:
    """What must be proved: formulas, and files of formulas."""

    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    semantics: str | None = None
    dead_ends: str | None = None
    """How the model must be read for them. None: as `pigro check` reads it by default, which the
    file may say, or as the model was read already."""

    def __bool__(self) -> bool:
        return bool(self.formulas or self.files)

    def other_reading(self, subject: Readable, model: RSM) -> str | None:
        """How the certificates read the model, if not in the wanted way."""
        wanted: Model = model
        if isinstance(subject, OfFile):
            wanted = subject.source.model(semantics=self.semantics, dead_ends=self.dead_ends)
        if model.semantics != (self.semantics or wanted.semantics):
            return f"the certificates read the model in {model.semantics} semantics"
        stops = (self.dead_ends or wanted.dead_ends) == DeadEnds.STOP
        if (model.dead_ends is DeadEnds.STOP) is not stops:
            return f"the certificates read dead ends as {model.dead_ends}"
        return None


@dataclass(frozen=True, slots=True)
class Proofs:
    """What certificates say of a model, and what they must prove."""

    model: RSM
    results: tuple[Checked, ...]
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

    def findings(self) -> Iterator[Finding]:
        """One for each certificate, and for each formula that must be proved and is not."""
        for each in self.results:
            verdict = "holds" if each.holds else "fails"
            start = "" if each.initial == self.model.initial else self._start(each)
            wanted = self.wanted is None or each.formula in self.wanted
            asked = "" if wanted else " (not asked for)"
            about = f"{verdict}  {printable(each.formula, len(each.formula))}{start}{asked}"
            if each.problem is None:
                yield Finding("accepted", about)
            else:
                yield Finding("rejected", about, str(each.problem), counts_against=True)
        for formula, why in self.unproved.items():
            about = printable(formula, len(formula))
            yield Finding("not proved", about, why, counts_against=True)

    def _start(self, each: Checked) -> str:
        return f" (from {_start_text(each, self.model)})"


def judge_certificates(
    subject: Readable,
    data: bytes,
    wanted: Wanted,
    checker: str,
    advance: Callable[[int], None],
) -> Proofs:
    """Checks all certificates of a file. `advance` is told how many there are, before each."""
    model = certified_model(subject, data)
    asked = _read_wanted(subject, wanted) if wanted else None
    total = sum(kind == FORMULA for kind, _ in frames(data))
    results = []
    for each in _ask(checker, model, data):
        results.append(each)
        advance(total)
    if asked is None:
        return Proofs(model, tuple(results))
    return Proofs(
        model, tuple(results), tuple(map(str, asked)), wanted.other_reading(subject, model)
    )


def _read_wanted(subject: Readable, wanted: Wanted) -> list[Formula]:
    """The formulas that must be proved. `Problems` with all that is wrong with them."""
    problems = Problems()
    read = reader(subject.document, lenient=isinstance(subject, Given))
    found = read_given(wanted.formulas, wanted.files, problems, read, lambda each: each)
    problems.raise_if_any()
    if not found:
        raise UsageError("P002", "no formula in the files", hint="write one formula per line")
    return found


def unknown_in(proofs: Proofs) -> str | None:
    """The warning that `pigro check` gives for labels that no node carries."""
    proved = [parse(each.formula) for each in proofs.results if each.problem is None]
    asked = [parse(each) for each in proofs.wanted or ()]
    model = proofs.model.about(atom for each in asked for atom in each.atoms)
    unknown = unknown_labels(model, [*asked, *proved])
    return unknown.message() if unknown else None


def certified_model(subject: Readable, data: bytes) -> RSM:
    """The model, read in the way that the certificates say."""
    header = read_header(data)
    formulas = (Reader(body).statement()[0] for kind, body in frames(data) if kind == FORMULA)
    dead_ends = "stop" if header.stop else "stutter"
    return subject.model(formulas, header.semantics, dead_ends).listed()


def _ask(checker: str, model: RSM, data: bytes) -> Iterator[Checked]:
    asked: list[Callable[[RSM, bytes], Iterator[Checked]]] = []
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


def _start_text(each: Checked, model: RSM) -> str:
    return listed([model.node_name(node) for node in each.initial])
