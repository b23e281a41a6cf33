"""The questions that a model file leaves open, and their answers, which the file may say.

`.rsm` and `.json` files say them by the keys `semantics` and `dead_ends`, `.pigro` files by a
section. Callers that give a reading choose it instead. No file that Pigro writes says `rmv`: the
ending states are written, and the standard semantics then gives the same verdicts.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NoReturn

from pigro.diagnostics import UsageError
from pigro.records import Record

if TYPE_CHECKING:
    from pigro.model.rsm import RSM


class OptionWords(StrEnum):
    """The values of an option, which has the name of the class. `UsageError` P006 for others."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        letters = (f"_{each.lower()}" if each.isupper() else each for each in cls.__name__)
        what = "".join(letters).removeprefix("_")
        hint = f"choose one of: {', '.join(cls)}"
        raise UsageError("P006", f"{what} can't be {value!r}", hint=hint) from None


class Semantics(OptionWords):
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


class DeadEnds(OptionWords):
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


def usual_dead_ends(semantics: Semantics) -> DeadEnds:
    """How dead ends are read in a semantics where nothing else is said."""
    return DeadEnds.STOP if semantics is Semantics.RSMCHECK else DeadEnds.STUTTER


class StatedReading(Record, frozen=True):
    """The reading that a file asks for. None where it does not say."""

    semantics: Semantics | None = None
    dead_ends: DeadEnds | None = None

    def chosen(
        self, semantics: Semantics | str | None, dead_ends: DeadEnds | str | None
    ) -> tuple[Semantics, DeadEnds]:
        """The reading to use, where a caller may give another one.

        The usual dead ends of the file's own semantics do not count for another semantics.
        """
        own = self.semantics or Semantics.STANDARD
        used = own if semantics is None else Semantics(semantics)
        if dead_ends is None and self.dead_ends is not usual_dead_ends(own):
            dead_ends = self.dead_ends
        return used, usual_dead_ends(used) if dead_ends is None else DeadEnds(dead_ends)


def reading_of(model: RSM) -> dict[str, str]:
    """The keys of a file that gives the verdicts of the model."""
    ended = model.semantics is Semantics.RMV
    semantics = Semantics.STANDARD if ended else model.semantics
    return {"semantics": str(semantics), "dead_ends": str(model.dead_ends)}


def unusual_reading(model: RSM) -> dict[str, str]:
    """The same keys, without those that a file does not need."""
    found = reading_of(model)
    if found["dead_ends"] == usual_dead_ends(Semantics(found["semantics"])):
        del found["dead_ends"]
    if found["semantics"] == Semantics.STANDARD:
        del found["semantics"]
    return found
