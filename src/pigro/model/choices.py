"""The questions that a model file leaves open, and their answers."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from pigro.diagnostics import UsageError


class Semantics(StrEnum):
    """How calls of entry-exit nodes are read, and exits of the initial component."""

    STANDARD = "standard"
    """A call of such a node means being at the return node at once. A run that comes to an exit
    with the empty stack stays there."""
    RSMCHECK = "rsmcheck"
    """The call is a dead end, as in the published tool RSMCheck; for studies only."""
    RMV = "rmv"
    """From an exit with the empty stack a run goes to an ending state without labels, and stays
    there, as in the published tool RMV; calls are read as in the standard semantics."""


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
