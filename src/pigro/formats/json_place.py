"""Where in a JSON text does a path such as `$.components[3].name` stand?

The slow second scan after an error: decoding itself keeps no positions.
"""

from __future__ import annotations

import re

from pigro.diagnostics import Position

_TOKEN = re.compile(r'[ \t\r\n]*(?:("(?:[^"\\]|\\.)*")|([{}\[\],:])|([^\s{}\[\],:"]+))', re.DOTALL)
_PART = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")


def locate(text: str, path: str, *, source: str | None) -> Position:
    """The position of the value at `path`, or of the nearest value around it."""
    parts: list[str | int] = [name or int(index) for name, index in _PART.findall(path)]
    offset = _find(text, parts)
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    return Position(source=source, line=line, column=offset - start + 1, path=path)


def _find(text: str, parts: list[str | int]) -> int:
    """The offset of the value; an explicit stack of keys and indices, no recursion."""
    stack: list[str | int] = []  # where the scan is
    in_object: list[bool] = []
    best = (0, 0)  # how many parts matched, offset
    at = 0
    expect_key = False
    while match := _TOKEN.match(text, at):
        at = match.end()
        string, mark, _ = match.groups()
        if mark == ":":
            continue
        if mark == ",":
            if in_object and in_object[-1]:
                expect_key = True
            elif stack:
                stack[-1] = int(stack[-1]) + 1
            continue
        if mark in ("}", "]"):
            if not stack:
                break
            stack.pop()
            in_object.pop()
            expect_key = False
            continue
        if expect_key and string is not None:
            stack[-1] = string[1:-1]
            expect_key = False
            continue
        best = max(best, (_agreeing(stack, parts), -match.start(match.lastindex or 0)))
        if best[0] == len(parts) and len(stack) == len(parts):
            break
        if mark is not None:
            stack.append("" if mark == "{" else 0)
            in_object.append(mark == "{")
            expect_key = mark == "{"
    return -best[1]


def _agreeing(stack: list[str | int], parts: list[str | int]) -> int:
    """How many parts the scan is inside of; 0 unless all of the stack agrees."""
    if len(stack) > len(parts) or stack != parts[: len(stack)]:
        return 0
    return len(stack)
