"""How the winner wins: a strategy, read off games that were solved.

The strategy has a claim for each position that the winner can reach from the initial positions. The
claim belongs to the game that decided the position. If one side of a product has already decided a
position, the position is claimed on that side. A product leaves out moves of the loser that one of
its sides has decided. These moves are claimed on that side, and so on inwards. That can be more
than is needed, because not every move of one side fits the moves of the other. So in the end only
those claims are kept that others rest on, by the rules of the replay.

Refinement remembers the outcomes on coarser blocks, which finer ones need not show again: a
step that a block must have can lead to a block that is split later. So the games are played once
more with nothing remembered, and if that decides nothing, blocks are refined further.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pigro.engines.game.solver import NO, YES
from pigro.evidence.strategy.replay import StrategyRules
from pigro.evidence.strategy.strategy import AbstractPart, ClaimLayer, Strategy, StrategyMove
from pigro.logic.modal import AND, BOX, DIAMOND, NEGATED, OR

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro import _core
    from pigro.engines.game.abstraction import PartAbstraction
    from pigro.engines.game.layers import LayerGames
    from pigro.engines.game.refinement import RefinementRounds
    from pigro.engines.game.setting import GameSetup, Tick
    from pigro.evidence.strategy.replay import Place
    from pigro.evidence.strategy.strategy import Position
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.part import Part


def strategy_of(
    composition: Composition,
    formula: Formula,
    played: LayerGames,
    setting: GameSetup,
    *,
    dead_ends: Literal["stutter", "stop"],
    refinement: RefinementRounds | None = None,
    tick: Tick | None = None,
) -> Strategy:
    """The winner's strategy. Needs: games that were played to a definite value.

    After refinement, `refinement` is what made the parts of the setting, and nothing was remembered
    when the games were played.
    """
    look = _every(256, tick)
    parts: tuple[AbstractPart | None, ...] = (None,) * len(composition.parts)
    if refinement is not None:
        parts = tuple(
            None if abstraction is None else _blocks(abstraction, part)
            for abstraction, part in zip(refinement.abstractions, setting.parts, strict=True)
        )
    assert played.value is not None, "somebody wins"
    layers = _StrategyBuilder(played, setting, look).layers()
    whole = Strategy(formula, dead_ends, played.value, parts, layers)
    return needed(composition, whole, look)


class _StrategyBuilder:
    """Reads claims off games."""

    def __init__(self, played: LayerGames, setting: GameSetup, look: Callable[[], None]) -> None:
        self._setting = setting
        self._form = setting.form
        self._look = look
        self._winner = YES if played.value else NO
        self._choosing = (OR, DIAMOND) if played.value else (AND, BOX)
        self._alone: list[_core.Game] = [*played.alone]
        self._products = played.products
        self._last = played.last
        self._is_whole = len(played.reports) == 1
        """There is one game, which leaves nothing out."""
        games: list[_core.Game] = [*played.alone, *played.products]
        self._games = games
        self._colours = [game.colours() for game in games]
        count = len(played.alone)
        self._parts: list[tuple[int, ...]] = [(at,) for at in range(count)]
        self._parts += [tuple(range(at + 2)) for at in range(len(played.products))]
        self._claims: list[dict[Position, StrategyMove | None]] = [{} for _ in games]
        self._seen = [bytearray(game.nodes) for game in games]
        self._looked_aside = [bytearray(game.nodes) for game in games]
        self._pending: list[tuple[int, int]] = []

    def layers(self) -> tuple[ClaimLayer, ...]:
        """All claims."""
        last = self._games.index(self._last)
        for root in self._last.roots:
            if self._colours[last][root] == self._winner:
                self._push(last, root)
        while self._pending:
            self._look()
            self._claim(*self._pending.pop())
        return tuple(
            ClaimLayer(parts, claims)
            for parts, claims in zip(self._parts, self._claims, strict=True)
            if claims
        )

    def _push(self, at: int, node: int) -> None:
        """A position that the winner wins is to be claimed: where it was decided."""
        game = self._games[at]
        while (sides := self._sides(at, node)) and game.is_fixed(node):
            if self._form.ops[game.formula(node)] <= NEGATED:
                break
            at, node = next(side for side in sides if self._is_won(*side))
            game = self._games[at]
        assert self._is_won(at, node), "every move of the winner leads to a won position"
        if not self._seen[at][node]:
            self._seen[at][node] = 1
            self._pending.append((at, node))

    def _claim(self, at: int, node: int) -> None:
        """Claims a position, and pushes what that rests on."""
        game = self._games[at]
        formula = game.formula(node)
        op = self._form.ops[formula]
        position = (tuple(game.states(node)), formula)
        move = None
        if op in self._choosing:
            children = game.children(node)
            edges = game.move(node)
            name = self._setting.actions[children[edges[0]][1]] if op in {DIAMOND, BOX} else ""
            chosen = [children[edge][0] for edge in edges]
            first, *others = [tuple(game.states(child)) for child in chosen]
            move = StrategyMove(first, game.formula(chosen[0]), name or None, tuple(others))
            for child in chosen:
                self._push(at, child)
        elif op > NEGATED:
            for child, _, _, _ in game.children(node):
                self._push(at, child)
            if op <= BOX and not self._is_whole:
                for side in self._sides(at, node):
                    self._look_aside(*side)
        self._claims[at][position] = move

    def _look_aside(self, at: int, node: int) -> None:
        """Pushes what a side has decided, and a product with it left out."""
        pending = [(at, node)]
        while pending:
            at, node = pending.pop()
            if self._looked_aside[at][node]:
                continue
            self._looked_aside[at][node] = 1
            for child, _, _, _ in self._games[at].children(node):
                if self._is_won(at, child):
                    self._push(at, child)
            pending += self._sides(at, node)

    def _is_won(self, at: int, node: int) -> bool:
        return self._colours[at][node] == self._winner

    def _sides(self, at: int, node: int) -> tuple[tuple[int, int], ...]:
        """The positions that one of a product is made of, and their games."""
        product = at - len(self._alone)
        if product < 0:
            return ()
        left, right = self._products[product].pair(node)
        return (at - 1 if product else 0, left), (product + 1, right)


def needed(composition: Composition, strategy: Strategy, look: Callable[[], None]) -> Strategy:
    """Only what the verdict rests on."""
    rules = StrategyRules(composition, strategy)
    pending: list[Place] = rules.starts()
    kept: list[dict[Position, StrategyMove | None]] = [{} for _ in strategy.layers]
    while pending:
        look()
        at, position = pending.pop()
        if position in kept[at]:
            continue
        kept[at][position] = strategy.layers[at].claims[position]
        pending += reversed(rules.rests_on(at, position))
    layers = zip(strategy.layers, kept, strict=True)
    return replace(
        strategy,
        layers=tuple(ClaimLayer(layer.parts, claims) for layer, claims in layers if claims),
    )


def _blocks(abstraction: PartAbstraction, part: Part) -> AbstractPart:
    """The blocks of a part, with names that differ."""
    names: dict[str, None] = {}
    for name in part.states:
        while name in names:
            name += "'"  # noqa: PLW2901 - until it differs
        names[name] = None
    return AbstractPart(replace(part, states=list(names)), tuple(map(tuple, abstraction.blocks)))


def _every(count: int, tick: Tick | None) -> Callable[[], None]:
    """Looks at the limits each so many calls."""
    if tick is None:
        return lambda: None
    calls = 0

    def look() -> None:
        nonlocal calls
        calls += 1
        if calls % count == 0:
            tick(0)

    return look
