"""Text of a `.pds` file to a pushdown system, one statement a line (docs/formats.md).

Files have 10^5 lines and more, nearly all of one of four shapes, which are recognised by their
words. Everything else, and everything wrong, is left to `statement.py`. The short way does not look
for angle brackets inside of names; it counts them: if a file has more than its statements need, the
file is read again with every line taken the long way, which finds the place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.formats.pds import statement
from pigro.formats.pds.comments import without_comments
from pigro.formats.pds.system import PushdownSystem

if TYPE_CHECKING:
    from collections.abc import Iterable


def parse(text: str, *, source: str | None = None) -> PushdownSystem:
    """The pushdown system in the text of a file."""
    lines = without_comments(text, source).split("\n")
    reader = _Reader(lines, source)
    if not reader.read_all():
        reader = _Reader(lines, source)
        reader.read_each(range(len(lines)))
    return reader.finish()


class _Reader:
    """A pushdown system while it is read."""

    def __init__(self, lines: list[str], source: str | None) -> None:
        self.lines = lines
        self.source = source
        self.system = PushdownSystem()
        self.initial_line: int | None = None

    def finish(self) -> PushdownSystem:
        """The system, which must have an initial configuration."""
        if self.initial_line is None:
            raise statement.no_initial(self.source, len(self.lines))
        return self.system

    def read_each(self, numbers: Iterable[int]) -> None:
        """Takes these lines the long way."""
        for number in numbers:
            place = statement.Place(self.lines[number], self.source, number + 1)
            initial = statement.read(place, self.system)
            if initial:
                if self.initial_line is not None:
                    raise statement.second_initial(place, self.initial_line)
                self.initial_line = number + 1

    def read_all(self) -> bool:
        """Takes the lines the short way where possible; is the number of brackets right?"""
        system = self.system
        known: dict[str, dict[str, int]] = {}
        labels = system.labels
        add_source, add_target = system.sources.append, system.targets.append
        words = system.words
        odd: list[int] = []
        brackets = 0
        heads = 0
        for number, line in enumerate(self.lines):
            parts = line.split()
            count = len(parts)
            if not count:
                continue
            if (
                5 <= count <= 6
                and parts[2] == "-->"
                and parts[1][0] == "<"
                and parts[1][-1] == ">"
                and parts[4][0] == "<"
                and parts[-1][-1] == ">"
                and parts[0][0] not in "#("
            ):
                state, symbol, _, after, to = parts[:5]
                if count == 5:
                    if to == "<>":
                        words.append((after, ()))
                        target = -len(words)
                    else:
                        try:
                            target = known[after][to]
                        except KeyError:
                            target = known.setdefault(after, {})[to] = heads
                            heads += 1
                elif to == "<" and parts[5] == ">":
                    words.append((after, ()))
                    target = -len(words)
                elif to != "<" and parts[5] != ">":
                    words.append((after, (to[1:], parts[5][:-1])))
                    target = -len(words)
                else:
                    odd.append(number)
                    continue
                try:
                    add_source(known[state][symbol])
                except KeyError:
                    add_source(heads)
                    known.setdefault(state, {})[symbol] = heads
                    heads += 1
                add_target(target)
                brackets += 1
            elif parts[0] == "ATOMS" and count > 2 and "," not in parts[1] and "<" not in line:
                found = line.replace(",", " ").split()[2:]
                if not found:
                    odd.append(number)
                elif parts[1] in labels:
                    labels[parts[1]] += found
                else:
                    labels[parts[1]] = found
            else:
                odd.append(number)
        return self._settle(known, heads, odd, brackets)

    def _settle(
        self, known: dict[str, dict[str, int]], heads: int, odd: list[int], rules: int
    ) -> bool:
        """Takes the odd lines, after the heads of the others have got their names."""
        system = self.system
        table: list[tuple[str, str]] = [("", "")] * heads
        for state, symbols in known.items():
            for symbol, number in symbols.items():
                table[number] = (state, symbol[1:-1])
        system.heads = table
        system.number = {head: number for number, head in enumerate(table)}
        for sign, each in (("<", 2), (">", 3)):
            if sum(line.count(sign) for line in self.lines) != each * rules + sum(
                self.lines[number].count(sign) for number in odd
            ):
                return False
        if ("", "") in system.number or any(not symbol for _, symbol in table):
            return False
        self.read_each(odd)
        return True
