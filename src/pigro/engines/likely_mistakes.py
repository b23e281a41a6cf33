"""What may be wrong with formulas: unknown labels, single steps as in SPIN, missing brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from pigro.diagnostics import CheckError, close_matches, printable
from pigro.logic.syntax import UNCLEAR
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pigro.logic import Formula
    from pigro.model.space import Model

_LABELS_SHOWN = 5
_SHOWN = 60
"""Characters of a formula."""
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
        listed = self.names[:_LABELS_SHOWN]
        shown = []
        for name in listed:
            close = close_matches(name, self.known, most=1, effort=_EFFORT // len(listed))
            hint = f' (did you mean "{printable(close[0])}"?)' if close else ""
            hint = f" ({self.instead[name]})" if name in self.instead else hint
            shown.append(f'"{printable(name)}"{hint}')
        count = len(self.names)
        what = "1 label is" if count == 1 else f"{count} labels are"
        more = f" and {count - _LABELS_SHOWN} more" if count > _LABELS_SHOWN else ""
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


class SingleStepWarning(UserWarning):
    """A formula has `[]` or `<>` where SPIN's always or eventually may be meant."""


def single_steps(formulas: Iterable[Formula], *, of_parts: bool = False) -> str | None:
    """A warning about the first of the formulas that looks like SPIN's LTL, with what to write.

    Single steps are often asked of parts that are composed. There the formula must have a `[]`
    inside a `<>`, or the other way round.
    """
    from pigro.logic.spin import alternates, looks_like_spin, spin_hint

    alike = [each for each in formulas if looks_like_spin(each)]
    alike = [each for each in alike if alternates(each)] if of_parts else alike
    if not alike:
        return None
    text = printable(str(alike[0]), _SHOWN)
    hint = spin_hint(alike[0])
    more = f" (and {len(alike) - 1:,} more)" if len(alike) > 1 else ""
    return f"[] and <> are single steps in `{text}`{more}; {hint}"


class BracketWarning(UserWarning):
    """A formula has U, W or R after a formula that begins with A or E, without brackets."""


def missing_brackets(formulas: Iterable[Formula]) -> str | None:
    """A warning about the first of the formulas whose text is unclear: how it was read."""
    unclear = [each for each in formulas if UNCLEAR in each.kept]
    if not unclear:
        return None
    from pigro.logic.unclear import read_as

    text = printable(str(unclear[0].kept[UNCLEAR]).strip(), _SHOWN)
    read = read_as(unclear[0])
    more = f" ({len(unclear) - 1:,} more of them)" if len(unclear) > 1 else ""
    shown = printable(read, len(read))
    return f"`{text}` is read as `{shown}`; write brackets to say what you mean{more}"
