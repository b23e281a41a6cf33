"""The two questions that a model file leaves open, and their answers."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn

from pigro.diagnostics import UsageError


class Choice(StrEnum):
    """The values of an option, which has the name of the class; `UsageError` P006 for others."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        letters = (f"_{each.lower()}" if each.isupper() else each for each in cls.__name__)
        what = "".join(letters).removeprefix("_")
        hint = f"choose one of: {', '.join(cls)}"
        raise UsageError("P006", f"{what} can't be {value!r}", hint=hint) from None


class Semantics(Choice):
    """How a call of a node that is entry and exit at once is read."""

    STANDARD = "standard"
    """Calling it means being at the return node at once."""
    RSMCHECK = "rsmcheck"
    """The call is a dead end, as in the published tool RSMCheck; for studies only."""


class DeadEnds(Choice):
    """What a run does where no step leads on."""

    STUTTER = "stutter"
    """It stays there forever."""
    STOP = "stop"
    """It ends there."""
    ERROR = "error"
    """The model is rejected."""
