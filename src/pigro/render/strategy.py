"""A strategy for a composition as text: who wins on which parts, and how, position by position.

The walk begins at the start and goes on where the winner goes, or the loser may go. Each position
is told once; what leads to one that was told before says so. Labels are told with what rests on
them; fixpoints and variables only stand for what is inside them. Neither are told or counted as
positions of their own, unless there is nothing else.

A strategy that is cut is cut at its end; but where nothing branches, there is one run to tell, and
the end is its point: then the cut is before the last lines.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.strategy_replay import Place, Rules
from pigro.logic.modal import AND, ATOM, MU, NEGATED, OR, VAR, modal_origins
from pigro.logic.modal_text import modal_texts
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence import Strategy
    from pigro.model.composition import Composition

_SHOWN = 40
"""Lines of the walk."""
_LONGEST = 60
"""Characters of a formula inside a line."""
_LONGEST_NAME = 40


def strategy_lines(
    composition: Composition, strategy: Strategy, most: int | None = _SHOWN
) -> list[str]:
    """What a strategy says, line by line; at most so many positions, or all.

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
    one=a: p & [] AG p holds, for both sides do: p is true
    one=a: [] AG p holds, with the one step (as above)
    """
    walk = _Walk(composition, strategy)
    lines = [walk.headline()]
    last = deque[str](maxlen=0 if most is None else most // 2)
    for line in walk.lines():
        if most is None or len(lines) <= most:
            lines.append(line)
        elif walk.branches:
            last.clear()
            break
        else:
            last.append(line)
    left = walk.count - (len(lines) - 1) - len(last)
    if left > 0:
        more = f"{left:,} more position{'s' if left != 1 else ''}"
        lines.append(f"... {more}, and then:" if last else f"... and {more}")
    return [*lines, *last]


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
        origins = modal_origins(strategy.formula, dead_ends=strategy.dead_ends)
        ops = strategy.formula.ops
        self._origins = {
            node: Op(ops[at]) if plain else Op.NOT for node, (at, plain) in origins.items()
        }
        bodies = [self._form.left[node] for node, op in enumerate(self._form.ops) if op == VAR]
        self._alone = {self._form.root, *bodies}
        self._counts = [
            sum(self._is_told(node) for _, node in layer.claims) for layer in strategy.layers
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
        where = ": " + "; ".join(number + parts for number, parts in by_layer)
        if len(by_layer) == 1:
            where = f" on {by_layer[0][1]}"
        return f"it {'holds' if strategy.holds else 'fails'}: {told}{where}"

    def _parts(self, parts: Sequence[int]) -> str:
        names = []
        for part in parts:
            name = printable(self._composition.parts[part].name, _LONGEST_NAME)
            blocks = self._strategy.parts[part]
            names.append(name if blocks is None else f"{name} (by blocks)")
        return f"part{'s' if len(names) > 1 else ''} {', '.join(names)}"

    def lines(self) -> Iterator[str]:
        starts = [self._inside(place) for place in self._rules.starts()]
        pending = [place for place in dict.fromkeys(starts) if self._is_told(place[1][1])][::-1]
        seen = set(pending)
        while pending:
            self.branches |= len(pending) > 1
            place = pending.pop()
            rests = [self._inside(each) for each in self._rules.rests_on(*place)]
            self._before.add(place)
            yield self._line(place, rests)
            fresh = [each for each in dict.fromkeys(rests) if each not in seen]
            fresh = [each for each in fresh if self._is_told(each[1][1])]
            seen.update(fresh)
            pending += reversed(fresh)

    def _inside(self, place: Place) -> Place:
        """What a fixpoint or variable stands for: there is something inside."""
        while self._op(place) >= MU:
            (place,) = self._rules.rests_on(*place)
        return place

    def _is_told(self, node: int) -> bool:
        op = self._form.ops[node]
        return NEGATED < op < MU or (op <= NEGATED and node in self._alone)

    def _op(self, place: Place) -> int:
        return self._form.ops[place[1][1]]

    def _again(self, rests: Sequence[Place]) -> str:
        """Says so if what comes next was told before."""
        told = {place for place in rests if self._is_told(place[1][1])}
        again = len(told & self._before)
        if not again:
            return ""
        return " (as above)" if again == len(told) else f" ({again:,} as above)"

    def _line(self, place: Place, rests: Sequence[Place]) -> str:
        at, (states, node) = place
        layer = self._strategy.layers[at]
        op, move = self._op(place), layer.claims[states, node]
        where = self._where(layer.parts, states)
        if op <= NEGATED:
            return f"{where}: {self._label(node)}"
        verb = "holds" if self._strategy.holds else "fails"
        does = f"{where}: {self._texts[node]} {verb}"
        again = self._again(rests)
        if move is not None and op in {AND, OR}:
            return f"{does}, for {self._son(move.node, 'does')}{again}"
        if move is not None:
            by = f" by {printable(move.action, _LONGEST_NAME)}" if move.action else ""
            after = self._where(layer.parts, move.states)
            return f"{does}, by the step{by} to {after}{self._labels(rests, ', where ')}{again}"
        if op not in {AND, OR}:
            return f"{does}, {self._next(at, rests)}{again}"
        if self._origins.get(node) not in {None, Op.AND, Op.OR}:
            left, right = self._form.left[node], self._form.right[node]
            return f"{does}, for {self._son(left, verb)}, and {self._son(right, verb)}{again}"
        return f"{does}, for both sides do{self._labels(rests, ': ')}{again}"

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

    def _son(self, node: int, verb: str) -> str:
        is_label = self._form.ops[node] <= NEGATED
        return self._label(node) if is_label else f"{self._texts[node]} {verb}"

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
