"""Comments of `.pds` files.

`//` to the end of the line and `/* ... */` may stand wherever a name may start. `#` is a comment
only as the first sign of a line or after a whole statement (`statement.py`), for symbols may be
called so.
"""

from __future__ import annotations

import re

from pigro.diagnostics import InputError, place_of

_START = re.compile(rb"(?<!\S)/[/*]")
_SIGN = re.compile(rb"[^\n]")


def without_comments(data: bytes, source: str | None) -> bytes:
    """The text with blanks for comments, so that all lines stay."""
    if b"/" not in data or (b"//" not in data and b"/*" not in data):
        return data
    parts = []
    done = 0
    while (start := _START.search(data, done)) is not None:
        at = start.start()
        end = _end_of_comment(data, at, source)
        parts += [data[done:at], _SIGN.sub(b" ", data[at:end])]
        done = end
    return b"".join([*parts, data[done:]])


def _end_of_comment(data: bytes, at: int, source: str | None) -> int:
    if data[at + 1] == ord("/"):
        end = data.find(b"\n", at)
        return end if end >= 0 else len(data)
    end = data.find(b"*/", at + 2)
    if end < 0:
        raise InputError(
            "P112",
            "a comment is not closed",
            position=place_of(data.decode(), len(data[:at].decode()), source=source),
            hint="write */ where it ends",
        )
    return end + 2
