"""Formulas that may be meant otherwise, because brackets are missing: `AG p U q`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.logic.syntax import UNCLEAR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.logic import Formula

_SHOWN = 60


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
