"""The two questions that a model file leaves open, and their answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from pigro.diagnostics import UsageError


class Semantics(StrEnum):
    """How a call of a node that is entry and exit at once is read."""

    STANDARD = "standard"
    """Calling it means being at the return node at once."""
    RSMCHECK = "rsmcheck"
    """The call is a dead end, as in the published tool RSMCheck; for studies only."""


class DeadEnds(StrEnum):
    """What a run does where no step leads on."""

    STUTTER = "stutter"
    """It stays there forever."""
    STOP = "stop"
    """It ends there."""
    ERROR = "error"
    """The model is rejected."""


_Choice = TypeVar("_Choice", bound=StrEnum)


def choose(kind: type[_Choice], value: _Choice | str, what: str) -> _Choice:
    """The member of `kind` with this value; `UsageError` P006 names the choices."""
    try:
        return kind(value)
    except ValueError:
        raise UsageError(
            "P006", f"{what} can't be {value!r}", hint=f"choose one of: {', '.join(kind)}"
        ) from None
