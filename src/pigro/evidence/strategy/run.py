"""A strategy for a composition as a run, where the loser has no choice.

The walk keeps a whole composed state. A claim of a smaller layer leaves parts out, so states are
never taken from claims: the first one is an initial state of the composition, and each step is one
of the product that is there for sure. Where the loser moves, it must be the only one. So a step of
some parts that stands for many of all ends the walk, and `AG p` is no run unless there is one run.

A side of `&` or `|` that needs no step, such as a label, is seen in the state itself.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import PigroError, printable
from pigro.evidence.strategy.replay import StrategyRules
from pigro.evidence.strategy.strategy import AbstractPart
from pigro.evidence.trace import Trace, TraceState, with_changes
from pigro.evidence.words import LONGEST_NAME, FormWords, is_local, on_the_way
from pigro.logic.modal import BOX, DIAMOND, MU
from pigro.model.composition import Composition
from pigro.model.part import TRUE, UNKNOWN
from pigro.model.product import Product

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.evidence.strategy.replay import Place
    from pigro.evidence.strategy.strategy import States, Strategy, StrategyMove
    from pigro.evidence.trace import End
    from pigro.logic import Formula

NOTHING: Mapping[str, bool] = MappingProxyType({})
_MOST = 10_000
"""States of a run."""
_STUCK: Place = (-1, ((), -1))
"""In place of a claim: there is no next state."""


class StrategyRun(NamedTuple):
    """A run of composed states, and what is claimed in each of them."""

    states: tuple[States, ...]
    end: End
    start: int | None
    claimed: tuple[tuple[int, ...], ...]
    """Subformulas, by their numbers in the modal form."""


def strategy_trace(composition: Composition, strategy: Strategy) -> Trace | None:
    """The run that a strategy is. None if it is none."""
    found = strategy_run(composition, strategy)
    if found is None:
        return None
    words = FormWords(strategy.formula, holds=strategy.holds, dead_ends=strategy.dead_ends)
    product = Product(Composition(strategy.played_on(composition)))
    states = [
        composed_state(
            product,
            states,
            strategy.formula,
            {words.texts[node]: strategy.holds for node in dict.fromkeys(claimed)},
        )
        for states, claimed in zip(found.states, found.claimed, strict=True)
    ]
    return Trace(with_changes(states), found.end, found.start)


def composed_state(
    product: Product, states: States, formula: Formula, truths: Mapping[str, bool] = NOTHING
) -> TraceState:
    """A state of a trace: the states of all parts, and the labels that are known there."""
    named = [
        (printable(part.name, LONGEST_NAME), printable(part.states[state], LONGEST_NAME))
        for part, state in zip(product.parts, states, strict=True)
    ]
    values = {atom: product.value(states, atom) for atom in formula.atoms}
    return TraceState(
        name=", ".join([f"{name}={state}" for name, state in named]),
        state=states,
        labels=tuple([atom for atom, value in values.items() if value == TRUE]),
        unknown=tuple([atom for atom, value in values.items() if value == UNKNOWN]),
        variables=dict(named),
        truths=truths,
    )


def strategy_run(composition: Composition, strategy: Strategy) -> StrategyRun | None:
    """The run of a strategy that shows its verdict. None if the loser has a choice."""
    if not strategy.is_whole or any(isinstance(each, AbstractPart) for each in strategy.parts):
        return None
    try:
        return _StrategyRunBuilder(composition, strategy).run()
    except PigroError:  # a state has too many next states to look at them all
        return None


class _StrategyRunBuilder:
    """Goes from claim to claim, as long as there is one way."""

    def __init__(self, composition: Composition, strategy: Strategy) -> None:
        self._strategy, self._form = strategy, strategy.form
        self._rules = StrategyRules(composition, strategy)
        self._product = Product(self._rules.composition)
        self._states: list[States] = []
        self._claimed: list[list[int]] = []

    def run(self) -> StrategyRun | None:
        """The whole run."""
        place = self._begin()
        seen: dict[tuple[States, Place], int] = {}
        while place is not None:
            at = len(self._states) - 1
            key = self._states[-1], place
            if key in seen:
                return self._again(seen[key])
            seen[key] = at
            if at > _MOST:
                return None
            self._claimed[-1].append(place[1][1])
            if self._is_local(place[1][1]):
                return self._ended("open")
            following = self._next(place)
            if following is None:
                return None
            if following is _STUCK:
                return self._ended("stays")
            place = following
        return None

    def _begin(self) -> Place | None:
        """The claim of the whole formula, in the one initial state that counts."""
        places = self._rules.starts()
        if len(places) != 1:
            return None
        [(at, (states, _))] = places
        parts = self._strategy.layers[at].parts
        found = self._rules.composition.starts_with(dict(zip(parts, states, strict=True)))
        sure = [each for each in found if self._rules.composition.is_sure(each)]
        if not sure or (self._strategy.holds and len(found) != 1):
            return None
        self._add(tuple(sure[0]))
        return places[0]

    def _add(self, states: States) -> None:
        self._states.append(states)
        self._claimed.append([])

    def _is_local(self, node: int) -> bool:
        return is_local(self._form, node)

    def _next(self, place: Place) -> Place | None:
        """The claim that comes next. `_STUCK` if there is no step, None if the loser can choose."""
        at, (states, node) = place
        op, layer = self._form.ops[node], self._strategy.layers[at]
        move = layer.claims[states, node]
        rests = self._rules.rests_on(at, (states, node))
        if op in {DIAMOND, BOX}:
            right = self._form.right[node]
            names = None if right < 0 else self._form.actions[right]
            if move is not None:
                return rests[0] if self._moved(layer.parts, move) else None
            return self._forced(rests, names)
        if op >= MU or move is not None:
            return rests[0]
        nodes = [each[1][1] for each in rests]
        far = on_the_way(self._form, nodes)
        self._claimed[-1] += [each for at, each in enumerate(nodes) if at not in far]
        return rests[0] if not far else rests[far[0]] if len(far) == 1 else None

    def _moved(self, parts: Sequence[int], move: StrategyMove) -> bool:
        """Makes a step of the winner. Parts that do not take part in it stay."""
        if move.others:
            return False
        here, to = self._states[-1], dict(zip(parts, move.states, strict=True))
        after = tuple([to.get(part, state) for part, state in enumerate(here)])
        if (move.action or "", after, True) not in self._product.moves(here):
            return False
        self._add(after)
        return True

    def _forced(self, rests: list[Place], names: Sequence[str] | None) -> Place | None:
        """Makes the one step that the loser has."""
        moves = self._product.moves(self._states[-1])
        moves = [each for each in moves if names is None or each[0] in names]
        targets = {target for _, target, _ in moves}
        if not targets:
            return _STUCK
        sure = any(must for _, _, must in moves)
        if len(targets) != 1 or not sure:
            return None
        [after] = targets
        self._add(after)
        fitting = [
            (at, (states, node))
            for at, (states, node) in rests
            if tuple([after[part] for part in self._strategy.layers[at].parts]) == states
        ]
        return fitting[0] if fitting else None

    def _again(self, first: int) -> StrategyRun:
        """A state comes again, with the same claim."""
        if first == len(self._states) - 1:  # without a step: nothing more is needed
            return self._ended("open")
        del self._states[-1], self._claimed[-1]
        return self._ended("loop", first)

    def _ended(self, end: End, start: int | None = None) -> StrategyRun:
        return StrategyRun(tuple(self._states), end, start, tuple(map(tuple, self._claimed)))
