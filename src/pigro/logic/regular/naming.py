"""Named expressions in files of formulas: `define NAME = EXPRESSION`, on a line of its own.

After that line, NAME in braces stands for the expression in parentheses. Formulas don't remember
names: they are printed with the expressions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, Position
from pigro.logic.lexer import label_of, matches_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic.syntax import Formula

_DEFINITION = re.compile(r"\s*define\s+(?P<name>[^\W\d][\w$@#]*)\s*=(?!=)\s*(?P<meaning>.*\S)\s*")
_LONGEST = 100_000
"""Characters of an expression in which names are replaced."""


class Names:
    """The names that a file has defined so far."""

    def __init__(self) -> None:
        self._meanings: dict[str, str] = {}

    def define(self, row: str, read: Callable[..., Formula], source: str | None, line: int) -> bool:
        """Reads a definition. False if the row is none."""
        found = _DEFINITION.fullmatch(row)
        if found is None:
            return False
        name, start = found["name"], found.start("name")
        if name in self._meanings or label_of(name) is None:
            why = "is defined already" if name in self._meanings else "is a reserved word"
            position = Position(
                source=source, line=line, column=start + 1, text=row, width=len(name)
            )
            raise FormulaError("P301", f"`{name}` {why}", position=position)
        meaning = self._replaced(found["meaning"], depth=1, source=source, line=line)
        read(" " * (found.start("meaning") - 1) + "{" + meaning + "}!", source=source, line=line)
        self._meanings[name] = meaning
        return True

    def replaced(self, row: str, source: str | None, line: int) -> str:
        """A row with the meanings of names in braces."""
        if not self._meanings or "{" not in row:
            return row
        return self._replaced(row, depth=0, source=source, line=line)

    def _replaced(self, text: str, *, depth: int, source: str | None, line: int) -> str:
        pieces, last, size = [], 0, len(text)
        for match in matches_of(text):
            token = match[0]
            depth += (token == "{") - (token == "}")
            meaning = self._meanings.get(token) if depth else None
            if meaning is None:
                continue
            size += len(meaning)
            if size > _LONGEST:
                position = Position(source=source, line=line)
                message = f"with its names replaced, the line has more than {_LONGEST:,} characters"
                raise FormulaError("P308", message, position=position)
            pieces += [text[last : match.start()], f"({meaning})"]
            last = match.end()
        return "".join([*pieces, text[last:]])
