"""Formulas from the command line and from files, with everything that is wrong with them."""

from __future__ import annotations

import os.path
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import FormulaError, PigroError, Position, UsageError
from pigro.logic import Formula, parse, read_formulas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.diagnostics import Problems
    from pigro.limits import Poll

    Require = Callable[[Formula], Formula]


_NOT_ITS_GRAMMAR = "P121"
_NOT_ITS_NAMES = ("P123", "P125")


def reader(document: Any) -> Callable[..., Formula]:
    """What reads a formula: `parse`, or a model's document, in whose language it is then.

    Pigro's own language will do as well, where the other has no such thing: fixpoints, or labels in
    quotes. There, an atom that is no label of the document is read in the document's language. So
    a formula that Pigro has printed means the same when it is read again.
    """
    if document is None:
        return parse

    def read(text: str, *, source: str | None = None, line: int = 1) -> Formula:
        try:
            formula: Formula = document.formula(text)
        except PigroError as error:
            try:
                own = _in_own_language(text, error.code)
                if own is not None:
                    return _resolved(own, document)
            except PigroError as inner:
                error = inner if error.code == _NOT_ITS_GRAMMAR else error
            if error.position is not None:
                error.position = replace(error.position, source=source, line=line)
            raise error from None
        return formula

    return read


def _in_own_language(text: str, code: str) -> Formula | None:
    """The formula in Pigro's own language, if the document's refuses it with this code.

    Where both have the grammar but may group it differently, only a text as Pigro prints it counts.
    """
    try:
        formula = parse(text)
    except PigroError:
        return None
    printed = code in _NOT_ITS_NAMES and str(formula) == text.strip()
    return formula if code == _NOT_ITS_GRAMMAR or printed else None


def _resolved(formula: Formula, document: Any) -> Formula:
    """The formula, with its atoms read as the document reads them."""
    resolve = getattr(document, "resolved", None)
    found: Formula = formula if resolve is None else resolve(formula)
    return found


def require_formula_type(formula: object) -> None:
    """`UsageError` P006 for what is neither text nor a formula."""
    if not isinstance(formula, (str, Formula)):
        what = type(formula).__name__
        raise UsageError("P006", f"formula can't be of type {what}", hint="give text, or a Formula")


def polled(read: Callable[..., Formula], poll: Poll) -> Callable[..., Formula]:
    """What reads formulas, and polls before each."""

    def read_one(text: str, **place: Any) -> Formula:
        poll()
        return read(text, **place)

    return read_one


def parse_arguments(
    texts: Sequence[str | Formula],
    problems: Problems,
    read: Callable[..., Formula],
    require: Require,
) -> Iterator[Formula]:
    """The formulas given as arguments, as far as they are what is required."""
    for number, text in enumerate(texts, 1):
        source = f"formula {number}" if len(texts) > 1 else None
        try:
            formula = read(text, source=source) if isinstance(text, str) else text
            yield fitting(formula, Position(source=source), require)
        except PigroError as error:
            if isinstance(error, FormulaError) and os.path.isfile(str(text)):  # noqa: PTH113 - as given
                error.hint = "this is a file: to read formulas from it, write -f before it"
            problems.add(error)


def parse_file(
    content: bytes,
    source: str,
    problems: Problems,
    read: Callable[..., Formula],
    require: Require,
) -> Iterator[Formula]:
    """The formulas of a file, one a line, as far as they are what is required."""
    try:
        found = read_formulas(content, source, read=read)
    except PigroError as first:
        before = len(problems.errors)
        found = list(_parse_lines(content, source, problems, read))
        if len(problems.errors) == before:
            problems.add(first)
    for line, formula in found:
        with problems.collecting():
            yield fitting(formula, Position(source=source, line=line), require)


def _parse_lines(
    content: bytes, source: str, problems: Problems, read: Callable[..., Formula]
) -> Iterator[tuple[int, Formula]]:
    """The file line by line, to go on after a line that is wrong."""
    for number, row in enumerate(content.split(b"\n"), 1):
        try:
            for _, formula in read_formulas(row, source, read=read):
                yield number, formula
        except PigroError as error:
            if error.position is not None:
                error.position = replace(error.position, line=number)
            problems.add(error)


def fitting(formula: Formula, position: Position, require: Require) -> Formula:
    """The formula itself if it is what is required; else the error says where it stands."""
    try:
        return require(formula)
    except PigroError as error:
        error.position = position
        raise
