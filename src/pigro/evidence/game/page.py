"""A strategy for a model as data for a page on which a reader plays against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.game.lines import GamePositionText
from pigro.evidence.game.strategy import ReturnPromise
from pigro.limits import no_poll
from pigro.logic.modal import AND, BOX, DIAMOND, VAR

if TYPE_CHECKING:
    from pigro.evidence.game.strategy import GameClaim, GameStrategy
    from pigro.limits import Poll
    from pigro.model import RSM

MOST = 20_000
"""Positions of a game that a page has room for."""


def game_data(model: RSM, strategy: GameStrategy, poll: Poll = no_poll) -> dict[str, object]:
    """The game for the script: its positions, each with its text and the positions after it.

    A position is a list: place, subformula, sentence, kind, number, and positions after it. Kinds
    are `label` (the play ends), `call`, `variable` (its number is the priority), `answer` (of the
    winner), `choice` (of the reader), and `exit` (its number says which position after the call
    comes next; -1: none, so the play ends).
    """
    if len(strategy) > MOST:
        return {"holds": strategy.holds, "size": len(strategy), "claims": []}
    page = _PositionLists(model, strategy)
    claims = []
    for number in range(len(strategy)):
        poll()
        claims.append(page.row(strategy.claim(number)))
    return {
        "holds": strategy.holds,
        "size": len(strategy),
        "starts": strategy.starts,
        "texts": page.words.texts,
        "claims": claims,
    }


class _PositionLists(GamePositionText):
    """Positions as lists."""

    def __init__(self, model: RSM, strategy: GameStrategy) -> None:
        super().__init__(model, strategy)
        self._ways = [
            {promise: at for at, promise in enumerate(frame.promises)} for frame in strategy.frames
        ]

    def row(self, claim: GameClaim) -> list[object]:
        rests = [self.strategy.claim(each) for each in claim.rests]
        kind, number, after = self._kind(claim)
        return [self.where(claim), claim.formula, self.says(claim, rests), kind, number, *after]

    def _kind(self, claim: GameClaim) -> tuple[str, int, list[int]]:
        after, form = list(claim.rests), self.words.form
        op = form.ops[claim.formula]
        if self.words.is_literal(claim.formula):
            return "label", 0, after
        if self.is_call(claim):
            return "call", 0, after_call(self.model, self.strategy, claim)
        if op == VAR:
            return "variable", form.priority[claim.formula], after
        if op in {BOX, DIAMOND} and self.is_promised(claim):
            key = ReturnPromise(claim.node, claim.formula, claim.seen)
            return "exit", self._ways[claim.frame][key], after
        is_of_holder = op not in {AND, BOX}
        return ("answer" if is_of_holder is self.strategy.holds else "choice"), 0, after


def after_call(model: RSM, strategy: GameStrategy, claim: GameClaim) -> list[int]:
    """The entry, and for each promise what comes after the call. -1 where the play ends."""
    core = model.core
    entry, *rest = claim.rests
    promises = strategy.frames[strategy.claim(entry).frame].promises
    if len(promises) == len(rest):
        return [entry, *rest]
    box, found = core.box(claim.node), iter(rest)
    backs = [core.return_node(box, each.exit) for each in promises]
    return [entry, *(-1 if back is None else next(found) for back in backs)]
