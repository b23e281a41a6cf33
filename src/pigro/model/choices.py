"""The questions that a model file leaves open, and their answers."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn

from pigro.diagnostics import UsageError


class Choice(StrEnum):
    """The values of an option, which has the name of the class. `UsageError` P006 for others."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        letters = (f"_{each.lower()}" if each.isupper() else each for each in cls.__name__)
        what = "".join(letters).removeprefix("_")
        hint = f"choose one of: {', '.join(cls)}"
        raise UsageError("P006", f"{what} can't be {value!r}", hint=hint) from None


class Semantics(Choice):
    """How calls of entry-exit nodes are read, and exits of the initial component.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm", semantics=pigro.Semantics.RSMCHECK)
    >>> model.statistics.dead_ends
    1
    """

    STANDARD = "standard"
    """A call of such a node means being at the return node at once. A run that comes to an exit
    with the empty stack stays there."""
    RSMCHECK = "rsmcheck"
    """The call is a dead end, as in the published tool RSMCheck. For studies only."""
    RMV = "rmv"
    """From an exit with the empty stack a run goes to an ending state without labels, and stays
    there, as in the published tool RMV. Calls are read as in the standard semantics."""


class DeadEnds(Choice):
    """What a run does in a state without successors.

    >>> import pigro
    >>> model = pigro.kripke({"a": []}, labels={}, initial="a", dead_ends=pigro.DeadEnds.STOP)
    >>> pigro.check(model, "EX true").holds
    False
    """

    STUTTER = "stutter"
    """It stays there forever."""
    STOP = "stop"
    """It ends there."""
    ERROR = "error"
    """The model is rejected."""
