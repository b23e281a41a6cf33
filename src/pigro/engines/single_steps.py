"""Formulas of the mu-calculus that may be meant as LTL: `[]` and `<>` as SPIN writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.logic import Formula

_SHOWN = 60


class SingleStepWarning(UserWarning):
    """A formula has `[]` or `<>` where SPIN's always or eventually may be meant."""


def single_steps(formulas: Iterable[Formula], *, of_parts: bool = False) -> str | None:
    """A warning about the first of the formulas that looks like SPIN's LTL, with what to write.

    Single steps are often asked of parts that are composed. There the formula must have a `[]`
    inside a `<>`, or the other way round.
    """
    from pigro.logic.spin import (
        alternates,
        looks_like_spin,
        spin_hint,
    )

    alike = [each for each in formulas if looks_like_spin(each)]
    alike = [each for each in alike if alternates(each)] if of_parts else alike
    if not alike:
        return None
    text = printable(str(alike[0]), _SHOWN)
    hint = spin_hint(alike[0], in_ctl=of_parts)
    more = f" (and {len(alike) - 1:,} more)" if len(alike) > 1 else ""
    return f"[] and <> are single steps in `{text}`{more}; {hint}"
