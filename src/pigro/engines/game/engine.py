"""The engine `game` for models: the mu-calculus and CTL, with calls and recursion of any depth.

The native core settles claims on demand (native/core/games/claims.hpp). Dead ends that stutter have
a step there, to themselves, and so have exits with the empty stack: `<> f` is `EX f`, and CTL is
translated as for dead ends that stop, because those that stutter are none.

Evidence is a strategy. For it a formula is decided again, without shortcuts: the first time, claims
may be left out where they are not needed for the verdict.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import InternalError
from pigro.engines.game.solver import core_formula
from pigro.engines.python_engine import EngineAnswer, PythonEngine
from pigro.evidence.game.strategy import core_dead_ends, labels_of, strategy_of
from pigro.logic.modal import modal_form
from pigro.logic.operators import Fragment

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class GameEngine(PythonEngine):
    """Plays the game of a formula on a recursive state machine."""

    name: str = "game"
    show: bool = False
    """Also find strategies, for formulas of the mu-calculus."""

    def decider(self, model: RSM) -> Callable[[Formula, Budget], EngineAnswer]:
        """Each formula is decided on its own."""
        dead_ends, starts = core_dead_ends(model), list(model.initial)

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            form = modal_form(formula, dead_ends="stop")
            asked = (core_formula(form), model.core, dead_ends, labels_of(model, form), starts)
            settled = _core.settle(*asked, budget.look)
            found = EngineAnswer(settled.holds, contexts=settled.instances, visited=settled.claims)
            if not self.show or formula.fragment is not Fragment.MU:
                return found
            began = time.perf_counter()
            made = _core.win(*asked, budget.look)
            if made.holds != all(settled.holds):
                raise _contradiction(formula)
            evidence = strategy_of(formula, made)
            return replace(found, evidence=evidence, show_seconds=time.perf_counter() - began)

        return decide


def _contradiction(formula: Formula) -> InternalError:
    return InternalError(
        "P903",
        f"engine game finds one verdict, and its strategy another: {formula}",
        hint="this is a fault of Pigro; please report it, with the command and its files",
    )


GAME = GameEngine()
