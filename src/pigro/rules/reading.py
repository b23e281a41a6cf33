"""Rules from TOML: those of the package, and those of users.

A file has a table `[rule.ID]` for each rule. It may also say which calls raise: see
`pigro.rules.raising`. Wrong files are errors P160 and P161 that say where. A
rule that could never report anything is wrong too.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import InputError, did_you_mean, printable
from pigro.diagnostics.errors import Position
from pigro.rules.checking import check_rule
from pigro.rules.places import TomlFile, toml_error
from pigro.rules.raising import KINDS
from pigro.rules.rule import HARMS, SEVERITIES, Rule
from pigro.rules.templates import CHOICES, TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.rules.templates import RuleTemplate

_TEXTS = ("template", "severity", "message", "help", "harm")


@cache
def built_in() -> dict[str, Rule]:
    """The rules of the package, by id."""
    text = Path(__file__).with_name("builtin.toml").read_text("utf-8")
    return read_rules(text, "builtin.toml")


def read_rules(text: str, file: str, *, default: bool = False) -> dict[str, Rule]:
    """The rules of a TOML file, by id. `default` says whether they are on if they do not say."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise toml_error(error, text, file) from None
    except RecursionError:
        message = "the file is nested too deeply"
        raise InputError("P160", message, position=Position(source=file)) from None
    rules = table.pop("rule", {})
    others = [each for each in table if each not in KINDS]
    if others:
        [name, *_] = others
        where = TomlFile(file, text, ()).position([name])
        message = f'"{printable(name)}" is not a rule'
        raise InputError("P161", message, position=where, hint="write [rule.ID]")
    return table_rules(rules, TomlFile(file, text), default=default)


def table_rules(rules: Any, file: TomlFile, *, default: bool) -> dict[str, Rule]:
    """The rules of a table, by id."""
    if not isinstance(rules, dict):
        where = file.position([])
        raise InputError("P161", "rule is not a table", position=where, hint="write [rule.ID]")
    return {name: _RuleReader(file, name).rule(row, default=default) for name, row in rules.items()}


@dataclass(frozen=True, slots=True)
class _RuleReader:
    """Reads one rule."""

    file: TomlFile
    name: str

    def rule(self, row: Any, *, default: bool) -> Rule:
        if not isinstance(row, dict):
            raise self.wrong("is not a table", (), hint="write [rule.ID]")
        row = dict(row)
        said = {key: self._text(row.pop(key), key) for key in _TEXTS if key in row}
        template = self._template(said)
        if "harm" in said:
            self._chosen("harm", [said["harm"]])
            said.setdefault("severity", HARMS[said["harm"]])
        is_on = row.pop("default", default)
        if type(is_on) is not bool:
            raise self.wrong("has a default that is neither true nor false", ("default",))
        on = self._texts(row.pop("on", ["return"]), "on")
        self._chosen("on", on)
        events, settings = self._keys(row, template)
        for label, patterns in self._labels(settings.get("events", {})).items():
            self._texts(patterns, "events", label)
        made = Rule(self.name, default=is_on, on=on, events=events, settings=settings, **said)
        check_rule(made, self.wrong)
        return made

    def _template(self, said: dict[str, str]) -> RuleTemplate:
        template = TEMPLATES.get(said.get("template", ""))
        if template is None:
            hint = did_you_mean(said.get("template", ""), TEMPLATES)
            hint = hint or f"one of: {', '.join(TEMPLATES)}"
            path = ("template",) if "template" in said else ()
            raise self.wrong("has no known template", path, hint=hint)
        if said.get("severity", "warning") not in SEVERITIES:
            hint = f"one of: {', '.join(SEVERITIES)}"
            raise self.wrong("has an unknown severity", ("severity",), hint=hint)
        return template

    def _keys(
        self, row: dict[str, Any], template: RuleTemplate
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The events and the other settings of a rule."""
        events: dict[str, Any] = {}
        settings: dict[str, Any] = {}
        for key, value in row.items():
            if key in template.events:
                events[key] = self._texts(value, key)
            elif key in template.settings:
                settings[key] = value
                if key in CHOICES:
                    self._chosen(key, [self._text(value, key)])
            else:
                known = (*template.events, *template.settings, *_TEXTS, "on", "default")
                hint = did_you_mean(key, known) or f"known are: {', '.join(known)}"
                raise self.wrong(f'has an unknown key "{printable(key)}"', (key,), hint=hint)
        for key in template.needs:
            if key not in events and key not in settings:
                hint = f"the template {template.name} needs it"
                raise self.wrong(f"lacks {key}", (), hint=hint)
        return events, settings

    def wrong(
        self,
        message: str,
        path: Iterable[str],
        part: str = "",
        at: int = 0,
        hint: str | None = None,
    ) -> InputError:
        """The error about a key of the rule, or about a part of its value."""
        where = self.file.position([self.name, *path], part, at)
        message = f"rule {printable(self.name)} {message}"
        return InputError("P161", message, position=where, hint=hint)

    def _chosen(self, key: str, values: Iterable[str]) -> None:
        for each in values:
            if each not in CHOICES[key]:
                hint = did_you_mean(each, CHOICES[key]) or f"one of: {', '.join(CHOICES[key])}"
                raise self.wrong(
                    f'has an unknown {key} "{printable(each)}"', (key,), each, hint=hint
                )

    def _labels(self, events: object) -> dict[str, object]:
        if not isinstance(events, dict):
            raise self.wrong("has events that are not a table", ("events",),
                             hint="write [rule.ID.events]")  # fmt: skip
        return events

    def _text(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self.wrong(f"has a {key} that is not a text", (key,))
        return value

    def _texts(self, value: object, *path: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(f"has {printable(path[-1])} that is not a list of texts", path)
        return tuple(value)
