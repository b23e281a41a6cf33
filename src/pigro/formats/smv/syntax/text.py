"""The text of a file or formula as tokens, and the way from a token back to its line.

The native core reads the tokens and remembers where each begins. Here they are plain strings in one
list, ended by an empty one. Everything that goes wrong in this package is first a `TokenFault` at a
token, which `TokenText` turns into an error with file, line and column.
"""

from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import InputError, Position, place_of, printable
from pigro.formats.smv.syntax.words import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.diagnostics import PigroError

END = ""
"""The token after the last."""


class TokenFault(Exception):  # not an error for users yet: it lacks the place
    """Something wrong at a token."""

    def __init__(self, code: str, message: str, at: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at = at
        self.hint = hint


class TokenText:
    """A text and its tokens. `kind` is what its mistakes are."""

    heads: Mapping[int, str | tuple[str, ...]] = MappingProxyType({})
    """Of a formula (`modal.py`): the variables of fixpoints and actions of modalities, by token."""
    variables: Mapping[int, str] = MappingProxyType({})
    """Tokens that are variables of fixpoints."""

    def __init__(
        self, text: str, source: str | None = None, kind: type[PigroError] = InputError
    ) -> None:
        self.text = text
        self.source = source
        self.kind = kind
        self.read = _core.Tokens(text, VOCABULARY)
        self.tokens = self.read.listed()

    def error(self, fault: TokenFault) -> PigroError:
        """The fault with its place."""
        place = self.position(fault.at)
        return self.kind(fault.code, fault.message, position=place, hint=fault.hint)

    def position(self, at: int) -> Position:
        """Where token number `at` stands. The place after the last token for the end."""
        return self.place(*self.read.span(at))

    def place(self, start: int, width: int) -> Position:
        """Where so many letters stand."""
        place = place_of(self.text, start, source=self.source)
        return Position(place.source, place.line, place.column, None, place.text, width)

    def excerpt(self, begin: int, end: int) -> tuple[int, str]:
        """The line and the text, on one line, of the tokens from `begin` up to `end`."""
        line, start, stop = self.read.extent(begin, end)
        written = self.text[start:stop]
        if "--" in written:
            written = " ".join(self.tokens[begin:end])
        return line, " ".join(written.split())

    def spans(self, tokens: set[int]) -> dict[int, tuple[int, int, int, int]]:
        """The line and column of tokens, and those of their ends."""
        found_: dict[int, tuple[int, int, int, int]] = {}
        line, offset = 1, 0
        for number in sorted(tokens):
            start, width = self.read.span(number)
            line += self.text.count("\n", offset, start)
            offset = start
            column = offset - self.text.rfind("\n", 0, offset)
            found_[number] = (line, column, line, column + width)
        return found_


@contextmanager
def placed(text: TokenText) -> Iterator[None]:
    """Gives faults their places in a text."""
    try:
        yield
    except TokenFault as fault:
        raise text.error(fault) from None


def found(token: str) -> str:
    """A token for a message."""
    return f"`{printable(token, 60)}`" if token else "the end"
