"""The text of a file or formula as tokens, and the way from a token back to its line.

Tokens are plain strings in one list, ended by an empty one. Offsets are not kept: only an error
needs one, and then a second scan finds it. Everything that goes wrong in this package is first a
`Fault` at a token, which `Text` turns into an error with file, line and column.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position, place_of, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.diagnostics import PigroError

_TOKEN = re.compile(
    r"""[A-Za-z_][\w$#\\]*(?:-[\w$#\\]+)*(?:\.[A-Za-z_][\w$#\\]*(?:-[\w$#\\]+)*)*   # a name
    | 0[us]?[bBoOdDhH]\d*_[0-9a-fA-F_]+                                           # a word
    | \d+
    | /--.*?(?:--/|\Z) | --[^\n\r]*                                             # comments
    | <-> | -> | := | \.\. | [<>!=]= | << | >> | :: | && | \|\|
    | \S""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_COMMENTS = ("--", "/--")
END = ""
"""The token after the last."""


class Fault(Exception):  # noqa: N818 - not an error for users yet: it lacks the place
    """Something wrong at a token."""

    def __init__(self, code: str, message: str, at: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.at = at
        self.hint = hint


class Text:
    """A text and its tokens; `kind` is what its mistakes are."""

    def __init__(
        self, text: str, source: str | None = None, kind: type[PigroError] = InputError
    ) -> None:
        self.text = text
        self.source = source
        self.kind = kind
        self.tokens: list[str] = _TOKEN.findall(text)
        self._has_comments = "--" in text
        if self._has_comments:
            self.tokens = [each for each in self.tokens if not _is_comment(each)]
        self.tokens.append(END)

    def error(self, fault: Fault) -> PigroError:
        """The fault with its place."""
        place = self.position(fault.at)
        return self.kind(fault.code, fault.message, position=place, hint=fault.hint)

    def position(self, at: int) -> Position:
        """Where token number `at` stands; the place after the last token for the end."""
        start, width = self._span(at)
        place = place_of(self.text, start, source=self.source)
        return Position(place.source, place.line, place.column, None, place.text, width)

    def excerpts(self, ranges: list[tuple[int, int]]) -> list[tuple[int, str]]:
        """The line and the text, on one line, of ranges of tokens; they ascend. One scan."""
        if not ranges:
            return []
        starts = [match.start() for match in self._matches()]
        found_: list[tuple[int, str]] = []
        line, offset = 1, 0
        for begin, end in ranges:
            start = starts[begin]
            line += self.text.count("\n", offset, start)
            offset = start
            written = self.text[start : starts[end - 1] + len(self.tokens[end - 1])]
            if self._has_comments and "--" in written:
                written = " ".join(self.tokens[begin:end])
            found_.append((line, " ".join(written.split())))
        return found_

    def spans(self, tokens: set[int]) -> dict[int, tuple[int, int, int, int]]:
        """The line and column of tokens, and those of their ends. One scan."""
        found_: dict[int, tuple[int, int, int, int]] = {}
        line, offset = 1, 0
        for number, match in enumerate(self._matches()):
            if number in tokens:
                line += self.text.count("\n", offset, match.start())
                offset = match.start()
                column = offset - self.text.rfind("\n", 0, offset)
                found_[number] = (line, column, line, column + len(match[0]))
                if len(found_) == len(tokens):
                    break
        return found_

    def _span(self, at: int) -> tuple[int, int]:
        end = 0
        for number, match in enumerate(self._matches()):
            if number == at:
                return match.start(), len(match[0])
            end = match.end()
        return end, 1

    def _matches(self) -> Iterator[re.Match[str]]:
        """The tokens again, with their places."""
        matches = _TOKEN.finditer(self.text)
        if not self._has_comments:
            return matches
        return (match for match in matches if not _is_comment(match[0]))


def _is_comment(token: str) -> bool:
    """Whether a token is a comment. One that lacks its end is a mistake, and stays."""
    return token.startswith(_COMMENTS) and not _is_open(token)


def _is_open(comment: str) -> bool:
    """A comment that lacks its end."""
    return comment[0] == "/" and not (comment.endswith("--/") and len(comment) >= len("/----/"))


def found(token: str) -> str:
    """A token for a message."""
    return f"`{printable(token, 60)}`" if token else "the end"
