"""A strategy for a model as text: how the winner wins, position by position, with calls.

The walk begins at the starts and goes on where the winner goes, or the loser may go. Each position
is told once. A call is told with the position at the entry and what comes after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.evidence.words import LONGEST_NAME, FormWords, cut
from pigro.limits import no_poll
from pigro.logic.modal import AND, DIAMOND, MU, OR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.game.strategy import GameClaim, GameStrategy
    from pigro.limits import Poll
    from pigro.model import RSM

FULL = 40
SHORT = 6
"""Lines of the walk."""


def game_lines(
    model: RSM, strategy: GameStrategy, most: int | None = FULL, poll: Poll = no_poll
) -> list[str]:
    """What a strategy says. At most so many positions, or all. Needs: a strategy that is right.

    >>> from pigro import check, kripke
    >>> model = kripke({"a": ["b", "a"], "b": ["a"]}, labels={"b": ["p"]}, initial="a")
    >>> verdict = check(model, "nu X. mu Y. <> (p & X | Y)", witness=True)
    >>> for line in game_lines(model, verdict.evidence):
    ...     print(line)
    it holds: whatever the other side does, a strategy of 5 positions wins
    kripke:a: <> ((p & X) | Y) holds, by the step to kripke:b
    kripke:b: (p & X) | Y holds, because p & X does
    kripke:b: p & X holds, because both sides do: p is true
    kripke:b: <> ((p & X) | Y) holds, by the step to kripke:a
    kripke:a: (p & X) | Y holds, because Y does (as above)
    """
    walk = _GameText(model, strategy, poll)
    return cut(walk.headline(), walk.lines(), walk.count, most, lambda: walk.branches)


class GamePositionText:
    """Says positions of a strategy for a model."""

    def __init__(self, model: RSM, strategy: GameStrategy) -> None:
        self.model, self.strategy = model, strategy
        self.words = FormWords(strategy.formula, holds=strategy.holds, dead_ends="stop")
        inner = [at for at, frame in enumerate(strategy.frames) if not frame.is_bottom]
        self.calls = {frame: number for number, frame in enumerate(inner, start=1)}
        """The numbers of calls, by frame."""

    def is_call(self, claim: GameClaim) -> bool:
        """Whether it is at a call, and rests on the entry and what comes back."""
        at_call = self.model.core.kind(claim.node) is _core.NodeKind.CALL
        return at_call and not self.words.is_literal(claim.formula)

    def call(self, frame: int) -> str:
        """A call that is not the bottom."""
        component = self.strategy.frames[frame].component
        name = printable(self.model.names.components[component], LONGEST_NAME)
        return f"call {self.calls[frame]:,} of {name}"

    def node(self, node: int) -> str:
        """A node by name."""
        return printable(self.model.node_name(node), LONGEST_NAME)

    def where(self, claim: GameClaim) -> str:
        """The node of a claim, and the call that it is in."""
        if claim.frame not in self.calls:
            return self.node(claim.node)
        return f"in call {self.calls[claim.frame]:,}, {self.node(claim.node)}"

    def says(self, claim: GameClaim, rests: Sequence[GameClaim]) -> str:
        """How a claim is won by those that it rests on."""
        words, op = self.words, self.words.form.ops[claim.formula]
        if words.is_literal(claim.formula):
            return words.label(claim.formula)
        if self.is_call(claim):
            how = self._by_call(rests)
        elif op in {AND, OR} and len(rests) > 1:
            how = words.both(claim.formula, self._labels(rests, ": "))
        elif op in {AND, OR}:
            how = f"because {words.operand(rests[0].formula, 'does')}"
        elif op >= MU:
            how = "as what it stands for"
        else:
            how = self._by_step(claim, rests)
        return f"{words.texts[claim.formula]} {words.verb}, {how}"

    def _by_call(self, rests: Sequence[GameClaim]) -> str:
        back = len(rests) - 1
        after = f", and after it {back:,} way{'s' if back != 1 else ''} back" if back else ""
        return f"by {self.call(rests[0].frame)}{after}"

    def _by_step(self, claim: GameClaim, rests: Sequence[GameClaim]) -> str:
        if self.is_promised(claim):
            return "as the caller promises"
        if self._chooses(self.words.form.ops[claim.formula]):
            there = self.node(rests[0].node)
            return f"by the step to {there}{self._labels(rests, ', where ')}"
        if len(rests) > 1:
            return f"whichever of {len(rests):,} states is next"
        return "with the one step" if rests else "because there is no next state"

    def _chooses(self, op: int) -> bool:
        return (op == DIAMOND) is self.strategy.holds

    def is_promised(self, claim: GameClaim) -> bool:
        """Whether it is a modality at an exit that the caller promises."""
        return claim.frame in self.calls and self.model.core.kind(claim.node) is _core.NodeKind.EXIT

    def _labels(self, rests: Sequence[GameClaim], lead: str) -> str:
        return self.words.labels((each.formula for each in rests), lead)


class _GameText(GamePositionText):
    """Goes from claim to claim."""

    def __init__(self, model: RSM, strategy: GameStrategy, poll: Poll) -> None:
        super().__init__(model, strategy)
        self._poll = poll
        self.count = self._count()
        """How many positions there are to tell."""
        self.branches = False
        """Whether there was more than one way to go on."""
        self._before = set[int]()

    def _count(self) -> int:
        told = [self.words.is_told(node) for node in range(len(self.words.form))]
        call, kind = _core.NodeKind.CALL, self.model.core.kind
        rows, found = self.strategy.rows, 0
        for at in self.strategy.offsets[:-1]:
            node, formula = rows[at + 1], rows[at + 2]
            if told[formula] or (self.words.form.ops[formula] >= MU and kind(node) is call):
                found += 1
        self._poll()
        return found

    def headline(self) -> str:
        count, calls = self.count, len(self.calls)
        positions = f"a strategy of {count:,} position{'s' if count != 1 else ''}"
        inside = f" in {calls:,} call{'s' if calls != 1 else ''}" if calls else ""
        told = f"whatever the other side does, {positions}{inside} wins"
        return f"it {self.words.verb}: {told}"

    def lines(self) -> Iterator[str]:
        pending = list(dict.fromkeys(map(self._inside, self.strategy.starts)))[::-1]
        seen = set(pending)
        while pending:
            self._poll()
            self.branches |= len(pending) > 1
            number = pending.pop()
            claim = self.strategy.claim(number)
            inside = [self._inside(each) for each in claim.rests]
            self._before.add(number)
            rests = [self.strategy.claim(each) for each in claim.rests]
            yield f"{self.where(claim)}: {self.says(claim, rests)}{self._again(inside)}"
            fresh = [each for each in dict.fromkeys(inside) if each not in seen]
            fresh = [each for each in fresh if self._is_told(each)]
            seen.update(fresh)
            pending += reversed(fresh)

    def _is_told(self, number: int) -> bool:
        claim = self.strategy.claim(number)
        return self.words.is_told(claim.formula) or self.is_call(claim)

    def _inside(self, number: int) -> int:
        """What a variable stands for, but at a call."""
        claim = self.strategy.claim(number)
        while self.words.form.ops[claim.formula] >= MU and not self.is_call(claim):
            (number,) = claim.rests
            claim = self.strategy.claim(number)
        return number

    def _again(self, inside: Sequence[int]) -> str:
        """Says so if what comes next was told before."""
        told = {number for number in inside if self._is_told(number)}
        again = len(told & self._before)
        if not again:
            return ""
        return " (as above)" if again == len(told) else f" ({again:,} as above)"
