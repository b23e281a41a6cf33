"""Lists of errors, engines and formats."""

from __future__ import annotations

from importlib import import_module
from itertools import chain

from pigro.diagnostics import CATALOGUE
from pigro.engines.table import OWN, PACKAGES, Capabilities, ModelClass
from pigro.formats import registry
from pigro.logic.operators import Fragment
from pigro.model.kinds import SubjectKind

_GROUPS = {
    "P0": "Usage and files (`UsageError`)",
    "P1": "File formats (`InputError`)",
    "P2": "Models (`ModelError`)",
    "P3": "Formulas (`FormulaError`)",
    "P4": "Checking (`CheckError`)",
    "P5": "Certificates (`InputError`)",
    "P9": "Pigro itself (`InternalError`)",
}
_LOGICS = {
    Fragment.CTL: "CTL",
    Fragment.CTL_STAR: r"LTL, CTL\*",
    Fragment.MU: "mu-calculus",
}
_SHAPES = {
    ModelClass.ANY: "all",
    ModelClass.ONE_EXIT: "one entry and exit",
    ModelClass.NO_RECURSION: "without recursion, or to a depth",
}


def table(*rows: tuple[str, ...]) -> str:
    """A table in Markdown. The first row is the head."""
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *others])


def errors() -> str:
    """A list of definitions for each group of codes."""
    groups = {prefix: [f"## {title}\n"] for prefix, title in _GROUPS.items()}
    for each in CATALOGUE.values():
        groups[each.code[:2]].append(f"`{each.code}` {each.title}\n: {each.meaning}\n")
    return "\n".join(chain.from_iterable(groups.values()))


def engines() -> str:
    """What Pigro's own engines for models take."""
    rows = [
        (f"`{row.name}`", _logics(row), _SHAPES[row.shape], _yes(row.proves), _options(row))
        for row in (*OWN, *chain.from_iterable(import_module(name).ENGINES for name in PACKAGES))
        if SubjectKind.MODEL in row.subjects and row.name != "auto"
    ]
    return table(("engine", "logics", "models", "proves", "options of its own"), *rows)


def _logics(row: Capabilities) -> str:
    return ", ".join(title for logic, title in _LOGICS.items() if logic in row.logics)


def _options(row: Capabilities) -> str:
    usual = {"witness", "dead_ends"}
    return ", ".join(f"`{name}`" for name in row.options if name not in usual)


def formats() -> str:
    """The built-in formats, and what Pigro does with each."""
    rows = [
        (
            f"`{each.name}`",
            each.description,
            _yes(each.offer("read") is not None),
            _yes(each.offer("write") is not None),
            _yes(any(each.offer(name) is not None for name in ("requirements", "Document"))),
            _yes(each.says_reading),
        )
        for each in registry.formats()
        if each.origin == registry.OWN
    ]
    return table(
        ("format", "what it is", "read", "written", "states formulas", "says its reading"), *rows
    )


def _yes(fact: bool) -> str:
    return "yes" if fact else ""
