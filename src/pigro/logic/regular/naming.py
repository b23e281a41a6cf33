"""Definitions in files of formulas.

    define NAME = EXPRESSION       on a line of its own
    automaton NAME { CLAUSES }     on one line or several (regular/blocks.py)

After the first, NAME in braces stands for the expression in parentheses. Formulas don't remember
that name: they are printed with the expression. After the second, `automaton NAME` stands for the
automaton. Its text is put behind its name where a formula names it first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from pigro.diagnostics import FormulaError, PigroError, Position, did_you_mean, printable
from pigro.logic.lexer import label_of, matches_of
from pigro.logic.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.logic.syntax import Formula

_DEFINITION = re.compile(r"\s*define\s+(?P<name>[^\W\d][\w$@#]*)\s*=(?!=)\s*(?P<meaning>.*\S)\s*")
_AUTOMATON = re.compile(r"\s*automaton\s+(?P<name>[^\W\d][\w.$@#]*(?<!\.))\s*(?P<body>\{)")
_LONGEST = 100_000
"""Characters of an expression in which names are replaced."""
_SHOWN = 5


class _RenamedText(NamedTuple):
    """A text in which names are replaced."""

    text: str
    cuts: list[tuple[int, int, int, int]]
    """Where each replacement starts and ends, and where it does in the text before."""

    def mend(self, error: PigroError, row: str) -> None:
        """Makes the position of an error one in the text before."""
        at = error.position
        if at is None or at.text != self.text or at.column is None:
            return
        start, width, shift = at.column - 1, at.width, 0
        for new_start, new_end, old_start, old_end in self.cuts:
            if start < new_start:
                break
            if start < new_end:
                start, width, shift = old_start, max(1, old_end - old_start), 0
                break
            shift = new_end - old_end
        error.position = replace(at, column=start - shift + 1, width=width, text=row)


class AutomatonNames:
    """The names that a file has defined so far."""

    def __init__(self, read: Callable[..., Formula], source: str | None) -> None:
        self._read, self._source = read, source
        self._meanings: dict[str, str] = {}
        self._automata: dict[str, str] = {}

    def define(self, row: str, line: int, rest: Iterator[tuple[int, str]]) -> bool:
        """Reads a definition, with rows of the rest of the file. False if the row is none."""
        found = _DEFINITION.fullmatch(row)
        if found is None:
            found = _AUTOMATON.match(row)
            return found is not None and self._define_automaton(found, row, line, rest)
        name = found["name"]
        if name in self._meanings or label_of(name) is None:
            why = "is defined already" if name in self._meanings else "is a reserved word"
            raise FormulaError("P301", f"`{name}` {why}", position=self._at(found, row, line))
        meaning = self._replaced(found["meaning"], line, inside=True).text
        start = " " * (found.start("meaning") - 1)
        self._read(start + "{" + meaning + "}!", source=self._source, line=line)
        self._meanings[name] = meaning
        return True

    def formula(self, row: str, line: int) -> Formula:
        """The formula of a row, with the meanings of names."""
        made = self._replaced(row, line)
        try:
            return self._read(made.text, source=self._source, line=line)
        except PigroError as error:
            made.mend(error, row)
            if error.code == "P310" and error.position is not None:
                start = (error.position.column or 1) - 1
                name = row[start : start + error.position.width]
                known = ", ".join(list(self._automata)[:_SHOWN])
                error.hint = did_you_mean(name, self._automata) or (
                    f"defined before this line: {printable(known)}" if known else error.hint
                )
            raise

    def _at(self, found: re.Match[str], row: str, line: int) -> Position:
        column, width = found.start("name") + 1, len(found["name"])
        return Position(source=self._source, line=line, column=column, text=row, width=width)

    def _define_automaton(
        self, found: re.Match[str], row: str, line: int, rest: Iterator[tuple[int, str]]
    ) -> bool:
        """Reads an automaton. False if more comes after it: then the row is a formula."""
        rows, depth, end = [row], 0, -1
        while True:
            for match in matches_of(rows[-1]):
                depth += (match[0] == "{") - (match[0] == "}")
                if match[0] == "}" and not depth:
                    end = match.end()
                    break
            following = None if end >= 0 else next(rest, None)
            if following is None:
                break
            rows.append("" if following[1].lstrip()[:1] == "#" else following[1].rstrip("\r"))
        if end >= 0 and rows[-1][end:].strip():
            if len(rows) == 1:
                return False
            number, text = line + len(rows) - 1, rows[-1]
            position = Position(source=self._source, line=number, column=end + 1, text=text)
            message = "expected the end of the line after the `}` of an automaton"
            raise FormulaError("P301", message, position=position)
        name = found["name"]
        if name in self._automata:
            message = f"the automaton `{printable(name, 60)}` is defined already"
            raise FormulaError("P312", message, position=self._at(found, row, line))
        whole = "\n".join(rows)
        made = self._replaced(whole, line)
        parse(made.text, source=self._source, line=line)
        self._automata[name] = made.text[made.text.index("{") :].replace("\n", " ")
        return True

    def _replaced(self, text: str, line: int, *, inside: bool = False) -> _RenamedText:
        """The text with the meanings of names. If `inside`, it stands in braces."""
        pieces, cuts, last, size, told = [], [], 0, 0, set[str]()
        braces = [inside]  # of each brace that is open whether it holds an expression
        before = ["", ""]
        found = list(matches_of(text)) if self._meanings or self._automata else []
        for at, match in enumerate(found):
            token, put = match[0], ""
            start = match.start()
            if token == "{":
                braces.append("automaton" not in before)
            elif token == "}":
                braces = braces[:-1] or [False]
            elif before[1] == "automaton" and token in self._automata and token not in told:
                told.add(token)
                if at + 1 == len(found) or found[at + 1][0] != "{":
                    put, start = f" {self._automata[token]}", match.end()
            elif braces[-1] and token in self._meanings:
                put = f"({self._meanings[token]})"
            before = [before[1], token]
            if not put:
                continue
            pieces += [text[last:start], put]
            size += start - last
            cuts.append((size, size + len(put), match.start(), match.end()))
            size += len(put)
            last = match.end()
            if size > _LONGEST:
                position = Position(source=self._source, line=line)
                message = f"with its names replaced, the line has more than {_LONGEST:,} characters"
                raise FormulaError("P308", message, position=position)
        return _RenamedText("".join([*pieces, text[last:]]), cuts)
