"""One line of a `.pds` file, read with care: the fault, and where it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position, printable
from pigro.records import Record

if TYPE_CHECKING:
    from pigro.formats.pds.system import PushdownSystem, Word

_BLANK = re.compile(r"\s*")
_NAME = re.compile(r"[^\s<>]+")
_STATE = re.compile(r"[^\s<>()]+|[^\s<>]+(?=\s*<)")
_ATOMS = re.compile(r"ATOMS(?=\s)(?!\s*<[^<>]*>\s*-->)")
_RULE = "a rule is STATE <SYMBOL> --> STATE <SYMBOL ...>"
_STATEMENT = f"{_RULE}; others are ATOMS NAME LABEL, ... and (STATE <SYMBOL ...>)"


class StatementLine(Record, frozen=True):
    """A line of a file."""

    text: str
    source: str | None
    number: int

    def error(self, code: str, message: str, at: int, hint: str | None = None) -> InputError:
        """An error at a column, counted from 0."""
        shown = self.text.removesuffix("\r")
        position = Position(self.source, self.number, at + 1, text=shown or None)
        return InputError(code, message, position=position, hint=hint)


def read(place: StatementLine, system: PushdownSystem) -> bool:
    """Takes a line in. Was it the initial configuration?"""
    line = _RuleLine(place)
    if line.over() or line.follows("#"):
        return False
    if line.follows("("):
        system.start(*line.initial())
        return True
    if _ATOMS.match(place.text, line.at):
        line.labels(system)
    else:
        line.rule(system)
    return False


def no_initial(source: str | None, lines: int) -> InputError:
    """The file says nowhere where to start."""
    return InputError(
        "P111",
        "the file has no initial configuration",
        position=Position(source=source, line=lines),
        hint="add a line such as (p <g>), with the control state and the stack to start with",
    )


def second_initial(place: StatementLine, first: int) -> InputError:
    """There can be one only."""
    message = f"a second initial configuration; the first is in line {first}"
    at = len(place.text) - len(place.text.lstrip())
    return place.error("P111", message, at, "leave one of them")


class _RuleLine:
    """A line and how far it is read."""

    def __init__(self, place: StatementLine) -> None:
        self.place = place
        self.text = place.text
        self.at = 0
        self._skip()

    def _skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()

    def over(self) -> bool:
        return self.at == len(self.text)

    def follows(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at)

    def take(self, sign: str, after: str) -> None:
        if not self.follows(sign):
            raise self._expected(f"{sign} after {after}")
        self.at += len(sign)
        self._skip()

    def name(self, what: str, pattern: re.Pattern[str] = _NAME) -> str:
        found = pattern.match(self.text, self.at)
        if found is None or found[0] == "-->":
            raise self._expected(what)
        self.at = found.end()
        self._skip()
        return found[0]

    def stack(self, after: str) -> Word:
        """Symbols in angle brackets."""
        self.take("<", after)
        symbols = []
        while not self.follows(">"):
            if self.over():
                raise self._expected("> after the stack")
            symbols.append(self.name("a symbol or >"))
        self.take(">", "the stack")
        return tuple(symbols)

    def initial(self) -> tuple[str, Word]:
        """`(p <g h>)`, or `(p g h)` as some files have it."""
        self.take("(", "nothing")
        state = self.name("a control state", _STATE)
        if self.follows("<"):
            stack = self.stack("the control state")
        else:
            symbols = []
            while not self.follows(")") and not self.over():
                symbols.append(self.name("a symbol or )", _STATE))
            stack = tuple(symbols)
        self.take(")", "the initial configuration")
        self._end()
        return state, stack

    def labels(self, system: PushdownSystem) -> None:
        """`ATOMS name a, b`, or `ATOMS p <g> a, b` for a control state and a symbol together."""
        self.name("ATOMS")
        name = self.name("a control state or a symbol after ATOMS")
        symbol = ""
        if self.follows("<"):
            start = self.at
            stack = self.stack("the control state")
            if len(stack) != 1:
                message = f"expected one symbol after the control state, not {len(stack)}"
                hint = "labels of a pair are ATOMS STATE <SYMBOL> LABEL, ..."
                raise self.place.error("P110", message, start, hint)
            symbol = stack[0]
        rest = self.text[self.at :]
        for sign in "<>":
            if sign in rest:
                self.at += rest.index(sign)
                raise self._expected("a label")
        labels = rest.replace(",", " ").split()
        if not labels:
            raise self._expected("a label")
        if symbol:
            system.label_head(name, symbol, labels)
        else:
            system.label(name, labels)

    def rule(self, system: PushdownSystem) -> None:
        if self.follows("<") or "<" not in self.text:
            raise self._expected("a control state", "a statement")
        state = self.name("a control state")
        before = self.at
        stack = self.stack("the control state")
        self.take("-->", "the left side")
        after = self.name("a control state after -->")
        word = self.stack("the control state")
        self._end()
        if len(stack) != 1:
            message = f"the left side of a rule has one symbol, not {len(stack)}"
            raise self.place.error("P110", message, before, _RULE)
        system.add(state, stack[0], after, word, self.place.number)

    def _end(self) -> None:
        if not self.over() and not self.follows("#"):
            raise self._expected("the end of the line")

    def _expected(self, what: str, instead: str = "") -> InputError:
        found = _NAME.match(self.text, self.at)
        got = f'"{printable(found[0], 40)}"' if found else f'"{self.text[self.at : self.at + 1]}"'
        if self.over():
            got = "the end of the line"
        at = min(self.at, len(self.text.rstrip()))
        return self.place.error(
            "P110", f"expected {instead or what}, found {got}", at, _STATEMENT if instead else _RULE
        )
