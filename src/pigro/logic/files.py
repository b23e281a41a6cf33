"""`.ctl` files: one formula a line, `#` as the first non-blank character starts a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position, UsageError, printable
from pigro.logic.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from pigro.logic.syntax import Formula


def read_formulas(
    content: str | bytes, source: str | None = None, *, read: Callable[..., Formula] = parse
) -> list[tuple[int, Formula]]:
    r"""The formulas of a `.ctl` file with their line numbers; errors carry `source` and the line.

    `read` is for formulas in another language: it takes what `parse` takes.

    >>> read_formulas("# liveness\r\n\r\nAG EF p\r\nAF q#1")
    [(3, Formula("AG EF p")), (4, Formula("AF q#1"))]
    """
    text = _decode(content, source) if isinstance(content, bytes) else content
    formulas = []
    for number, row in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        bare = row.strip()
        if bare and bare[0] != "#":
            formulas.append((number, read(row.rstrip("\r"), source=source, line=number)))
    return formulas


def read_formula_file(path: str | PathLike[str]) -> list[tuple[int, Formula]]:
    """The formulas of the file `path`; UsageError P001 when it can't be read."""
    shown = str(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib would slow the import down
            content = file.read()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P001", f"can't read {printable(shown)}: {printable(reason)}") from None
    return read_formulas(content, shown)


def _decode(content: bytes, source: str | None) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        start = before.rfind(b"\n") + 1
        position = Position(
            source=source,
            line=before.count(b"\n") + 1,
            column=len(before[start:].decode("utf-8").removeprefix("\ufeff")) + 1,
        )
        byte = content[error.start]
        raise InputError(
            "P102",
            f"the byte 0x{byte:02x} is not valid UTF-8 text",
            position=position,
            hint="save the file as UTF-8",
        ) from None
