"""From a pushdown system to a recursive state machine, in one of two ways."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.formats.pds.general import General
from pigro.formats.pds.split import Split, fits
from pigro.model.choices import DeadEnds, Semantics, choose

if TYPE_CHECKING:
    from pigro.formats.pds.system import PushdownSystem
    from pigro.model import RSM

MOST_RETURNS = 4_000_000
"""Beyond, one component is tried instead of one for each procedure."""


class Translation(StrEnum):
    """How a pushdown system becomes components."""

    AUTO = "auto"
    """`split` if it fits, else `general`."""
    SPLIT = "split"
    """A component for each procedure."""
    GENERAL = "general"
    """One component; for any pushdown system."""


def translate(
    system: PushdownSystem,
    *,
    translation: Translation | str = Translation.AUTO,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    source: str | None = None,
) -> RSM:
    """The model; its states are the configurations, step for step."""
    how = choose(Translation, translation, "translation")
    made = None if how is Translation.GENERAL else _split(system, how)
    built = made or General(system)
    return built.run().finish(
        system, built.initial, semantics=semantics, dead_ends=dead_ends, source=source
    )


def _split(system: PushdownSystem, how: Translation) -> Split | None:
    """The translation by procedures, if it can be made."""
    if not fits(system):
        reason = "a head has both a rule that pops and a rule that does not"
    else:
        made = Split(system)
        returns = made.returns()
        if returns <= MOST_RETURNS:
            return made
        reason = f"that takes {returns:,} return nodes"
    if how is Translation.SPLIT:
        raise ModelError(
            "P214",
            f"the pushdown system can't be split into procedures: {reason}",
            hint="leave the choice to Pigro, or take translation=general",
        )
    return None
