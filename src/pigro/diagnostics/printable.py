"""Names from files are hostile: they may hold newlines, terminal escapes, or be very long."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LIMIT = 120


def printable(name: str, limit: int = _LIMIT) -> str:
    r"""`name` on one line, safe to send to a terminal, shortened in the middle when long.

    >>> printable("helper")
    'helper'
    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if len(name) > limit:
        half = (limit - 3) // 2
        name = f"{name[:half]}...{name[-half:]}"
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else _escape(c) for c in name)


def in_full(text: str) -> str:
    """All of a text on one line, safe to send to a terminal."""
    return printable(text, len(text))


def _escape(c: str) -> str:
    return c.encode("unicode_escape", "surrogatepass").decode("ascii")


def listed(names: Sequence[str], most: int = 5) -> str:
    """The first few names, each in full, and how many more there are."""
    shown = ", ".join(in_full(each) for each in names[:most])
    more = len(names) - most
    return f"{shown} and {more:,} more" if more > 0 else shown
