"""Atoms of formulas against labels of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from pigro.diagnostics import CheckError, close_matches, printable
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pigro.logic import Formula
    from pigro.model.space import Model

_SHOWN = 5
_EFFORT = 100_000


class UnknownLabelWarning(UserWarning):
    """A formula names labels that no node of the model carries. They are false everywhere."""


class UnknownLabels(Record, frozen=True):
    """Labels that formulas name and no node carries, in order of appearance."""

    names: tuple[str, ...]
    known: Collection[str]
    """Those that there are."""
    nowhere: str = "on no node of the model"
    instead: Mapping[str, str] = field(default_factory=dict)
    """What else a name may be."""

    def __bool__(self) -> bool:
        return bool(self.names)

    def message(self) -> str:
        """One line: how many, the first five, and what may have been meant."""
        listed = self.names[:_SHOWN]
        shown = []
        for name in listed:
            close = close_matches(name, self.known, most=1, effort=_EFFORT // len(listed))
            hint = f' (did you mean "{printable(close[0])}"?)' if close else ""
            hint = f" ({self.instead[name]})" if name in self.instead else hint
            shown.append(f'"{printable(name)}"{hint}')
        count = len(self.names)
        what = "1 label is" if count == 1 else f"{count} labels are"
        more = f" and {count - _SHOWN} more" if count > _SHOWN else ""
        return f"{what} {self.nowhere}, so false everywhere: {', '.join(shown)}{more}"

    def as_error(self) -> CheckError:
        """For `--strict`."""
        return CheckError("P402", self.message())


def unknown_labels(model: Model, formulas: Iterable[Formula]) -> UnknownLabels:
    """The labels of the formulas that no node of the model carries."""
    names = dict.fromkeys(
        atom for formula in formulas for atom in formula.atoms if atom not in model.label_names
    )
    return UnknownLabels(tuple(names), model.label_names)
