"""A strategy for a composition as text: who wins on which parts, and how, position by position.

The walk begins at the start and goes on where the winner goes, or the loser may go. Each position
is told once. What leads to one that was told before says so. Labels are told with what rests on
them. Fixpoints and variables only stand for their bodies. They are not told or counted as
positions of their own, unless there is nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.strategy.replay import Place, StrategyRules
from pigro.evidence.strategy.strategy import AbstractPart
from pigro.evidence.words import LONGEST_NAME, FormWords, cut
from pigro.logic.modal import AND, MU, OR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence import Strategy
    from pigro.model.composition import Composition

SHOWN = 40
"""Lines of the walk."""


def strategy_lines(
    composition: Composition, strategy: Strategy, most: int | None = SHOWN
) -> list[str]:
    """What a strategy says, line by line. At most so many positions, or all.

    Of a strategy that does not branch there are half as many more, those at its end.

    Needs: a strategy that shows its verdict.

    >>> from pigro import Composition, PartBuilder
    >>> from pigro import compose_check
    >>> one = PartBuilder("one", labels=["p", "go"]).state("a", "p", initial=True).step("a", "a")
    >>> two = PartBuilder("two", labels=["q", "go"]).state("b", initial=True).step("b", "b")
    >>> system = Composition([one.build(), two.build()])
    >>> verdict = compose_check(system, "AG p", witness=True)
    >>> for line in strategy_lines(system, verdict.evidence):
    ...     print(line)
    it holds: a strategy of 2 positions wins on part one
    one=a: p & [] AG p holds, because both sides do: p is true
    one=a: [] AG p holds, with the one step (as above)
    """
    walk = StrategyText(composition, strategy)
    return cut(walk.headline(), walk.lines(), walk.count, most, lambda: walk.branches)


class StrategyText:
    """Goes from claim to claim, and says each."""

    def __init__(self, composition: Composition, strategy: Strategy) -> None:
        self._composition, self._strategy = composition, strategy
        self.rules = StrategyRules(composition, strategy)
        self.words = FormWords(strategy.formula, holds=strategy.holds, dead_ends=strategy.dead_ends)
        self._counts = [
            sum(self.words.is_told(node) for _, node in layer.claims) for layer in strategy.layers
        ]
        self.count = sum(self._counts)
        """How many positions there are to tell."""
        self.branches = False
        """Whether there was more than one way to go on."""
        self._before = set[Place]()
        """Positions that were told."""

    def headline(self) -> str:
        strategy, count = self._strategy, self.count
        by_layer = [
            (f"{number:,} on ", self._parts(layer.parts))
            for layer, number in sorted(
                zip(strategy.layers, self._counts, strict=True), key=lambda pair: len(pair[0].parts)
            )
            if number
        ]
        told = f"a strategy of {count:,} position{'s' if count != 1 else ''} wins"
        if not strategy.is_whole:
            told = f"a strategy wins that is too large to show; {count:,} of its positions are here"
        where = ": " + "; ".join(number + parts for number, parts in by_layer)
        if len(by_layer) == 1:
            where = f" on {by_layer[0][1]}" if strategy.is_whole else f", on {by_layer[0][1]}"
        return f"it {'holds' if strategy.holds else 'fails'}: {told}{where}"

    def _parts(self, parts: Sequence[int]) -> str:
        names = []
        for part in parts:
            name = printable(self._composition.parts[part].name, LONGEST_NAME)
            by_blocks = isinstance(self._strategy.parts[part], AbstractPart)
            names.append(f"{name} (by blocks)" if by_blocks else name)
        return f"part{'s' if len(names) > 1 else ''} {', '.join(names)}"

    def lines(self) -> Iterator[str]:
        starts = dict.fromkeys([self._inside(place) for place in self.rules.starts()])
        pending = [place for place in starts if self._is_told(place)][::-1]
        seen = set(pending)
        while pending:
            self.branches |= len(pending) > 1
            place = pending.pop()
            rests = [self._inside(each) for each in self.rules.rests_on(*place)]
            self._before.add(place)
            yield f"{self.where(place)}: {self.says(place, rests)}"
            fresh = [each for each in dict.fromkeys(rests) if each not in seen]
            fresh = [each for each in fresh if self._is_told(each)]
            seen.update(fresh)
            pending += reversed(fresh)

    def _inside(self, place: Place) -> Place:
        """What a fixpoint or variable stands for: there is something inside."""
        while self._op(place) >= MU and self.rules.is_there(place):
            (place,) = self.rules.rests_on(*place)
        return place

    def _is_told(self, place: Place) -> bool:
        return self.words.is_told(place[1][1]) and self.rules.is_there(place)

    def _op(self, place: Place) -> int:
        return self.words.form.ops[place[1][1]]

    def _again(self, rests: Sequence[Place]) -> str:
        """Says so if what comes next was told before."""
        told = {place for place in rests if self.words.is_told(place[1][1])}
        again = len(told & self._before)
        if not again:
            return ""
        return " (as above)" if again == len(told) else f" ({again:,} as above)"

    def where(self, place: Place) -> str:
        """The states of the parts that a claim is about."""
        at, (states, _) = place
        return self._states(self._strategy.layers[at].parts, states)

    def says(self, place: Place, rests: Sequence[Place]) -> str:
        """How a claim is won by those that it rests on."""
        at, (states, node) = place
        layer = self._strategy.layers[at]
        op, move = self._op(place), layer.claims[states, node]
        if self.words.is_literal(node):
            return self.words.label(node)
        if op >= MU:
            how = "as what it stands for"
        elif move is not None and op in {AND, OR}:
            how = f"because {self.words.operand(move.node, 'does')}"
        elif move is not None:
            by = f" by {printable(move.action, LONGEST_NAME)}" if move.action else ""
            after = " or ".join([self._states(layer.parts, goal) for goal in move.goals])
            how = f"by the step{by} to {after}{self._labels(rests, ', where ')}"
        elif op in {AND, OR}:
            how = self.words.both(node, self._labels(rests, ": "))
        else:
            how = self._next(at, rests)
        return f"{self.words.texts[node]} {self.words.verb}, {how}{self._again(rests)}"

    def _next(self, at: int, rests: Sequence[Place]) -> str:
        if not rests:
            return "because there is no next position"
        smaller = dict.fromkeys(place[0] for place in rests if place[0] != at)
        layers = [self._parts(self._strategy.layers[each].parts) for each in sorted(smaller)]
        count = len(rests)
        which = f"whichever of {count:,} positions is next" if count > 1 else "with the one step"
        if not layers:
            return which
        some = "" if all(place[0] in smaller for place in rests) else "some "
        return f"{which}, {some}decided by {' or '.join(layers)} alone"

    def _labels(self, rests: Sequence[Place], lead: str) -> str:
        return self.words.labels((node for _, (_, node) in rests), lead)

    def _states(self, parts: Sequence[int], states: Sequence[int]) -> str:
        names = []
        for part, state in zip(parts, states, strict=True):
            name = printable(self._composition.parts[part].name, LONGEST_NAME)
            of = self.rules.parts[part].states[state]
            names.append(f"{name}={printable(of, LONGEST_NAME)}")
        return ", ".join(names)
