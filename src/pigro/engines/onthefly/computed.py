"""Formulas on states that are computed on demand: a search over a machine, or over a program.

All initial states are asked about, one after the other, up to the first where the formula is false.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from pigro import _core
from pigro.engines.onthefly.program import CUT, ProgramSearch
from pigro.engines.python_engine import EngineAnswer
from pigro.limits import LIMIT_ERRORS
from pigro.logic import Formula
from pigro.logic.positive import positive_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.engines.onthefly.program import ProgramSpace
    from pigro.limits import Budget
    from pigro.logic.positive import PositiveForm
    from pigro.model.space import OnDemand, StateSpace


def decide_computed(
    model: StateSpace, show: bool, formula: Formula, budget: Budget
) -> EngineAnswer:
    """Does the formula hold in all initial states? With `show`, also why."""
    computed, dead_ends = model.computed, model.dead_ends
    form = positive_form(formula)
    core = _search(computed, dead_ends, form, budget)
    holds: bool | None = True
    position = last = 0
    try:
        while holds and (state := core.initial(position, budget.look)) >= 0:
            holds = core.value(form.root, state, budget.look)
            position, last = position + 1, state
    except _core.MachineFault as fault:
        raise computed.explain(fault) from None
    except LIMIT_ERRORS as end:
        gave_up, note = budget.why_none(end), _note(computed, core)
        visited, states = core.visited, core.looked_at
        return EngineAnswer(
            [None], visited=visited, states=states, gave_up=gave_up, initial=(), note=note
        )
    if position == 0:
        raise computed.no_start()
    found = EngineAnswer(
        [holds],
        visited=core.visited,
        states=core.looked_at,
        initial=(),
        gave_up=CUT,
        note=_note(computed, core),
    )
    if not show or holds is None:
        return found
    from pigro.engines.onthefly.computed_evidence import show_computed

    began = time.perf_counter()
    try:
        shown = show_computed(model, formula, core, form, last, budget)
    except LIMIT_ERRORS:
        return found
    spent = time.perf_counter() - began
    return replace(found, evidence=shown, show_seconds=spent)


def _note(computed: OnDemand, core: _core.MachineSearch | ProgramSearch) -> str | None:
    """What users should know about a dead end that the search met."""
    return None if core.dead_end is None else computed.dead_end_note(core.dead_end)


def require_start(model: StateSpace, budget: Budget) -> None:
    """Raises an error if the model has no initial state, as far as the budget lets it know."""
    form = positive_form(Formula("true"))
    core = _search(model.computed, model.dead_ends, form, budget)
    try:
        if core.initial(0, budget.look) < 0:
            raise model.computed.no_start()
    except _core.MachineFault as fault:
        raise model.computed.explain(fault) from None
    except LIMIT_ERRORS:
        return  # as the search for the verdict will see again


def _search(
    computed: OnDemand, dead_ends: DeadEnds, form: PositiveForm, budget: Budget
) -> _core.MachineSearch | ProgramSearch:
    if computed.machine is None:
        return ProgramSearch(cast("ProgramSpace", computed), form, budget.poll)
    return _core.MachineSearch(
        computed.machine,
        _core.DeadEnds.STOP if dead_ends is DeadEnds.STOP else _core.DeadEnds.STUTTER,
        memoryview(form.ops),
        memoryview(form.left),
        memoryview(form.right),
        [computed.condition(atom) for atom in form.atoms],
    )
