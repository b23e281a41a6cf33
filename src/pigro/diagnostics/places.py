"""From an offset in a text to line and column."""

from __future__ import annotations

from pigro.diagnostics.errors import Position


def place_of(text: str, offset: int, *, source: str | None) -> Position:
    """The line and column of an offset, with the text of that line."""
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    shown = text[start : end if end >= 0 else len(text)].removesuffix("\r")
    return Position(source=source, line=line, column=offset - start + 1, text=shown or None)
