"""Formulas in `.ctl` files, and in the language of a model's file.

A `.ctl` file has one formula per line. `#` as first non-blank character starts a comment. A line
`define NAME = EXPRESSION` names a regular expression, and `automaton NAME { ... }` an automaton, in
one line or several (regular/naming.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics import InputError, PigroError, Position, UsageError, printable
from pigro.logic.operators import Fragment
from pigro.logic.syntax import Formula, mark, parse

if TYPE_CHECKING:
    from os import PathLike


_DEFINING = ("define", "automaton")
_AUTOMATON = r"\bautomaton\s(?:\s*\w\S*)?\s*\{|\bautomaton\s+\w+\s*(?:[^\w\s]|$)"
_NOT_ITS_GRAMMAR = "P121"
_NOT_ITS_NAMES = ("P123", "P125")


def read_formulas(
    content: str | bytes,
    source: str | None = None,
    *,
    read: Callable[..., Formula] = parse,
    wrong: Callable[[PigroError], object] | None = None,
) -> list[tuple[int, Formula]]:
    r"""The formulas of a `.ctl` file with their line numbers. Errors carry `source` and the line.

    `read` is for formulas in another language: it takes what `parse` takes. With `wrong`, errors
    are given to it, and the lines after them are read.

    >>> from pigro import read_formulas
    >>> read_formulas("# liveness\r\n\r\nAG EF p\r\nAF q#1")
    [(3, Formula("AG EF p")), (4, Formula("AF q#1"))]
    """
    formulas: list[tuple[int, Formula]] = []
    names = None
    rows = enumerate(_rows(content, source, wrong), 1)
    for number, row in rows:
        bare = row.strip()
        if not bare or bare[0] == "#":
            continue
        row = row.rstrip("\r")  # noqa: PLW2901 - the same without the line's end
        if names is None and bare.startswith(_DEFINING):
            from pigro.logic.regular.naming import AutomatonNames

            names = AutomatonNames(read, source)
        try:
            if names is None:
                formulas.append((number, read(row, source=source, line=number)))
            elif not names.define(row, number, rows):
                formulas.append((number, names.formula(row, number)))
        except PigroError as error:
            if wrong is None:
                raise
            wrong(error)
    return formulas


def read_formula_file(path: str | PathLike[str]) -> list[tuple[int, Formula]]:
    """The formulas of the file `path`. UsageError P001 when it can't be read."""
    shown = str(path)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P001", f"can't read {printable(shown)}: {printable(reason)}") from None
    return read_formulas(content, shown)


def _rows(
    content: str | bytes, source: str | None, wrong: Callable[[PigroError], object] | None
) -> list[str]:
    """The lines of a file. Empty ones stand for those that are no text, if they may be wrong."""
    if isinstance(content, str):
        return content.removeprefix("\ufeff").split("\n")
    try:
        return content.decode("utf-8").removeprefix("\ufeff").split("\n")
    except UnicodeDecodeError:
        rows = []
        for number, row in enumerate(content.split(b"\n"), 1):
            try:
                rows.append(_decode(row, source, number))
            except InputError as error:
                if wrong is None:
                    raise
                wrong(error)
                rows.append("")
        return rows


def _decode(row: bytes, source: str | None, line: int) -> str:
    try:
        return row.decode("utf-8").removeprefix("\ufeff" if line == 1 else "")
    except UnicodeDecodeError as error:
        before = row[: error.start].decode("utf-8").removeprefix("\ufeff")
        position = Position(source=source, line=line, column=len(before) + 1)
        byte = row[error.start]
        raise InputError(
            "P102",
            f"the byte 0x{byte:02x} is not valid UTF-8 text",
            position=position,
            hint="save the file as UTF-8",
        ) from None


def reader(document: Any, *, lenient: bool = False) -> Callable[..., Formula]:
    """What reads a formula: `parse`, or a model's document, in whose language it is then.

    Pigro's own language will do as well, where the other has no such thing: fixpoints, or labels in
    quotes. There, an atom that is no label of the document is read in the document's language. So
    a formula that Pigro has printed means the same when it is read again. A `lenient` reader leaves
    names alone that the document does not know: a model may have got more labels.
    """
    if document is None:
        return parse

    def read(text: str, *, source: str | None = None, line: int = 1) -> Formula:
        try:
            formula: Formula = document.formula(text)
        except PigroError as error:
            try:
                own = _in_own_language(text, error.code, lenient=lenient)
                if own is not None:
                    return mark(resolved(own, document, lenient=lenient), text)
            except PigroError as inner:
                error = inner if error.code == _NOT_ITS_GRAMMAR else error
            if error.position is not None:
                error.position = replace(error.position, source=source, line=line)
            raise error from None
        return mark(formula, text)

    return read


def _in_own_language(text: str, code: str, *, lenient: bool) -> Formula | None:
    """The formula in Pigro's own language, if the document's refuses it with this code.

    Where both have the grammar but may group it differently, only a text as Pigro prints it counts,
    unless the reader is lenient. No other language has automata, so faults there are reported in
    ours.
    """
    try:
        formula = parse(text)
    except PigroError:
        if re.search(_AUTOMATON, text) is not None:
            raise
        return None
    named = code in _NOT_ITS_NAMES and (
        lenient or formula.fragment is Fragment.MU or str(formula) == text.strip()
    )
    return formula if code == _NOT_ITS_GRAMMAR or named else None


def resolved(formula: Formula, document: Any, *, lenient: bool = True) -> Formula:
    """The formula, as the document reads it: its atoms, and which paths it is about."""
    resolve = getattr(document, "resolved", None)
    if resolve is None:
        return formula
    found: Formula = resolve(formula, lenient=True) if lenient else resolve(formula)
    return found
