"""Errors as text for people."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pigro.diagnostics.printable import printable

if TYPE_CHECKING:
    from pigro.diagnostics.errors import PigroError, Position

_WINDOW = 100


def render_error(error: PigroError) -> str:
    """The error over several lines: what, where, the source with a caret, and what to do."""
    lines = [f"error[{error.code}]: {error.message}"]
    if error.position is not None:
        lines += _place(error.position)
    if error.hint is not None:
        lines.append(f"  hint: {error.hint}")
    return "\n".join(lines)


def _place(position: Position) -> list[str]:
    where = printable(position.source) if position.source is not None else ""
    if position.line is not None:
        where += f":{position.line}" if where else f"line {position.line}"
        if position.column is not None:
            where += f":{position.column}" if position.source else f", column {position.column}"
    if position.path is not None:
        where += f" ({position.path})" if where else position.path
    lines = [f"  --> {where}"] if where else []
    if position.text is not None and position.column is not None:
        lines += _caret(position.text, position.column, position.width)
    return lines


def _caret(text: str, column: int, width: int) -> list[str]:
    """The part of the line around the column, with carets below it."""
    start = max(0, column - 1 - _WINDOW // 2)
    shown = text[start : start + _WINDOW]
    before = "..." if start else ""
    after = "..." if start + _WINDOW < len(text) else ""
    offset = column - 1 - start
    pad = sum(_columns(c) for c in shown[:offset]) + len(before)
    carets = "^" * max(1, sum(_columns(c) for c in shown[offset : offset + width]))
    body = "".join(c if c.isprintable() else " " for c in shown)
    return [f"   | {before}{body}{after}", f"   | {' ' * pad}{carets}"]


def _columns(c: str) -> int:
    """How many columns a terminal gives to a character."""
    if unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1
