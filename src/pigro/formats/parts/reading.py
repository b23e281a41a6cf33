"""`.parts` files: text to parts, a line at a time.

Files may have 10^6 lines, nearly all of them states and steps with plain names. Those two regular
expressions take in. Everything else, and everything wrong, is read with care by `line.py`.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, InputError, ModelError, Position, printable
from pigro.formats.files import read_bytes
from pigro.formats.parts.draft import PartDraft, no_state
from pigro.formats.parts.file import PartsFile
from pigro.formats.parts.line import (
    KEYWORDS,
    CheckLine,
    LinePlace,
    ModuleLine,
    NameList,
    StateLine,
    StepLine,
    statement,
)
from pigro.formats.registry import Requirement
from pigro.formats.text import decode
from pigro.limits import no_poll
from pigro.logic import parse as parse_formula

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.formats.parts.line import PlacedName, Statement
    from pigro.limits import Poll
    from pigro.model.lazy.part import GivenPart

_WORD = r"[A-Za-z_][\w.$@#]*+(?<!\.)"
_STATE = re.compile(
    rf"[ \t]*+state[ \t]++({_WORD})[ \t]*+\{{([^\"#{{}}]*+)\}}[ \t]*+(initial)?[ \t\r\n]*+",
    re.ASCII,
)
_STEP = re.compile(
    rf"[ \t]*+(?!(?:{'|'.join(KEYWORDS)})\b)({_WORD})[ \t]*+([-~](?:{_WORD}[-~])?+>)"
    rf" *+({_WORD}(?:, *+{_WORD})*+)[ \t\r\n]*+",
    re.ASCII,
)


def read_parts(path: str | os.PathLike[str]) -> PartsFile:
    """The parts of a file, and what it says about them. `InputError` with place and hint."""
    return parse(read_bytes(path), source=os.fspath(path))


def parse(data: bytes, *, source: str | None = None, poll: Poll = no_poll) -> PartsFile:
    """The parts in the bytes of a file."""
    text = decode(data, source)
    reader = _PartsReader(text, source, poll)
    for number, line in enumerate(StringIO(text, newline="\n"), 1):
        poll()
        draft = reader.draft
        if draft is None or not _read_known(draft, line, number):
            reader.take(line, number)
    return reader.finish()


class _PartsReader:
    """A file and how far it is read."""

    def __init__(self, text: str, source: str | None, poll: Poll) -> None:
        self.text = text
        self.poll = poll
        self.source = source
        self.draft: PartDraft | None = None
        self.parts: dict[str, GivenPart] = {}
        self.compose: tuple[str, ...] | None = None
        self.compose_at: Position | None = None
        self.formulas: list[Requirement] = []
        self.types: dict[str, Mapping[str, tuple[str, ...]]] = {}
        """Of parts from modules: the values of their variables."""

    def take(self, line: str, number: int) -> None:
        """A line, with care. What it has may be known from now on."""
        place = LinePlace(line.removesuffix("\n"), self.source, number)
        found = statement(place)
        if found is None:
            return
        self._add(found, place)
        draft = self.draft
        if isinstance(found, StateLine) and draft is not None:
            state = _STATE.fullmatch(line)
            if state is not None:
                draft.known_rows[state[2]] = draft.rows[-1]
        elif isinstance(found, StepLine) and draft is not None:
            step = _STEP.fullmatch(line)
            if step is not None:
                draft.known_arrows[step[2]] = draft.kinds[-1]

    def _add(self, found: Statement, place: LinePlace) -> None:
        if isinstance(found, CheckLine):
            self._check(found, place)
        elif isinstance(found, NameList) and found.keyword == "compose":
            self._compose(found, place)
        elif isinstance(found, NameList) and found.keyword == "part":
            self._part(found.names[0], place)
        elif isinstance(found, ModuleLine):
            self._from(found, place)
        elif self.draft is None:
            at = len(place.text) - len(place.text.lstrip())
            message = "this belongs to a part, and none has begun"
            raise place.error("P131", message, at, "begin a part with the line: part NAME")
        elif isinstance(found, NameList):
            self.draft.listed(found, place)
        elif isinstance(found, StateLine):
            self.draft.state(found, place)
        else:
            self.draft.step(found, place)

    def _part(self, name: PlacedName, place: LinePlace) -> None:
        self._begin(name, place)
        self.draft = PartDraft(name, place)

    def _begin(self, name: PlacedName, place: LinePlace) -> None:
        self._close()
        if name.text in self.parts:
            raise place.error_at("P132", f'a second part "{printable(name.text)}"', name)

    def _from(self, found: ModuleLine, place: LinePlace) -> None:
        """A module of another file."""
        from pigro.formats.parts.modules import module_part

        self._begin(found.name, place)
        part, types = module_part(found, place, self.poll)
        self.parts[part.name], self.types[part.name] = part, types

    def _compose(self, found: NameList, place: LinePlace) -> None:
        at = place.text.find("compose")
        if self.compose_at is not None:
            message = f"a second compose; the first is in line {self.compose_at.line}"
            raise place.error("P131", message, at, "leave one of them", width=len("compose"))
        names = [name.text for name in found.names]
        for number, name in enumerate(found.names):
            if name.text in names[:number]:
                message = f'part "{printable(name.text)}" is composed twice'
                raise place.error_at("P132", message, name)
        self.compose, self.compose_at = tuple(names), place.position(at, len("compose"))

    def _check(self, found: CheckLine, place: LinePlace) -> None:
        """The formula, with errors at their place in the line."""
        text = place.text[found.begin : found.end]
        try:
            formula = parse_formula(" " * found.begin + text, source=self.source, line=place.number)
        except FormulaError as error:
            shown = place.text.rstrip("\r")
            if error.position is not None:
                error.position = replace(error.position, text=shown)
            raise
        self.formulas.append(Requirement(text.strip(), formula, None, place.number))

    def _close(self) -> None:
        """The part that was being read is complete."""
        draft = self.draft
        if draft is None:
            return
        missing = draft.undeclared()
        if missing is not None:
            raise self._no_state(draft, *missing)
        try:
            self.parts[draft.name.text] = draft.finish()
        except ModelError as error:  # too large
            error.position = draft.place.position(draft.name.at)
            raise
        self.draft = None

    def _no_state(self, draft: PartDraft, state: str, number: int) -> InputError:
        lines = StringIO(self.text, newline="\n")
        line = next(line for at, line in enumerate(lines, 1) if at == number)
        place = LinePlace(line.removesuffix("\n"), self.source, number)
        step = statement(place)
        assert isinstance(step, StepLine)
        named = next(name for name in step.names if name.text == state)
        return no_state(draft, named, place)

    def finish(self) -> PartsFile:
        """All that the file holds."""
        self._close()
        if not self.parts:
            raise InputError(
                "P134",
                "the file has no part",
                position=Position(source=self.source, line=1),
                hint="begin a part with the line: part NAME",
            )
        return PartsFile(
            parts=tuple(self.parts.values()),
            compose=self.compose,
            formulas=tuple(self.formulas),
            source=self.source,
            compose_at=self.compose_at,
            types=self.types,
        )


def _read_known(draft: PartDraft, line: str, number: int) -> bool:
    """A state or step like one before. False: read it with care."""
    found = _STEP.fullmatch(line)
    if found is None:
        found = _STATE.fullmatch(line)
        if found is None:
            return False
        name, inner, initial = found.groups()
        row = draft.known_rows.get(inner)
        return row is not None and draft.declare(name, row, number, is_initial=initial is not None)
    name, arrow, targets = found.groups()
    kind = draft.known_arrows.get(arrow)
    if kind is None:
        return False
    ids = draft.ids
    source = ids.get(name)
    if source is None:
        source = draft.number(name, number)
    for each in targets.replace(" ", "").split(",") if "," in targets else (targets,):
        target = ids.get(each)
        draft.targets.append(draft.number(each, number) if target is None else target)
        draft.sources.append(source)
        draft.kinds.append(kind)
    return True
