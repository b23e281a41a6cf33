"""The text of a file or formula as tokens, and the way from a token back to its line.

Tokens are plain strings in one list, ended by an empty one. Their offsets are not kept: errors and
the texts of formulas need some, and a second scan from a block near them finds these. Everything
that goes wrong in this package is first a `Fault` at a token, which `Text` turns into an error with
file, line and column.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
_BLOCK = 1 << 12
"""Characters of a block at least."""
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
        self._has_comments = "--" in text
        self.tokens: list[str] = []
        self._blocks: list[tuple[int, int]] = []
        """Where the tokens were read from: the number of the first one, and its offset."""
        self._read()
        self.tokens.append(END)

    def _read(self) -> None:
        """Reads the tokens in blocks of lines; a comment over several lines makes one block."""
        text, begin = self.text, 0
        size = len(text) if "/--" in text else _BLOCK
        while begin < len(text):
            end = text.find("\n", begin + size) + 1 or len(text)
            self._blocks.append((len(self.tokens), begin))
            read = _TOKEN.findall(text, begin, end)
            self.tokens += (
                [each for each in read if not _is_comment(each)] if self._has_comments else read
            )
            begin = end

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
        first, matches = self._matches(ranges[0][0])
        starts = [match.start() for match in matches]
        found_: list[tuple[int, str]] = []
        line, offset = 1, 0
        for begin, end in ranges:
            start = starts[begin - first]
            line += self.text.count("\n", offset, start)
            offset = start
            written = self.text[start : starts[end - 1 - first] + len(self.tokens[end - 1])]
            if self._has_comments and "--" in written:
                written = " ".join(self.tokens[begin:end])
            found_.append((line, " ".join(written.split())))
        return found_

    def spans(self, tokens: set[int]) -> dict[int, tuple[int, int, int, int]]:
        """The line and column of tokens, and those of their ends. One scan."""
        found_: dict[int, tuple[int, int, int, int]] = {}
        line, offset = 1, 0
        first, matches = self._matches(min(tokens))
        for number, match in enumerate(matches, first):
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
        first, matches = self._matches(at)
        for number, match in enumerate(matches, first):
            if number == at:
                return match.start(), len(match[0])
            end = match.end()
        return end, 1

    def _matches(self, at: int) -> tuple[int, Iterator[re.Match[str]]]:
        """The tokens again, with their places, from a block before one on; the first's number."""
        before = bisect_left(self._blocks, (at, 0)) - 1
        first, begin = self._blocks[before] if before > 0 else (0, 0)
        matches = _TOKEN.finditer(self.text, begin)
        if not self._has_comments:
            return first, matches
        return first, (match for match in matches if not _is_comment(match[0]))


def _is_comment(token: str) -> bool:
    """Whether a token is a comment. One that lacks its end is a mistake, and stays."""
    return token.startswith(_COMMENTS) and not _is_open(token)


def _is_open(comment: str) -> bool:
    """A comment that lacks its end."""
    return comment[0] == "/" and not (comment.endswith("--/") and len(comment) >= len("/----/"))


def found(token: str) -> str:
    """A token for a message."""
    return f"`{printable(token, 60)}`" if token else "the end"
