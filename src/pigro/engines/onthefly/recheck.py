"""Decides once more what evidence of runs says, for its replay. By the search in Python.

That shares nothing with the native search, which found it out, but the positive form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.engine import require_fit
from pigro.engines.onthefly.native import OnTheFlyEngine
from pigro.engines.onthefly.search import ProofSearch
from pigro.engines.onthefly.system import ExploredSystem
from pigro.engines.onthefly.unfold import Unfolding
from pigro.logic.positive import positive_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.evidence import State
    from pigro.logic import Formula
    from pigro.model import RSM


def decider(
    model: RSM, formula: Formula, depth: int | None = None
) -> Callable[[int, State], bool | None]:
    """What tells the truth of state formulas, by their numbers in the formula, in states.

    Calls are followed up to `depth` deep. Where the truth depends on deeper ones, it is None.
    CheckError P404 for a recursive model without a depth.
    """
    require_fit(OnTheFlyEngine(depth=depth), model)
    explored = ExploredSystem(Unfolding(model.with_initial(model.initial[:1]), depth))
    form = positive_form(formula)
    search = ProofSearch(explored, form, lambda: None)

    def decide(node: int, state: State) -> bool | None:
        return search.value(form.states[node], explored.number(state))

    return decide
