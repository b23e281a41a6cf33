"""A strategy for a composition as data for a page on which a reader plays against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.strategy.lines import StrategyText
from pigro.limits import no_poll
from pigro.logic.modal import AND, BOX, VAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.strategy.replay import Place
    from pigro.evidence.strategy.strategy import Strategy
    from pigro.limits import Poll
    from pigro.model.composition import Composition

MOST = 20_000
"""Positions of a game that a page has room for."""


def strategy_data(
    composition: Composition, strategy: Strategy, poll: Poll = no_poll
) -> dict[str, object]:
    """The game for the script, as that of a strategy for a model (game/page.py), without calls."""
    if strategy.positions > MOST or not strategy.is_whole:
        return {"holds": strategy.holds, "size": strategy.positions, "claims": []}
    said = StrategyText(composition, strategy)
    starts = said.rules.starts()
    numbers = {place: number for number, place in enumerate(starts)}
    claims, pending = [], list(starts)
    for place in pending:  # which grows
        poll()
        rests = said.rules.rests_on(*place)
        for each in rests:
            if each not in numbers:
                numbers[each] = len(numbers)
                pending.append(each)
        kind, number = _kind(said, place, rests)
        after = [numbers[each] for each in rests]
        claims.append(
            [said.where(place), place[1][1], said.says(place, rests), kind, number, *after]
        )
    return {
        "holds": strategy.holds,
        "size": len(claims),
        "starts": list(range(len(starts))),
        "texts": said.words.texts,
        "claims": claims,
    }


def _kind(said: StrategyText, place: Place, rests: Sequence[Place]) -> tuple[str, int]:
    """The kind of a position, and its priority if it is a variable."""
    node = place[1][1]
    op = said.words.form.ops[node]
    if said.words.is_literal(node):
        return "label", 0
    if op == VAR:
        return "variable", said.words.form.priority[node]
    is_of_holder = op not in {AND, BOX}
    answers = is_of_holder is said.words.holds and len(rests) == 1  # a hyper-step leads to several
    return ("answer" if answers else "choice"), 0
