"""Stack words, each made once and known by number.

A word is its first symbol and the number of the rest, so that all ends of a long word together take
no more room than the word itself. The empty word is 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class WordTable:
    """All words so far."""

    def __init__(self) -> None:
        self.first: list[str] = [""]
        self.rest: list[int] = [0]
        self.length: list[int] = [0]
        self._known: dict[tuple[str, int], int] = {}

    def put(self, symbols: Sequence[str], rest: int = 0) -> int:
        """The word of these symbols, the top of the stack first, followed by the word `rest`."""
        for symbol in reversed(symbols):
            key = (symbol, rest)
            found = self._known.get(key)
            if found is None:
                found = self._known[key] = len(self.first)
                self.first.append(symbol)
                self.length.append(self.length[rest] + 1)
                self.rest.append(rest)
            rest = found
        return rest

    def cut(self, word: int, count: int) -> tuple[list[str], int]:
        """The first symbols of a word, and the rest of it."""
        symbols = []
        for _ in range(count):
            symbols.append(self.first[word])
            word = self.rest[word]
        return symbols, word

    def text(self, word: int, most: int = 4) -> str:
        """For names: the first symbols."""
        symbols, rest = self.cut(word, min(most, self.length[word]))
        return " ".join(symbols) + (f" ... {rest}" if rest else "")
