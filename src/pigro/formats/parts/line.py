"""One line of a `.parts` file, read with care: what it says, and where it goes wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from pigro.diagnostics import InputError, Position, did_you_mean, printable
from pigro.logic.lexer import bare_length, unquote

KEYWORDS = ("part", "labels", "actions", "state", "compose", "check")
_INITIAL = "initial"
_BLANK = re.compile(r"[ \t\r]*+(?:#.*+)?")
_WORD = re.compile(r"[^\W\d][\w.$@#]*+")
_QUOTED = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+["\\]?')
_TOKEN = re.compile(rf"{_WORD.pattern}|{_QUOTED.pattern}|~>|->|[^\s\w]|\w+|\S")
_STATEMENTS = f"lines begin with {', '.join(KEYWORDS)}, or are steps: a -> b"


class PlacedName(NamedTuple):
    """A name and where it stands, counted from 0."""

    text: str
    at: int


class LabelEntry(NamedTuple):
    """A label of a state."""

    name: PlacedName
    is_unknown: bool


class NameList(NamedTuple):
    """`part`, `labels`, `actions` or `compose` with names."""

    keyword: str
    names: list[PlacedName]


class ModuleLine(NamedTuple):
    """`part meter from "meter.smv" by "x < 3", "mode = idle"`."""

    name: PlacedName
    file: PlacedName
    predicates: list[PlacedName]


class StateLine(NamedTuple):
    """`state a { p, q? } initial`."""

    name: PlacedName
    labels: list[LabelEntry]
    is_initial: bool


class StepLine(NamedTuple):
    """`a -send-> b, c | d`."""

    source: PlacedName
    is_must: bool
    action: PlacedName | None
    targets: list[list[PlacedName]]
    """In each place, a state, or several of which the step leads to one."""

    @property
    def names(self) -> list[PlacedName]:
        """All states that it names."""
        return [self.source, *(name for group in self.targets for name in group)]


class CheckLine(NamedTuple):
    """`check FORMULA`: from where to where."""

    begin: int
    end: int


Statement = NameList | ModuleLine | StateLine | StepLine | CheckLine


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A line of a file."""

    text: str
    source: str | None
    number: int

    def position(self, at: int, width: int = 1) -> Position:
        """A column, counted from 0."""
        return Position(self.source, self.number, at + 1, None, self.text.rstrip("\r"), width)

    def error(
        self, code: str, message: str, at: int, hint: str | None = None, *, width: int = 1
    ) -> InputError:
        """An error at a column."""
        return InputError(code, message, position=self.position(at, width), hint=hint)

    def error_at(
        self, code: str, message: str, name: PlacedName, hint: str | None = None
    ) -> InputError:
        """An error at a name, as it is written there."""
        found = _TOKEN.match(self.text, name.at)
        width = len(found[0]) if found is not None else 1
        return self.error(code, message, name.at, hint, width=width)


def statement(place: LinePlace) -> Statement | None:
    """What a line says. None if it is empty. `InputError` P130 where it can't be read."""
    line = _LineReader(place)
    if line.is_over():
        return None
    start = line.at
    found = _WORD.match(place.text, start)
    keyword = found[0] if found is not None else None
    if keyword not in KEYWORDS:
        return line.step()
    line.at = start + len(keyword)
    if keyword == "check":
        return line.check()
    line.skip()
    if place.text.startswith(("-", "~"), line.at):
        hint = f'to name a state by a word of the language, quote it: "{keyword}"'
        raise line.expected(_LISTED[keyword], hint)
    if keyword == "state":
        return line.state()
    if line.is_over() and keyword in _MAYBE_NONE:
        return NameList(keyword, [])
    return line.part() if keyword == "part" else line.listed(keyword)


_LISTED = {
    "part": "the name of the part",
    "labels": "a label",
    "actions": "an action",
    "compose": "the name of a part",
    "state": "the name of the state",
}
_MAYBE_NONE = ("labels", "actions")


class _LineReader:
    """A line and how far it is read."""

    def __init__(self, place: LinePlace) -> None:
        self.place = place
        self.text = place.text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        """Over blanks and a comment."""
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()

    def is_over(self) -> bool:
        return self.at >= len(self.text)

    def takes(self, sign: str) -> bool:
        """Whether the sign follows. If so it is behind us now."""
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        self.skip()
        return True

    def takes_word(self, word: str) -> bool:
        """The same for a word."""
        found = _WORD.match(self.text, self.at)
        return found is not None and found[0] == word and self.takes(word)

    def listed(self, keyword: str) -> NameList:
        names = self.names(_LISTED[keyword])
        self.end(",", _LISTED[keyword])
        return NameList(keyword, names)

    def part(self) -> NameList | ModuleLine:
        names = self.names(_LISTED["part"])
        if len(names) > 1:
            raise self.place.error("P130", "a part has one name", names[1].at)
        if self.takes_word("from"):
            return self.module(names[0])
        self.end("", _LISTED["part"])
        return NameList("part", names)

    def module(self, name: PlacedName) -> ModuleLine:
        """The file that a part is in, and the predicates by which it is abstracted."""
        file = self.name("a file")
        predicates = self.names("a condition in quotes") if self.takes_word("by") else []
        self.end("," if predicates else "by", "the file" if not predicates else "a condition")
        return ModuleLine(name, file, predicates)

    def name(self, what: str, *, hint: str | None = None) -> PlacedName:
        """A word or a quoted name."""
        start = self.at
        found = _WORD.match(self.text, start)
        if found is not None:
            word = found[0]
            length = bare_length(word)
            if length < len(word):
                verb = "hold" if word[length:].strip(".") else "end in"
                message = f'a name can\'t {verb} "{printable(word[length])}" unless it is quoted'
                raise self.place.error("P130", message, start + length)
            self.at = found.end()
            self.skip()
            return PlacedName(word, start)
        found = _QUOTED.match(self.text, start)
        if found is None:
            raise self.expected(what, hint or self._quote_it())
        text = unquote(found[0])
        if text is None:
            message = "a quoted name is not closed, or has a wrong escape"
            hint = 'inside of quotes, write \\" for " and \\\\ for \\'
            raise self.place.error("P130", message, start, hint)
        self.at = found.end()
        self.skip()
        return PlacedName(text, start)

    def _quote_it(self) -> str | None:
        if not self.is_over() and self.text[self.at].isalnum():
            return 'names are words, or anything in quotes: "1"'
        return None

    def names(self, what: str) -> list[PlacedName]:
        names = [self.name(what)]
        while self.takes(","):
            names.append(self.name(what))
        return names

    def end(self, sign: str, after: str) -> None:
        """Nothing follows."""
        if self.is_over():
            return
        before = self.text[: self.at].rstrip()
        hint = "a comment has a blank before its #" if before.endswith("#") else None
        what = f'"{sign}" or the end of the line' if sign else "the end of the line"
        raise self.expected(f"{what} after {after}", hint)

    def expected(self, what: str, hint: str | None = None) -> InputError:
        found = _TOKEN.match(self.text, self.at)
        shown = f'"{printable(found[0], 60)}"' if found is not None else "the end of the line"
        if found is None and not self.is_over():
            shown = f'"{printable(self.text[self.at])}"'
        width = len(found[0]) if found is not None else 1
        at = self.at if found is not None or not self.is_over() else len(self._code())
        message = f"expected {what}, found {shown}"
        return self.place.error("P130", message, at, hint, width=width)

    def _code(self) -> str:
        """The line without its comment."""
        return self.text[: comment_of(self.text, 0)].rstrip()

    def state(self) -> StateLine:
        name = self.name("the name of the state")
        labels: list[LabelEntry] = []
        has_labels = self.takes("{")
        if has_labels and not self.takes("}"):
            labels.append(self.label())
            while self.takes(","):
                labels.append(self.label())
            if not self.takes("}"):
                raise self.expected('"," or "}" after a label')
        is_initial = False
        found = _WORD.match(self.text, self.at)
        if found is not None and found[0] == _INITIAL:
            is_initial = True
            self.at = found.end()
            self.skip()
        if not self.is_over() and not is_initial:
            what = _INITIAL if has_labels else "{ or initial"
            raise self.expected(f"{what} or the end of the line", self._misspelt())
        self.end("", _INITIAL)
        return StateLine(name, labels, is_initial)

    def label(self) -> LabelEntry:
        name = self.name("a label or }")
        return LabelEntry(name, self.takes("?"))

    def _misspelt(self) -> str | None:
        found = _WORD.match(self.text, self.at)
        return did_you_mean(found[0], [_INITIAL]) if found is not None else None

    def step(self) -> StepLine:
        source = self.name("a statement", hint=_STATEMENTS)
        for plain in ("->", "~>"):
            if self.takes(plain):
                return self._targets(source, plain == "->", None)
        is_must = self.text.startswith("-", self.at)
        if not is_must and not self.text.startswith("~", self.at):
            hint = did_you_mean(source.text, KEYWORDS) or _STATEMENTS
            raise self.expected("-> or ~> after the name of a state", hint)
        self.takes("-" if is_must else "~")
        arrow = "->" if is_must else "~>"
        sign = arrow[0]
        action = self.name("an action", hint=f"steps are a {arrow} b, or a {sign}action{arrow} b")
        if not self.takes(arrow):
            raise self.expected(f"{arrow} after the action")
        return self._targets(source, is_must, action)

    def _targets(self, source: PlacedName, is_must: bool, action: PlacedName | None) -> StepLine:
        targets = [self._one_of(is_must)]
        while self.takes(","):
            targets.append(self._one_of(is_must))
        self.end(",", "a state")
        return StepLine(source, is_must, action, targets)

    def _one_of(self, is_must: bool) -> list[PlacedName]:
        """A state, or several with `|` between them."""
        group = [self.name("a state")]
        while self.text.startswith("|", self.at):
            if not is_must:
                message = "a step to one of several states must be there"
                hint = "write -> for a step that must be there, or commas: ~> a, b"
                raise self.place.error("P130", message, self.at, hint)
            self.takes("|")
            group.append(self.name("a state"))
            if group[-1].text in [each.text for each in group[:-1]]:
                message = f'state "{printable(group[-1].text)}" is named twice in one step'
                raise self.place.error_at("P132", message, group[-1])
        return group

    def check(self) -> CheckLine:
        """All but a comment."""
        return CheckLine(self.at, comment_of(self.text, self.at))


def comment_of(text: str, at: int) -> int:
    """Where the comment begins, or the end: a `#` that is in no word and in no quotes."""
    if text.find("#", at) < 0:
        return len(text)
    for match in _TOKEN.finditer(text, at):
        if match[0] == "#":
            return match.start()
    return len(text)
