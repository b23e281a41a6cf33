"""A strategy for a model as a run, where the loser has no choice.

Claims are followed with a real state. At a call, the claim at the call node is kept until the call
returns: the promise that is then kept says which claim of the caller comes next. A promise whose
exit has no return node has none (`page.after_call`). Where a call has returned, what was seen
inside is forgotten: the same claims of another call are no loop.

A claim that comes again on the same stack is a loop. On a deeper stack, with nothing returned that
was there before, each round goes deeper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.evidence.game.lines import GamePositionText
from pigro.evidence.game.page import after_call
from pigro.evidence.game.strategy import ReturnPromise
from pigro.evidence.states import EMPTY, Path, State, Steps
from pigro.evidence.words import is_local, on_the_way
from pigro.logic.modal import BOX, DIAMOND, MU

if TYPE_CHECKING:
    from pigro.evidence.game.strategy import GameClaim, GameStrategy
    from pigro.model import RSM

_MOST = 10_000
"""States of a run."""


class GameRun(NamedTuple):
    """A run, and what is claimed in each of its states."""

    path: Path
    claimed: tuple[tuple[int, ...], ...]
    """Subformulas, by their numbers in the modal form."""


def game_run(model: RSM, strategy: GameStrategy) -> GameRun | None:
    """The run of a strategy that is right. None if the loser has a choice."""
    return _GameRunBuilder(model, strategy).run() if len(strategy.starts) == 1 else None


class _GameRunBuilder(GamePositionText):
    """Goes from claim to claim, as long as there is one way."""

    def __init__(self, model: RSM, strategy: GameStrategy) -> None:
        super().__init__(model, strategy)
        self._steps, self._form = Steps(model), strategy.form
        self._states: list[State] = []
        self._claimed: list[list[int]] = []
        self._calls: list[GameClaim] = []
        """Claims at the calls that are on the stack."""
        self._seen: list[dict[int, int]] = [{}]
        """For each stack that the last one stands on: claims, and their states by number."""

    def run(self) -> GameRun | None:
        """The whole run."""
        number = self.strategy.starts[0]
        self._add(State(EMPTY, self.strategy.claim(number).node))
        while True:
            claim = self.strategy.claim(number)
            at = len(self._states) - 1
            if at > _MOST:
                return None
            for depth, seen in enumerate(self._seen):
                if number in seen:
                    return self._again(seen[number], deeper=depth < len(self._seen) - 1)
            self._seen[-1][number] = at
            self._claimed[-1].append(claim.formula)
            if is_local(self._form, claim.formula):
                return self._ended("here")
            following = self._next(claim)
            if following is None:
                return None
            if following < 0:
                return self._ended("stays")
            number = following

    def _add(self, state: State) -> None:
        self._states.append(state)
        self._claimed.append([])

    def _next(self, claim: GameClaim) -> int | None:
        """The claim that comes next. -1 where the run stays, None where the loser can choose."""
        op = self._form.ops[claim.formula]
        if self.is_call(claim):
            self._calls.append(claim)
            self._seen.append({})
            return claim.rests[0]
        if op in {DIAMOND, BOX}:
            return self._returned(claim) if self.is_promised(claim) else self._stepped(claim)
        if op >= MU or len(claim.rests) == 1:
            return claim.rests[0]
        nodes = [self.strategy.claim(each).formula for each in claim.rests]
        far = on_the_way(self._form, nodes)
        self._claimed[-1] += [each for at, each in enumerate(nodes) if at not in far]
        return claim.rests[0] if not far else claim.rests[far[0]] if len(far) == 1 else None

    def _returned(self, claim: GameClaim) -> int | None:
        """The claim of the caller that a promise is about."""
        promises = self.strategy.frames[claim.frame].promises
        way = promises.index(ReturnPromise(claim.node, claim.formula, claim.seen))
        call = self._calls.pop()
        self._seen.pop()
        return after_call(self.model, self.strategy, call)[1 + way]

    def _stepped(self, claim: GameClaim) -> int | None:
        """Makes the step to the one claim that a modality rests on."""
        nexts = self._steps.maximal_next(self._states[-1])
        if not claim.rests:
            return -1
        if len(claim.rests) > 1:
            return None
        [number] = claim.rests
        after = self._state_of(self.strategy.claim(number))
        wins = (self._form.ops[claim.formula] == DIAMOND) is self.strategy.holds
        if after not in nexts or not (wins or nexts == [after]):
            return None
        self._add(after)
        return number

    def _state_of(self, claim: GameClaim) -> State:
        """Where a claim is: with the calls that are on the stack, and at the entry of a call."""
        core = self.model.core
        stack = EMPTY
        for call in self._calls:
            stack = stack.push(core.box(call.node))
        if core.kind(claim.node).name == "CALL":
            return State(stack.push(core.box(claim.node)), core.subject(claim.node))
        return State(stack, claim.node)

    def _again(self, first: int, *, deeper: bool) -> GameRun | None:
        """A claim comes again. None if it is that of a return, and the calls are not the same."""
        before, last = self._states[first], self._states[-1]
        if first == len(self._states) - 1:  # without a step: nothing more is needed
            return self._ended("here")
        if deeper:
            rises = before.node == last.node and before.stack.depth < last.stack.depth
            return self._ended("pump", first) if rises else None
        if before != last:
            return None
        del self._states[-1], self._claimed[-1]
        if first == len(self._states) - 1 and self._steps.maximal_next(before) == [before]:
            return self._ended("stays")
        return self._ended("loop", first)

    def _ended(self, ends: str, start: int | None = None) -> GameRun:
        return GameRun(Path(tuple(self._states), ends, start), tuple(map(tuple, self._claimed)))
