"""The engine `game` for models: the mu-calculus and CTL on a model without calls, as one part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.game.setting import Setting
from pigro.engines.game.solver import YES
from pigro.engines.python_run import Decision, PythonEngine
from pigro.logic.modal import modal_form
from pigro.model import DeadEnds
from pigro.model.kripke_part import part_of, why_no_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class GameEngine(PythonEngine):
    """Plays the game of a formula on a Kripke structure."""

    name: str = "game"

    def fits(self, model: RSM) -> str | None:
        """There must be no calls."""
        return why_no_part(model)

    def decider(self, model: RSM) -> Callable[[Formula, Budget], Decision]:
        """Each formula is decided on its own."""
        stop = model.dead_ends is DeadEnds.STOP
        part = part_of(model, stutter=not stop)
        initial = [(state,) for state in part.initial]

        def decide(formula: Formula, budget: Budget) -> Decision:
            form = modal_form(formula, dead_ends="stop" if stop else "stutter")
            game = Setting([part], initial, form).part_game(0, None, budget.look)
            game.solve(budget.look)
            colours = game.colours()
            truths = [colours[root] == YES for root in game.roots]
            return Decision(truths, visited=game.nodes)

        return decide


GAME = GameEngine()
