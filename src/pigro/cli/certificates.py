"""The work of `pigro check-certificate`: reads both files, asks the checkers, tells the outcome."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.certificates.reading import FORMULA, Reader, frames, read_header
from pigro.certificates.twin import check_certificates_natively
from pigro.cli.formulas import reader
from pigro.cli.progress import Progress
from pigro.cli.sources import STDIN, open_source, read_content
from pigro.diagnostics import (
    InputError,
    InternalError,
    PigroError,
    Position,
    UsageError,
    printable,
)
from pigro.render.text import initial_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.certificates import Checked
    from pigro.model import RSM

SCHEMA = "pigro.certificates/1"


@dataclass(frozen=True, slots=True)
class Findings:
    """What became of a file of certificates."""

    model: RSM
    results: tuple[Checked, ...]

    @property
    def rejected(self) -> int:
        """How many certificates were rejected."""
        return sum(each.problem is not None for each in self.results)


def check_file(model_path: str, path: str, from_: str | None, checker: str) -> Findings:
    """Checks all certificates of a file. Exceptions are those of bad input."""
    if model_path == STDIN and path == STDIN:
        raise UsageError("P001", "standard input (-) can be read only once")
    data, name = read_content(path)
    try:
        model = read_model(model_path, from_, data)
        progress = Progress(sum(kind == FORMULA for kind, _ in frames(data)), sys.stderr)
        results = []
        try:
            for each in _ask(checker, model, data):
                results.append(each)
                progress.advance()
        finally:
            progress.clear()
        return Findings(model, tuple(results))
    except Malformed as error:
        hint = "certificates are written by `pigro check ... --certificate FILE`"
        raise InputError("P501", str(error), position=Position(name), hint=hint) from None
    except Mismatch as error:
        hint = "give the model file that the certificates were made with"
        raise InputError("P502", str(error), position=Position(name), hint=hint) from None


def read_model(path: str, from_: str | None, data: bytes) -> RSM:
    """The model, read in the way that the certificates say."""
    header = read_header(data)
    formulas = (Reader(body).statement()[0] for kind, body in frames(data) if kind == FORMULA)
    semantics = "rsmcheck" if header.rsmcheck else "standard"
    return model_for(path, from_, formulas, semantics, "stop" if header.stop else "stutter")


def model_for(
    path: str, from_: str | None, formulas: Iterable[str], semantics: str, dead_ends: str
) -> RSM:
    """The model, read in that way, with the labels that formulas ask for.

    `Mismatch` if they speak of what it does not have.
    """
    source = open_source(path, from_)
    if source.document is not None:
        parse = reader(source.document)
        for text in formulas:
            try:
                parse(text)
            except PigroError as error:
                raise Mismatch(f"this is about another model: {error.message}") from None
    return source.model(semantics=semantics, dead_ends=dead_ends)


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
        yield f"{word}  {claim}{start}\n"
        if each.problem is not None:
            yield f"          {each.problem}\n"
    accepted = len(found.results) - found.rejected
    yield ("" if quiet else "\n") + f"{accepted:,} accepted, {found.rejected:,} rejected\n"


def report_json(found: Findings) -> str:
    """For programs: one object."""
    model = found.model
    document = {
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
    return json.dumps(document, indent=2) + "\n"


def _start_text(each: Checked, model: RSM) -> str:
    return initial_text(model.with_initial(each.initial))
