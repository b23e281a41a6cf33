"""A reachable state that breaks a rule of the mu-calculus: AG f, which fails.

The rule is nu Z. f & [] Z. Its winning strategy is one of the player who says that it fails. The
play that follows the strategy goes from state to state until that player attacks f. It ends,
because the other one wins every play that goes on forever. A call and the entry are one moment,
and so are an exit and the return. The claims at calls that have not returned are kept, and the
promise of a frame says which claim follows its exit (evidence/game_strategy.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.game.engine import GameEngine
from pigro.evidence.game.strategy import GameStrategy, ReturnPromise
from pigro.evidence.states import EMPTY, State
from pigro.logic.modal import AND, BOX

if TYPE_CHECKING:
    from pigro.evidence.game.strategy import GameClaim
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


def breaking_state(model: RSM, rule: Formula, budget: Budget) -> State | None:
    """The state, at a node of any kind. None if it can't be found within the budget.

    Needs: a rule AG f that fails, with a label in f that is not in any of its fixpoints.
    """
    [shown] = GameEngine(show=True).check_all(model, [rule], budget=budget)
    strategy = shown.evidence
    if strategy is None:
        return None
    return _RulePlay(model, strategy, budget).state()


class _RulePlay:
    """The play that follows a strategy until the body of the rule is attacked."""

    def __init__(self, model: RSM, strategy: GameStrategy, budget: Budget) -> None:
        self.core, self.strategy, self.budget = model.core, strategy, budget
        form = strategy.form
        self.variable = form.left[form.root]
        """Z, whose body is f & [] Z."""
        self.body = form.left[self.variable]
        assert form.ops[self.body] == AND, "the rule is AG f"
        self.calls: list[GameClaim] = []
        """Claims at the calls on the stack, outermost first."""

    def state(self) -> State:
        at = self.strategy.claim(self.strategy.starts[0])
        while not self._attacks(at):
            self.budget.look()
            at = self._next(at)
        stack = EMPTY
        for call in self.calls:
            stack = stack.push(self.core.box(call.node))
        return State(stack, at.node)

    def _attacks(self, claim: GameClaim) -> bool:
        """Whether a claim is about f."""
        form = self.strategy.form
        if claim.formula in (form.root, self.variable, self.body):
            return False
        again = form.ops[claim.formula] == BOX and form.left[claim.formula] == self.variable
        return not again

    def _next(self, claim: GameClaim) -> GameClaim:
        strategy = self.strategy
        if self.core.kind(claim.node) is _core.NodeKind.CALL:
            self.calls.append(claim)
            return strategy.claim(claim.rests[0])
        if claim.rests:
            [only] = claim.rests
            return strategy.claim(only)
        promises = strategy.frames[claim.frame].promises
        back = promises.index(ReturnPromise(claim.node, claim.formula, claim.seen))
        after = strategy.claim(self.calls[-1].rests[1 + back])
        if after.node != claim.node:  # otherwise no return follows: the run stays at the exit
            self.calls.pop()
        return after
