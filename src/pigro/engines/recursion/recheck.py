"""Decides once more what evidence of runs says, for its replay.

Without recursion, or up to a depth, that is the search in Python of `onthefly`. On recursive models
it is `exhaustive`, which asks for everything and skips nothing. What it says counts only with a
certificate that the checker in Python accepts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.engines.engine import why_not
from pigro.engines.native import EXHAUSTIVE
from pigro.engines.onthefly.native import OnTheFlyEngine
from pigro.engines.onthefly.recheck import decider
from pigro.engines.recursion.deciding import StateTruths
from pigro.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.evidence import State
    from pigro.evidence.run.runs import Truths
    from pigro.logic import Formula
    from pigro.model import RSM

    Decide = Callable[[int, State], bool | None]


def deciders(
    model: RSM, formula: Formula, depth: int | None = None
) -> tuple[Decide, Truths | None]:
    """What tells the truth of state formulas, by their numbers in the formula: in states, and in
    all states of a path (None: each is asked about alone). See `replay_run`.
    """
    if why_not(OnTheFlyEngine(depth=depth), model) is None:
        return decider(model, formula, depth), None
    proving = replace(EXHAUSTIVE, certify=True, certify_paths=True)
    truths = StateTruths(model, formula, proving, Budget(), proves=True)
    return truths.value, truths.on_path
