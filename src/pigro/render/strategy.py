"""A strategy for a composition as text: who wins on which parts, and how, position by position.

The walk begins at the start and goes on where the winner goes, or the loser may go. Each position
is told once. Labels are told with what rests on them; fixpoints and variables only stand for what
is inside them, so they are not told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.strategy_replay import Rules
from pigro.logic.modal import AND, ATOM, MU, NEGATED, OR
from pigro.logic.modal_text import modal_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence import Strategy
    from pigro.evidence.strategy_replay import Place
    from pigro.model.composition import Composition

_SHOWN = 12
"""Lines of the walk."""
_LONGEST = 60
"""Characters of a formula inside a line."""
_LONGEST_NAME = 40


def strategy_lines(
    composition: Composition, strategy: Strategy, most: int | None = _SHOWN
) -> list[str]:
    """What a strategy says, line by line; at most so many positions, or all.

    Needs: a strategy that shows its verdict.

    >>> from pigro import Composition, PartBuilder
    >>> from pigro.engines.game import compose_check
    >>> one = PartBuilder("one", labels=["p", "go"]).state("a", "p", initial=True).step("a", "a")
    >>> two = PartBuilder("two", labels=["q", "go"]).state("b", initial=True).step("b", "b")
    >>> system = Composition([one.build(), two.build()])
    >>> verdict = compose_check(system, "AG p", witness=True)
    >>> for line in strategy_lines(system, verdict.evidence):
    ...     print(line)
    it holds: a strategy of 5 positions wins on part one
    one=a: p & [] AG p holds, for both sides do: p is true
    one=a: [] AG p holds, with the one step
    """
    walk = _Walk(composition, strategy)
    lines = [walk.headline()]
    for line in walk.lines():
        if most is not None and len(lines) > most:
            left = strategy.positions - walk.before
            lines.append(f"... and {left:,} more position{'s' if left != 1 else ''}")
            break
        lines.append(line)
    return lines


class _Walk:
    """Goes from claim to claim."""

    def __init__(self, composition: Composition, strategy: Strategy) -> None:
        self._composition, self._strategy = composition, strategy
        self._rules = Rules(composition, strategy)
        self._form = strategy.form
        self._texts = [
            printable(text, _LONGEST)
            for text in modal_texts(strategy.formula, dead_ends=strategy.dead_ends, limit=_LONGEST)
        ]
        self.before = 0
        """Positions told, or told with others, before the line that comes next."""

    def headline(self) -> str:
        strategy = self._strategy
        by_layer = [
            f"{len(layer.claims):,} on {self._parts(layer.parts)}"
            for layer in sorted(strategy.layers, key=lambda layer: len(layer.parts))
        ]
        count = strategy.positions
        told = f"a strategy of {count:,} position{'s' if count != 1 else ''} wins"
        where = f": {'; '.join(by_layer)}"
        if len(by_layer) == 1:
            where = f" on {self._parts(strategy.layers[0].parts)}"
        return f"it {'holds' if strategy.holds else 'fails'}: {told}{where}"

    def _parts(self, parts: Sequence[int]) -> str:
        names = []
        for part in parts:
            name = printable(self._composition.parts[part].name, _LONGEST_NAME)
            blocks = self._strategy.parts[part]
            names.append(name if blocks is None else f"{name} (by blocks)")
        return f"part{'s' if len(names) > 1 else ''} {', '.join(names)}"

    def lines(self) -> Iterator[str]:
        pending = self._rules.starts()[::-1]
        seen = set(pending)
        told = 0
        while pending:
            place = pending.pop()
            told += 1
            rests = self._rules.rests_on(*place)
            op = self._form.ops[place[1][1]]
            is_start = told == 1 and not rests
            fresh = [each for each in rests if each not in seen]
            seen.update(fresh)
            literals = [each for each in fresh if self._op(each) <= NEGATED]
            told += len(literals)
            pending += [each for each in reversed(fresh) if self._op(each) > NEGATED]
            if op < MU and (op > NEGATED or is_start):
                yield self._line(place, rests)
            self.before = told

    def _op(self, place: Place) -> int:
        return self._form.ops[place[1][1]]

    def _line(self, place: Place, rests: Sequence[Place]) -> str:
        at, (states, node) = place
        layer = self._strategy.layers[at]
        op, move = self._op(place), layer.claims[states, node]
        where = self._where(layer.parts, states)
        if op <= NEGATED:
            return f"{where}: {self._label(node)}"
        does = f"{where}: {self._texts[node]} {'holds' if self._strategy.holds else 'fails'}"
        if move is not None and op in {AND, OR}:
            return f"{does}, for {self._son(move.node)}"
        if move is not None:
            by = f" by {printable(move.action, _LONGEST_NAME)}" if move.action else ""
            after = self._where(layer.parts, move.states)
            return f"{does}, by the step{by} to {after}{self._labels(rests, ', where ')}"
        if op in {AND, OR}:
            return f"{does}, for both sides do{self._labels(rests, ': ')}"
        return f"{does}, {self._next(at, rests)}"

    def _next(self, at: int, rests: Sequence[Place]) -> str:
        if not rests:
            return "for there is no next position"
        smaller = dict.fromkeys(place[0] for place in rests if place[0] != at)
        layers = [self._parts(self._strategy.layers[each].parts) for each in sorted(smaller)]
        count = len(rests)
        which = f"whichever of {count:,} positions is next" if count > 1 else "with the one step"
        if not layers:
            return which
        some = "" if all(place[0] in smaller for place in rests) else "some "
        return f"{which}, {some}decided by {' or '.join(layers)} alone"

    def _son(self, node: int) -> str:
        return self._label(node) if self._form.ops[node] <= NEGATED else f"{self._texts[node]} does"

    def _label(self, node: int) -> str:
        """What a label is, for the winner wins with it."""
        if self._form.ops[node] not in {ATOM, NEGATED}:
            return self._texts[node]
        value = (self._form.ops[node] == ATOM) is self._strategy.holds
        atom = printable(self._form.atoms[self._form.left[node]], _LONGEST_NAME)
        return f"{atom} is {'true' if value else 'false'}"

    def _labels(self, rests: Sequence[Place], lead: str) -> str:
        told = [self._label(place[1][1]) for place in rests if self._op(place) <= NEGATED]
        return f"{lead}{', '.join(told)}" if told else ""

    def _where(self, parts: Sequence[int], states: Sequence[int]) -> str:
        names = []
        for part, state in zip(parts, states, strict=True):
            name = printable(self._composition.parts[part].name, _LONGEST_NAME)
            of = self._rules.parts[part].states[state]
            names.append(f"{name}={printable(of, _LONGEST_NAME)}")
        return ", ".join(names)
