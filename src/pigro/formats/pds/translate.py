"""From a pushdown system to a recursive state machine, in one of three ways."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import ModelError
from pigro.formats.pds.configurations import PdsConfigurations
from pigro.formats.pds.system import NamedSystem, PushdownSystem
from pigro.limits import no_poll, tick_of
from pigro.model.choices import DeadEnds, OptionWords, Semantics
from pigro.model.faults import explain_fault
from pigro.model.names import Names, PackedLabels, PackedNames
from pigro.model.positions import OWN, Positions
from pigro.model.rsm import RSM, core_semantics

if TYPE_CHECKING:
    from typing import TypedDict

    from pigro.limits import Poll

    class _ReadingArguments(TypedDict):
        semantics: Semantics
        dead_ends: DeadEnds | str | None
        source: str | None


MOST_RETURNS = 4_000_000
"""Edges from return nodes. A system that takes more is not split into procedures."""


class PushdownTranslation(OptionWords):
    """How a pushdown system becomes components."""

    AUTO = "auto"
    """`split` if it fits, else `general`."""
    SPLIT = "split"
    """A component for each procedure."""
    GENERAL = "general"
    """For any pushdown system."""
    SINGLE = "single"
    """For any pushdown system, as one component that calls itself ([Dubslaff2024], 6.4.3)."""


def translate(
    system: PushdownSystem,
    *,
    translation: PushdownTranslation | str = PushdownTranslation.AUTO,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    source: str | None = None,
    poll: Poll = no_poll,
) -> RSM:
    """The model. Its states are the configurations, step for step."""
    how, semantics = PushdownTranslation(translation), Semantics(semantics)
    reading: _ReadingArguments = {"semantics": semantics, "dead_ends": dead_ends, "source": source}
    poll()
    system.core.drop_stray_labels()
    if how in {PushdownTranslation.AUTO, PushdownTranslation.SPLIT}:
        try:
            made = system.core.split(MOST_RETURNS, core_semantics(semantics), tick_of(poll))
        except _core.ModelFault as fault:
            rule, first, second = fault.args
            raise explain_fault(rule, first, second, None) from None
        poll()
        if made.file is not None:
            return _told(_model(made, made.file, reading), system)
        if how is PushdownTranslation.SPLIT:
            raise _unsplit(made)
    from pigro.formats.pds.draft import separate
    from pigro.formats.pds.general import GeneralTranslation

    general = GeneralTranslation(NamedSystem.of(system))
    draft = general.run(poll)
    parts = draft if how is PushdownTranslation.SINGLE else separate(draft)
    model = parts.finish(general.rules, poll=poll, **reading)
    return _told(model, system)


def _model(made: _core.SplitModel, found: _core.FileModel, reading: _ReadingArguments) -> RSM:
    """The procedures that native/core/pushdown/split.hpp found."""
    rows = (made.nodes, made.boxes, made.components)
    return RSM.from_core(
        found.core,
        label_ids=PackedLabels(found.labels),
        initial=found.initial,
        names=Names(*map(PackedNames, (found.components, found.nodes, found.boxes))),
        positions=Positions((OWN,), *rows) if any(rows) else None,
        **reading,
    ).finished(None)


def _told(model: RSM, system: PushdownSystem) -> RSM:
    """The model with the configurations that its states are, but for states of other semantics."""
    if model.endings is not None:
        return model
    return replace(model, configurations=PdsConfigurations(system, model))


def _unsplit(made: _core.SplitModel) -> ModelError:
    reason = (
        "a head has both a rule that pops and a rule that does not"
        if made.outcome is _core.SplitOutcome.MIXED_HEAD
        else f"that takes more than {MOST_RETURNS:,} edges from return nodes"
    )
    return ModelError(
        "P214",
        f"the pushdown system can't be split into procedures: {reason}",
        hint="leave the choice to Pigro, or take translation=general",
    )
