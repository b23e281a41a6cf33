"""Lines of sources, for excerpts. Names and lines of files are hostile: both are made printable."""

from __future__ import annotations

import tokenize
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from pigro.sources.graph import At

_WIDEST = 160


class FileLines:
    """The lines of files, read when first asked for."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def _rows(self, file: str) -> list[str]:
        rows = self._lines.get(file)
        if rows is None:
            rows = self._lines[file] = _read(file)
        return rows

    def count(self, file: str) -> int:
        """How many lines a file has."""
        return len(self._rows(file))

    def columns(self, file: str, number: int, end: int) -> int:
        """How many characters the first `end` bytes of a line are."""
        raw = self.line(file, number).encode("utf-8", "surrogatepass")
        return len(raw[:end].decode("utf-8", "replace"))

    def line(self, file: str, number: int) -> str:
        """A line without its end. Empty if it can't be read any more."""
        rows = self._rows(file)
        return rows[number - 1] if 0 < number <= len(rows) else ""

    def span(self, file: str, at: At) -> tuple[str, int, int]:
        """The first line of a place, and the columns, in characters from 0, that it covers."""
        line = self.line(file, at[0])
        first = self.columns(file, at[0], at[1])
        last = self.columns(file, at[0], at[3]) if at[2] == at[0] else len(line)
        return line, first, max(first + 1, last)


def _read(file: str) -> list[str]:
    try:
        data = Path(file).read_bytes()
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        return data.decode(encoding, "replace").replace("\f", " ").split("\n")
    except (OSError, SyntaxError, LookupError):
        return []


def shown(line: str) -> str:
    """A line as it is printed."""
    text = line.rstrip("\r\n").expandtabs(4)
    return printable(text, _WIDEST)
