"""Formulas as they were written, where a model's file gives them a longer meaning.

A file may say that formulas are about some of the paths only: fair ones, or endless ones. The
formula that is checked says so in CTL* (`formats/smv/fairness.py`), and remembers the formula that
was written. People are shown the latter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.printer import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.logic.syntax import Formula

WRITTEN = "written"
"""Where a formula keeps it."""


NO_PATH = -1
"""Stands for the part that says that no path counts."""


class Written(NamedTuple):
    """What a formula stands for."""

    formula: Formula
    paths: str
    """The paths that it is about: `fair` or `endless`."""
    parts: Mapping[int, int]
    """From subformulas of the one that is checked to those that were written."""


def remember(formula: Formula, written: Written) -> Formula:
    """The formula, which remembers what was written."""
    formula.kept[WRITTEN] = written
    return formula


def written_of(formula: Formula) -> Written | None:
    """What was written; None if that is the formula itself."""
    found = formula.kept.get(WRITTEN)
    return found if isinstance(found, Written) else None


def as_written(formula: Formula) -> Formula:
    """The formula that was written."""
    found = written_of(formula)
    return formula if found is None else found.formula


def paths_of(formula: Formula) -> str | None:
    """The paths that a formula is about, `fair` or `endless`; None: all."""
    found = written_of(formula)
    return None if found is None else found.paths


def text_as_written(formula: Formula, node: int = -1, limit: int | None = None) -> str:
    """The text of a subformula, as it was written if it was."""
    found = written_of(formula)
    if found is None:
        return text_of(formula, node, limit)
    if node == -1:
        return text_of(found.formula, -1, limit)
    part = found.parts.get(node)
    if part == NO_PATH:
        return f"no path is {found.paths}"
    return text_of(formula, node, limit) if part is None else text_of(found.formula, part, limit)
