"""Comments of `.pds` files.

`//` to the end of the line and `/* ... */` may stand wherever a name may start. `#` is a comment only
as the first sign of a line or after a whole statement (`statement.py`), for symbols may be called so.
"""

from __future__ import annotations

import re

from pigro.diagnostics import InputError
from pigro.formats.json_place import place_of

_START = re.compile(r"(?<!\S)/[/*]")
_SIGN = re.compile(r"[^\n]")


def without_comments(text: str, source: str | None) -> str:
    """The text with blanks for comments, so that all places stay."""
    if "//" not in text and "/*" not in text:
        return text
    parts = []
    done = 0
    while (start := _START.search(text, done)) is not None:
        at = start.start()
        end = _end_of_comment(text, at, source)
        parts += [text[done:at], _SIGN.sub(" ", text[at:end])]
        done = end
    return "".join([*parts, text[done:]])


def _end_of_comment(text: str, at: int, source: str | None) -> int:
    if text[at + 1] == "/":
        end = text.find("\n", at)
        return end if end >= 0 else len(text)
    end = text.find("*/", at + 2)
    if end < 0:
        raise InputError(
            "P112",
            "a comment is not closed",
            position=place_of(text, at, source=source),
            hint="write */ where it ends",
        )
    return end + 2
