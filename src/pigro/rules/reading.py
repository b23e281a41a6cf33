"""Rules from TOML: those of the package, and those of users.

A file has a table `[rule.ID]` for each rule. Wrong files are errors P160 and P161 that say where.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from pigro.diagnostics import InputError, PigroError, did_you_mean, printable
from pigro.diagnostics.errors import Position
from pigro.rules.rule import SEVERITIES, Rule
from pigro.rules.templates import TEMPLATES

_TEXTS = ("template", "severity", "message", "help")


@cache
def built_in() -> dict[str, Rule]:
    """The rules of the package, by id."""
    text = resources.files("pigro.rules").joinpath("builtin.toml").read_text("utf-8")
    return read_rules(text, "builtin.toml")


def read_rules(text: str, file: str, *, default: bool = False) -> dict[str, Rule]:
    """The rules of a TOML file, by id. `default` says whether they are on if they do not say."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError("P160", str(error), position=Position(source=file)) from None
    except RecursionError:
        message = "the file is nested too deeply"
        raise InputError("P160", message, position=Position(source=file)) from None
    rules = table.pop("rule", {})
    if table:
        raise _wrong(file, f'"{printable(next(iter(table)))}" is not a rule', "write [rule.ID]")
    return table_rules(rules, file, default=default)


def table_rules(rules: Any, file: str, *, default: bool) -> dict[str, Rule]:
    """The rules of a table, by id."""
    if not isinstance(rules, dict):
        raise _wrong(file, "rule is not a table", "write [rule.ID]")
    return {name: _rule(name, row, file, default=default) for name, row in rules.items()}


def _rule(name: str, row: Any, file: str, *, default: bool) -> Rule:
    where = f"rule {printable(name)}"
    if not isinstance(row, dict):
        raise _wrong(file, f"{where} is not a table", "write [rule.ID]")
    row = dict(row)
    said = _said(row, where, file)
    template = TEMPLATES.get(said.get("template", ""))
    if template is None:
        hint = (
            did_you_mean(said.get("template", ""), TEMPLATES) or f"one of: {', '.join(TEMPLATES)}"
        )
        raise _wrong(file, f"{where} has no known template", hint)
    if said.get("severity", "warning") not in SEVERITIES:
        raise _wrong(file, f"{where} has an unknown severity", f"one of: {', '.join(SEVERITIES)}")
    is_on = row.pop("default", default)
    on = _texts(row.pop("on", ["return"]), f"{where}: on", file)
    events, settings = {}, {}
    for key, value in row.items():
        if key in template.events:
            events[key] = _texts(value, f"{where}: {key}", file)
        elif key in template.settings:
            settings[key] = value
        else:
            known = (*template.events, *template.settings, *_TEXTS, "on", "default")
            raise _wrong(file, f'{where} has an unknown key "{printable(key)}"',
                         did_you_mean(key, known) or f"known are: {', '.join(known)}")  # fmt: skip
    for key in template.needs:
        if key not in events and key not in settings:
            raise _wrong(file, f"{where} lacks {key}", f"the template {said['template']} needs it")
    if template.name == "formula":
        _check_formula(settings, where, file)
    return Rule(name, default=bool(is_on), on=on, events=events, settings=settings, **said)


def _check_formula(settings: dict[str, Any], where: str, file: str) -> None:
    """The formula must be one of CTL, and its labels lists of patterns."""
    from pigro.logic import parse  # noqa: PLC0415 - few rules have one

    formula, events = settings["formula"], settings["events"]
    if not isinstance(formula, str):
        raise _wrong(file, f"{where}: formula is not a text")
    if not isinstance(events, dict):
        raise _wrong(file, f"{where}: events is not a table", "write [rule.ID.events]")
    for label, patterns in events.items():
        _texts(patterns, f"{where}: {printable(label)}", file)
    try:
        is_ctl = parse(formula).is_ctl
    except PigroError as error:
        raise _wrong(file, f"{where}: formula: {error.message}", error.hint) from None
    if not is_ctl:
        raise _wrong(file, f"{where}: formula is not one of CTL", "put A or E before each operator")


def _said(row: dict[str, Any], where: str, file: str) -> dict[str, Any]:
    """Takes the keys out of a rule that are texts."""
    said = {key: row.pop(key) for key in _TEXTS if key in row}
    for key, value in said.items():
        if not isinstance(value, str):
            raise _wrong(file, f"{where}: {key} is not a text")
    return said


def _texts(value: object, what: str, file: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _wrong(file, f"{what} is not a list of texts")
    return tuple(value)


def _wrong(file: str, message: str, hint: str | None = None) -> InputError:
    return InputError("P161", message, position=Position(source=file), hint=hint)
