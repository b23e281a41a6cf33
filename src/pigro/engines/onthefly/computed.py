"""Formulas on states that are computed on demand: the native search over a machine.

All initial states are asked about, one after the other, up to the first where the formula is false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import ModelError
from pigro.engines.python_engine import Decision
from pigro.logic.positive import positive_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model.lazy import OnDemand


def decide_computed(
    computed: OnDemand, dead_ends: DeadEnds, formula: Formula, budget: Budget
) -> Decision:
    """Does the formula hold in all initial states?"""
    form = positive_form(formula)
    core = _core.MachineSearch(
        computed.machine,
        _core.DeadEnds.STOP if dead_ends is DeadEnds.STOP else _core.DeadEnds.STUTTER,
        memoryview(form.ops),
        memoryview(form.left),
        memoryview(form.right),
        [computed.condition(atom) for atom in form.atoms],
    )
    holds: bool | None = True
    position = 0
    try:
        while holds and (state := core.initial(position, budget.look)) >= 0:
            holds = core.value(form.root, state, budget.look)
            position += 1
    except _core.MachineFault as fault:
        raise computed.explain(fault) from None
    finally:
        if core.dead_end >= 0:
            computed.note_dead_end(core.values(core.dead_end))
    if position == 0:
        raise ModelError("P210", "the model has no initial state")
    return Decision([holds], visited=core.visited, states=core.looked_at, initial=())
