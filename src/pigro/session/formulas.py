"""Formulas from the command line and from files, with everything that is wrong with them."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import FormulaError, PigroError, Position, UsageError
from pigro.formats.files import read_content
from pigro.limits import no_poll
from pigro.logic import Formula, read_formulas
from pigro.logic.files import resolved
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.diagnostics import InputProblems
    from pigro.limits import Poll
    from pigro.session.prepare import SubjectReader

    Require = Callable[[Formula], Formula]


class ParsedFormulas(Record, frozen=True):
    """The formulas of a question."""

    formulas: tuple[Formula, ...]
    """Those of the person: of the command line, then of the files in the order given."""
    own: tuple[Formula, ...] = ()
    """Those of the subject, whose labels are its own business: use-def formulas or, if nothing is
    asked, what its file states."""
    starts: tuple[tuple[int, ...] | None, ...] = ()
    """Where those of the file start, if it says so."""
    wrong: bool = False
    """Whether some could not be read."""


def parsed_formulas(reader: SubjectReader) -> ParsedFormulas:
    """The formulas of the person who asks, in the language of the subject."""
    request, problems, before = reader.request, reader.problems, len(reader.problems.errors)
    formulas = read_given(
        request.formulas,
        request.files,
        problems,
        reader.parse,
        reader.require,
        reader.poll,
        reader.document,
    )
    return ParsedFormulas(tuple(formulas), wrong=len(problems.errors) > before)


def not_a_formula(found: object) -> UsageError:
    """The error for a value that is neither text nor a formula."""
    what = type(found).__name__
    return UsageError("P006", f"formula can't be of type {what}", hint="give text, or a Formula")


def read_given(
    texts: Sequence[str | Formula],
    files: Iterable[str],
    problems: InputProblems,
    read: Callable[..., Formula],
    require: Require,
    poll: Poll = no_poll,
    document: Any = None,
) -> list[Formula]:
    """The formulas given as arguments, then those of the files, as far as they are right.

    `poll` is called before each, and may raise to stop. A `document` says how formulas that are no
    texts are meant.
    """

    def read_one(text: str, **place: Any) -> Formula:
        poll()
        return read(text, **place)

    found = list(_parse_arguments(texts, problems, read_one, require, document))
    for path in files:
        with problems.collecting():
            found += _parse_file(*read_content(path, poll), problems, read_one, require)
    return found


def _parse_arguments(
    texts: Sequence[str | Formula],
    problems: InputProblems,
    read: Callable[..., Formula],
    require: Require,
    document: Any = None,
) -> Iterator[Formula]:
    """The formulas given as arguments, as far as they are of the required kind.

    A `Formula` means the same as its text: the document says which paths it is about.
    """
    for number, text in enumerate(texts, 1):
        source = f"formula {number}" if len(texts) > 1 else None
        try:
            if isinstance(text, str):
                formula = read(text, source=source)
            else:
                formula = resolved(text, document)
            try:
                require(formula)
            except PigroError as error:
                error.position = Position(source=source)
                raise
            yield formula
        except PigroError as error:
            if isinstance(error, FormulaError) and os.path.isfile(str(text)):
                error.hint = "this is a file: to read formulas from it, write -f before it"
            problems.add(error)


def _parse_file(
    content: bytes,
    source: str,
    problems: InputProblems,
    read: Callable[..., Formula],
    require: Require,
) -> Iterator[Formula]:
    """The formulas of a file, one per line, as far as they are of the required kind."""
    for line, formula in read_formulas(content, source, read=read, wrong=problems.add):
        with problems.collecting():
            yield fitting(formula, Position(source=source, line=line), require)


def fitting(formula: Formula, position: Position, require: Require) -> Formula:
    """The formula itself if it is of the required kind. Otherwise the error has its place."""
    try:
        return require(formula)
    except PigroError as error:
        error.position = position
        raise
