"""Formulas that come with a model's file: properties that it states, and use-def formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.cli.formulas import fitting
from pigro.diagnostics import Position, UsageError, did_you_mean, printable
from pigro.formats.use_def import REQUIREMENTS, UseDef, use_def

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.cli.formulas import Require
    from pigro.cli.sources import Source
    from pigro.formats import Requirement
    from pigro.logic import Formula
    from pigro.model import RSM

ALL = "all"


def requirements(source: Source, model: RSM, require: Require) -> list[Requirement]:
    """What the file itself asks; nothing if its format has no such thing."""
    if source.document is not None:
        found: list[Requirement] = source.document.requirements(model)
    else:
        find = source.format.offer("requirements")
        found = [] if find is None else find(source.data, source=source.name)
    for each in found:
        fitting(each.formula, Position(source=source.name, line=each.line), require)
    return found


def use_def_formulas(source: Source, model: RSM, names: Sequence[str]) -> list[Formula]:
    """The formulas of these variables, or of all; `UsageError` P008 for one that is not there."""
    known = variables(source, model)
    found: list[Formula] = []
    for name in names:
        if name in known:
            found.append(_formula(known[name]))
        elif name == ALL:
            found += map(_formula, known.values())
        else:
            raise _no_variable(name, known)
    return found


def named_requirements(model: RSM, asked: Sequence[str]) -> list[Formula]:
    """The formulas for `NAME[:VARIABLE]`, of all variables for `all` or none.

    `UsageError` P008 for a variable that is not there, P016 for a name that is none.
    """
    known = {each.variable: each for each in use_def(model)}
    if not known:
        raise _no_variables()
    found: list[Formula] = []
    for each in asked:
        name, _, variable = each.partition(":")
        if name not in REQUIREMENTS:
            hint = did_you_mean(name, REQUIREMENTS) or f"choose one of: {', '.join(REQUIREMENTS)}"
            raise UsageError("P016", f'there is no requirement "{printable(name)}"', hint=hint)
        if variable in known:
            found.append(known[variable].requirement(name))
        elif variable in ("", ALL):
            found += (use.requirement(name) for use in known.values())
        else:
            raise _no_variable(variable, known)
    return found


def _no_variable(name: str, known: Iterable[str]) -> UsageError:
    hint = did_you_mean(name, known) or "--list-variables lists them"
    return UsageError("P008", f'the model has no variable "{printable(name)}"', hint=hint)


def _no_variables() -> UsageError:
    hint = "they are known by labels def_V, use_V and usedef_V of nodes"
    return UsageError("P008", "the model has no variables", hint=hint)


def variables(source: Source, model: RSM) -> dict[str, Formula | UseDef]:
    """The variables that the file's format knows, or else those that labels speak of."""
    find = source.format.offer("use_def")
    found: dict[str, Formula | UseDef]
    if find is not None:
        found = dict(find(source.data, source=source.name))
    else:
        found = {each.variable: each for each in use_def(model)}
    if not found:
        raise _no_variables()
    return found


def variables_text(source: Source) -> str:
    """The variables, a line each."""
    found = variables(source, source.model())
    return "".join(f"{printable(name, len(name))}\n" for name in found)


def _formula(variable: Formula | UseDef) -> Formula:
    """A model can have thousands of variables: their formulas are made when asked for."""
    return variable.formula if isinstance(variable, UseDef) else variable
