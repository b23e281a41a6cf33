"""The engine `game` for models: the mu-calculus and CTL, with calls and recursion of any depth.

The native core settles claims on demand (native/core/games/claims.hpp). Dead ends that stutter have
a step there, to themselves, and so have exits with the empty stack: `<> f` is `EX f`, and CTL is
translated as for dead ends that stop, because those that stutter are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.game.solver import core_formula
from pigro.engines.python_engine import Decision, PythonEngine
from pigro.logic.modal import modal_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class GameEngine(PythonEngine):
    """Plays the game of a formula on a recursive state machine."""

    name: str = "game"

    def decider(self, model: RSM) -> Callable[[Formula, Budget], Decision]:
        """Each formula is decided on its own."""
        stop = model.dead_ends is DeadEnds.STOP
        dead_ends = _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER

        def decide(formula: Formula, budget: Budget) -> Decision:
            form = modal_form(formula, dead_ends="stop")
            labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
            settled = _core.settle(
                core_formula(form), model.core, dead_ends, labels, list(model.initial), budget.look
            )
            return Decision(settled.holds, contexts=settled.instances, visited=settled.claims)

        return decide


GAME = GameEngine()
