"""Which calls of code from outside are believed to raise: a table that rule files can extend.

Settings of a project can, too.

A row is `[[raises]]` with `calls`, `types` and `why`, or `[[never]]` with `calls` and `why`. A call
is a function such as `os.open`, or a method of any object such as `.bind`. A later row replaces
what an earlier one says about a call.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import InputError, did_you_mean, printable
from pigro.diagnostics.errors import Position
from pigro.rules.patterns import has_form
from pigro.rules.places import TomlFile

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = ("raises", "never")
"""The keys of a file that hold rows of the table."""
_KEYS = {"raises": ("calls", "types", "why"), "never": ("calls", "why")}
ANY = "*"


@dataclass(frozen=True, slots=True)
class RaisingEntry:
    """What is believed about a call. Without types: it does not fail."""

    types: tuple[str, ...]
    """The first one is the widest."""
    why: str


@dataclass(frozen=True, slots=True)
class RaisingTable:
    """The table."""

    functions: dict[str, RaisingEntry] = field(default_factory=dict)
    """By qualified name."""
    methods: dict[str, RaisingEntry] = field(default_factory=dict)
    """By the name of a method of any object."""

    def of(self, name: str | None, method: str) -> RaisingEntry | None:
        """About a call of a function from outside, or of a method. None if nothing is known."""
        found = self.functions.get(name) if name is not None else None
        return found or self.methods.get(method)

    def extended(self, file: TomlFile) -> RaisingTable:
        """With the rows of a file, in the table that is its home. Error P161."""
        made = RaisingTable(dict(self.functions), dict(self.methods))
        table = tomllib.loads(file.text)
        for each in file.home:
            table = table.get(each, {})
        for kind in KINDS:
            for call, belief in _rows(table.get(kind, []), kind, file):
                if call.startswith("."):
                    made.methods[call[1:]] = belief
                else:
                    made.functions[call] = belief
        return made


@cache
def built_in_beliefs() -> RaisingTable:
    """The table of the package."""
    text = Path(__file__).with_name("raising.toml").read_text("utf-8")
    return RaisingTable().extended(TomlFile("raising.toml", text, ()))


def _rows(rows: Any, kind: str, file: TomlFile) -> Iterator[tuple[str, RaisingEntry]]:
    if not isinstance(rows, list) or not all(isinstance(each, dict) for each in rows):
        raise _wrong(file, kind, "is not a list of tables", hint=f"write [[{kind}]]")
    for row in rows:
        for key in row:
            if key not in _KEYS[kind]:
                known = _KEYS[kind]
                hint = did_you_mean(key, known) or f"known are: {', '.join(known)}"
                raise _wrong(file, kind, f'has an unknown key "{printable(key)}"', key, hint)
        calls = _texts(row.get("calls"), kind, "calls", file)
        types = _texts(row.get("types"), kind, "types", file) if kind == "raises" else []
        why = row.get("why", "")
        if not isinstance(why, str):
            raise _wrong(file, kind, "has a why that is not a text", "why")
        for each in calls:
            if not has_form(each, ("function", "method")):
                message = f'has a call that never matches: "{printable(each)}"'
                hint = "calls are such as os.open, .bind"
                raise _wrong(file, kind, message, each, hint)
            yield each, RaisingEntry(tuple(types), why)


def _texts(value: Any, kind: str, key: str, file: TomlFile) -> list[str]:
    is_right = isinstance(value, list) and value and all(isinstance(each, str) for each in value)
    if not is_right:
        raise _wrong(file, kind, f"lacks {key}, a list of texts", hint=f'write {key} = ["..."]')
    found: list[str] = value
    return found


def _wrong(
    file: TomlFile, kind: str, message: str, part: str = "", hint: str | None = None
) -> InputError:
    lines = file.text.split("\n")
    found = [(at, line.find(part)) for at, line in enumerate(lines) if part and part in line]
    if found:
        [(at, column), *_] = found
        where = Position(
            source=file.name, line=at + 1, column=column + 1, text=lines[at], width=len(part)
        )
    else:
        where = file.position([kind])
    return InputError("P161", f"[[{kind}]] {message}", position=where, hint=hint)
