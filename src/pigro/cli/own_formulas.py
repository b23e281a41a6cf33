"""Formulas that come with a model's file: properties that it states, and use-def formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.cli.sources import STDIN, read_content
from pigro.diagnostics import PigroError, Position, UsageError, did_you_mean, printable
from pigro.formats import choose_format
from pigro.formats.registry import formats

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.cli.sources import Source
    from pigro.formats import Format, Requirement
    from pigro.logic import Formula
    from pigro.model import RSM

ALL = "all"


def requirements(source: Source, model: RSM) -> list[Requirement]:
    """What the file itself asks; nothing if its format has no such thing."""
    if source.document is not None:
        found: list[Requirement] = source.document.requirements(model)
    else:
        find = source.format.offer("requirements")
        found = [] if find is None else find(source.data, source=source.name)
    for each in found:
        try:
            each.formula.require_ctl()
        except PigroError as error:
            error.position = Position(source=source.name, line=each.line)
            raise
    return found


def use_def_formulas(source: Source, names: Sequence[str]) -> list[Formula]:
    """The formulas of these variables, or of all; `UsageError` P008 for one that is not there."""
    known = dict(_variables(source.format, source.data, source.name))
    found: list[Formula] = []
    for name in names:
        if name in known:
            found.append(known[name])
        elif name == ALL:
            found += known.values()
        else:
            raise UsageError(
                "P008",
                f'the model has no variable "{printable(name)}"',
                hint=did_you_mean(name, known) or "--list-variables lists them",
            )
    return found


def variables_text(path: str, format_name: str | None) -> str:
    """The variables of a file, a line each."""
    data, name = read_content(path)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    variables = _variables(kind, data, name)
    return "".join(f"{printable(each, len(each))}\n" for each, _ in variables)


def _variables(kind: Format, data: bytes, name: str) -> list[tuple[str, Formula]]:
    find = kind.offer("use_def")
    if find is None:
        able = [each.name for each in formats() if each.offer("use_def") is not None]
        raise UsageError(
            "P008",
            f"files of format {kind.name} have no use-def variables",
            hint=f"formats that have: {', '.join(able)}" if able else None,
        )
    found: list[tuple[str, Formula]] = find(data, source=name)
    return found
