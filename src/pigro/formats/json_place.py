"""Where in a JSON text does a path such as `$.components[3].name` stand?

The slow second scan after an error: decoding itself keeps no positions. The text is valid JSON up
to the place that is looked for, anything after it. No recursion, so any depth will do.
"""

from __future__ import annotations

import re

from pigro.diagnostics import Position, place_of

_TOKEN = re.compile(  # a string, a mark, or another word
    r'("[^"\\]*+(?:\\.[^"\\]*+)*+")|([{}\[\],:])|([^\s{}\[\],:"]++)', re.DOTALL
)
_PART = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
_WIDEST = 80


def locate(text: str, path: str, *, source: str | None) -> Position:
    """The position of the value at `path`, or of the nearest value around it."""
    parts: list[str | int] = [name or int(index) for name, index in _PART.findall(path)]
    offset, width = _find(text, parts)
    place = place_of(text, offset, source=source)
    return Position(source, place.line, place.column, path, place.text, min(width, _WIDEST))


def _find(text: str, parts: list[str | int]) -> tuple[int, int]:
    """The offset and length of the token that begins the value at the path `parts`.

    `stack` holds the key or index of every value that the scan is inside of.
    """
    stack: list[str | int] = []
    expect_key = False
    best, found = -1, (0, 1)
    for match in _TOKEN.finditer(text):
        string, mark, _ = match.groups()
        if mark is not None and mark in "]},:":
            if not stack:
                break
            expect_key = _step(stack, mark)
        elif expect_key and string is not None:
            stack[-1] = string[1:-1] if "\\" not in string else _unescaped(string)
            expect_key = False
        else:
            if best < len(stack) <= len(parts) and stack == parts[: len(stack)]:
                best = len(stack)
                begin, end = match.span(match.lastindex or 0)
                found = (begin, end - begin)
                if best == len(parts):
                    break
            if mark is not None:
                stack.append("" if mark == "{" else 0)
                expect_key = mark == "{"
    return found


def _unescaped(string: str) -> str:
    try:
        import json

        return str(json.loads(string))
    except ValueError:
        return string


def _step(stack: list[str | int], mark: str) -> bool:
    """Moves on after a value or a key. Is the next token a key?"""
    if mark == ",":
        here = stack[-1]
        if isinstance(here, str):
            return True
        stack[-1] = here + 1
    elif mark != ":":
        stack.pop()
    return False
