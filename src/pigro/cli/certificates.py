"""The work of `pigro check-certificate`: reads both files, asks the checkers, tells the outcome."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.certificates.reading import FORMULA, Reader, frames, read_header
from pigro.certificates.twin import check_certificates_natively
from pigro.cli.failures import Problems, warn
from pigro.cli.formulas import parse_arguments, parse_file, reader
from pigro.cli.progress import Progress
from pigro.diagnostics import (
    InputError,
    InternalError,
    PigroError,
    Position,
    UsageError,
    printable,
)
from pigro.engines import require_provable, unknown_labels
from pigro.formats.source import STDIN, open_source, read_content
from pigro.logic import parse
from pigro.model import DeadEnds, Semantics
from pigro.render.text import initial_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.certificates import Checked
    from pigro.formats.source import Source
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA = "pigro.certificates/1"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What must be proved, as given on the command line: formulas, and files of formulas."""

    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    semantics: str | None = None
    dead_ends: str | None = None
    """How the model must be read for them; None: as `pigro check` reads it by default."""

    def __bool__(self) -> bool:
        return bool(self.formulas or self.files)

    def other_reading(self, model: RSM) -> str | None:
        """How the certificates read the model, if not in the wanted way."""
        semantics = self.semantics or Semantics.STANDARD
        usual = DeadEnds.STOP if semantics == Semantics.RSMCHECK else DeadEnds.STUTTER
        if model.semantics != semantics:
            return f"the certificates read the model in {model.semantics} semantics"
        if model.dead_ends != (self.dead_ends or usual):
            return f"the certificates read dead ends as {model.dead_ends}"
        return None


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of a file of certificates."""

    model: RSM
    results: tuple[Checked, ...]
    wanted: tuple[str, ...] | None = None
    """The formulas that must be proved; None: it was not said."""
    other_reading: str | None = None
    """How the certificates read the model, if the formulas must be proved in another reading."""

    @property
    def rejected(self) -> int:
        """How many certificates were rejected."""
        return sum(each.problem is not None for each in self.results)

    @property
    def unproved(self) -> dict[str, str]:
        """The wanted formulas that are not proved to hold, each with the reason."""
        found = {}
        for formula in self.wanted or ():
            about = [each for each in self.results if each.formula == formula]
            accepted = [each for each in about if each.problem is None]
            here = [each for each in accepted if each.initial == self.model.initial]
            if not about:
                found[formula] = "no certificate in the file is about it"
            elif self.other_reading is not None:
                found[formula] = self.other_reading
            elif not accepted:
                found[formula] = "its certificate is rejected"
            elif not here:
                found[formula] = f"its certificate starts at {_start_text(accepted[0], self.model)}"
            elif not all(each.holds for each in here):
                found[formula] = "its certificate proves that it fails"
        return found

    def is_wanted(self, each: Checked) -> bool:
        """Whether a certificate is about a formula that must be proved, or nothing must be."""
        return self.wanted is None or each.formula in self.wanted


def check_file(
    model_path: str, path: str, from_: str | None, checker: str, wanted: Wanted
) -> Findings:
    """Checks all certificates of a file. Exceptions are those of bad input."""
    if (model_path, path, *wanted.files).count(STDIN) > 1:
        raise UsageError("P001", "standard input (-) can be read only once")
    if not wanted and (wanted.semantics or wanted.dead_ends):
        hint = "give the formulas too; without them, certificates of any reading are accepted"
        raise UsageError("P006", "--semantics and --dead-ends are for formulas", hint=hint)
    data, name = read_content(path)
    try:
        source = open_source(model_path, from_)
        model = read_model(source, data)
        asked = _read_wanted(source, wanted) if wanted else None
        progress = Progress(sum(kind == FORMULA for kind, _ in frames(data)), sys.stderr)
        results = []
        try:
            for each in _ask(checker, model, data):
                results.append(each)
                progress.advance()
        finally:
            progress.clear()
    except Malformed as error:
        hint = "certificates are written by `pigro check ... --certificate FILE`"
        raise InputError("P501", str(error), position=Position(name), hint=hint) from None
    except Mismatch as error:
        hint = "give the model file that the certificates were made with"
        raise InputError("P502", str(error), position=Position(name), hint=hint) from None
    _warn_of_labels(model, results, asked or ())
    if asked is None:
        return Findings(model, tuple(results))
    return Findings(model, tuple(results), tuple(map(str, asked)), wanted.other_reading(model))


def _read_wanted(source: Source, wanted: Wanted) -> list[Formula]:
    """The formulas that must be proved; `Problems` with all that is wrong with them."""
    problems = Problems()
    read = reader(source.document)
    found = list(parse_arguments(wanted.formulas, problems, read, require_provable))
    for file in wanted.files:
        with problems.collecting():
            found += parse_file(*read_content(file), problems, read, require_provable)
    problems.raise_if_any()
    if not found:
        raise UsageError("P002", "no formula in the files", hint="write one formula a line")
    return found


def _warn_of_labels(model: RSM, results: Sequence[Checked], asked: Sequence[Formula]) -> None:
    """As `pigro check` does, for labels that no node carries."""
    proved = [parse(each.formula) for each in results if each.problem is None]
    model = model.about(atom for each in asked for atom in each.atoms)
    unknown = unknown_labels(model, [*asked, *proved])
    if unknown:
        warn(unknown.message())


def read_model(source: Source, data: bytes) -> RSM:
    """The model, read in the way that the certificates say."""
    header = read_header(data)
    formulas = (Reader(body).statement()[0] for kind, body in frames(data) if kind == FORMULA)
    semantics = "rsmcheck" if header.rsmcheck else "standard"
    return model_for(source, formulas, semantics, "stop" if header.stop else "stutter")


def model_for(source: Source, formulas: Iterable[str], semantics: str, dead_ends: str) -> RSM:
    """The model, read in that way, with the labels that formulas ask for.

    Most models find these themselves; those of a document that does not are made after its
    formulas. `Mismatch` if they speak of what the document does not have.
    """
    source, formulas = source.fresh(), list(formulas)
    is_early = source.document is not None and not hasattr(source.document, "resolved")
    with _mismatch():
        for text in formulas if is_early else ():
            reader(source.document)(text)
    model = source.model(semantics=semantics, dead_ends=dead_ends)
    with _mismatch():
        return model.about(atom for text in formulas for atom in _atoms(text))


@contextmanager
def _mismatch() -> Iterator[None]:
    """Formulas that can't be read are about another model."""
    try:
        yield
    except PigroError as error:
        raise Mismatch(f"this is about another model: {error.message}") from None


def _atoms(text: str) -> tuple[str, ...]:
    """The labels of a formula; none if the text is no formula."""
    try:
        return parse(text).atoms
    except PigroError:
        return ()


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


def report_text(found: Findings, *, quiet: bool) -> Iterator[str]:
    """For people, line by line."""
    model = found.model
    if not quiet:
        yield f"{model.semantics} semantics, dead ends: {model.dead_ends}\n"
    for each in found.results:
        word = "accepted" if each.problem is None else "rejected"
        if quiet and each.problem is None:
            continue
        claim = (
            f"{'holds' if each.holds else 'fails'}  {printable(each.formula, len(each.formula))}"
        )
        start = "" if each.initial == model.initial else f" (from {_start_text(each, model)})"
        asked = "" if found.is_wanted(each) else " (not asked for)"
        yield f"{word}  {claim}{start}{asked}\n"
        if each.problem is not None:
            yield f"          {each.problem}\n"
    for formula, why in found.unproved.items():
        yield f"not proved  {printable(formula, len(formula))}\n          {why}\n"
    accepted = len(found.results) - found.rejected
    missing = "" if found.wanted is None else f", {len(found.unproved):,} not proved"
    counts = f"{accepted:,} accepted, {found.rejected:,} rejected{missing}\n"
    yield ("" if quiet else "\n") + counts


def report_json(found: Findings) -> str:
    """For programs: one object."""
    model = found.model
    document: dict[str, object] = {
        "schema": SCHEMA,
        "model": {
            "file": model.source,
            "digest": model.digest.hex(),
            "semantics": str(model.semantics),
            "dead_ends": str(model.dead_ends),
        },
        "results": [
            {
                "formula": each.formula,
                "verdict": "holds" if each.holds else "fails",
                "initial": [model.node_name(node) for node in each.initial],
                "accepted": each.problem is None,
                "problem": None if each.problem is None else str(each.problem),
            }
            for each in found.results
        ],
    }
    if found.wanted is not None:
        unproved = found.unproved
        document["wanted"] = [
            {"formula": each, "proved": each not in unproved, "problem": unproved.get(each)}
            for each in found.wanted
        ]
    return json.dumps(document, indent=2) + "\n"


def _start_text(each: Checked, model: RSM) -> str:
    return initial_text(model.with_initial(each.initial))
