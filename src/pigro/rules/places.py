"""Where something stands in a TOML file, for errors. `tomllib` does not say.

The statement that sets a key ends with the first line up to which the file is TOML with this key.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pigro.diagnostics.errors import InputError, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_TRIES = 100
"""Lines that a statement may have, at most."""


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file, and the path of the table that holds rules."""

    name: str
    text: str
    home: tuple[str, ...] = ("rule",)

    def position(self, path: Sequence[str], part: str = "", at: int = 0) -> Position:
        """The place of a key below `home`, or of a part of its value from the offset `at` on.

        Without a line if it is not found.
        """
        lines = self.text.split("\n")
        found = self._statement(lines, (*self.home, *path))
        if found is None:
            return Position(source=self.name)
        first, end = found
        for number in range(first, end):
            column = lines[number].find(part) if part else -1
            if column >= 0:
                return self._at(lines, number, column + at, 1 if at else len(part))
        shown = lines[first].strip()
        return self._at(lines, first, lines[first].find(shown), len(shown))

    def _at(self, lines: list[str], number: int, column: int, width: int) -> Position:
        return Position(
            source=self.name, line=number + 1, column=column + 1, text=lines[number], width=width
        )

    def _statement(self, lines: list[str], path: tuple[str, ...]) -> tuple[int, int] | None:
        """The lines of the statement that sets a key: the first one, and the one after the last."""
        low, high = 1, len(lines)
        while low < high:
            middle = (low + high) // 2
            if _has(_parsed(lines, middle)[1], path):
                high = middle
            else:
                low = middle + 1
        end, table = _parsed(lines, low)
        return (low - 1, end) if _has(table, path) else None


def _parsed(lines: list[str], count: int) -> tuple[int, Any]:
    """The table of so many lines, or of a few more if a statement is cut in two."""
    for end in range(count, min(count + _TRIES, len(lines)) + 1):
        table = _table(lines[:end])
        if table is not None:
            return end, table
    return count, None


def toml_error(error: tomllib.TOMLDecodeError, text: str, file: str) -> InputError:
    """The error for a file that is not TOML."""
    message = str(error)
    found = _PLACE.search(message)
    if found is None:
        return InputError("P160", message, position=Position(source=file))
    line, column = int(found[1]), int(found[2])
    lines = text.split("\n")
    shown = lines[line - 1] if line <= len(lines) else ""
    place = Position(source=file, line=line, column=column, text=shown)
    return InputError("P160", message[: found.start()], position=place)


def _table(lines: list[str]) -> Any:
    try:
        return tomllib.loads("\n".join([*lines, ""]))
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _has(table: Any, path: tuple[str, ...]) -> bool:
    for each in path:
        if not isinstance(table, dict) or each not in table:
            return False
        table = table[each]
    return True
