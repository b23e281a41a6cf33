"""Names from files are hostile: they may hold newlines, terminal escapes, or be very long."""

from __future__ import annotations

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


def _escape(c: str) -> str:
    return c.encode("unicode_escape", "surrogatepass").decode("ascii")
