"""Checking part by part: each part alone, then what stays open of the parts before with the next.

After [Shoham2010], Fig. 4, for any number of parts. A *layer* is the first part, the first two, and
so on. Parts outside of it are unknown. A definite value on a layer is the answer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.verdict.composition_details import LayerReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro import _core
    from pigro.engines.game.setting import GameSetup, Tick


@dataclass(frozen=True, slots=True)
class LayerGames:
    """The games on the layers of a system, as many as were needed."""

    alone: list[_core.PartGame]
    """Of each part. Fewer if one of them decided."""
    products: list[_core.ProductGame]
    """Of the first two parts, the first three, and so on."""
    reports: list[LayerReport]

    @property
    def last(self) -> _core.Game:
        """The game that decided, or that on all parts."""
        return self.products[-1] if self.products else self.alone[-1]

    @property
    def value(self) -> bool | None:
        """The value that was found."""
        return self.reports[-1].value


def play(
    setting: GameSetup,
    tick: Tick | None,
    known: Sequence[bytes] | None = None,
    most: int | None = None,
) -> LayerGames:
    """Plays the games on parts alone, then on products, until there is a definite value.

    `known` has the known values of each part's positions, as `Setting.part_game` takes it. With it,
    the game on all parts is watched. No more games are played than `most`.
    """
    played = LayerGames([], [], [])
    count = len(setting.parts)
    learns = known is not None
    for at in range(count):
        began = time.perf_counter()
        game = setting.part_game(at, None if known is None else known[at], tick)
        game.solve(tick)
        played.alone.append(game)
        played.reports.append(_report(setting, game, range(at, at + 1), began, tick))
        if played.value is not None or len(played.reports) == most:
            return played
    for at in range(1, count):
        began = time.perf_counter()
        left = played.products[-1] if at > 1 else played.alone[0]
        last = at == count - 1
        product = setting.product(
            left, played.alone[at], at, tick, decided=learns and not last, watch=learns and last
        )
        product.solve(tick)
        played.products.append(product)
        played.reports.append(_report(setting, product, range(at + 1), began, tick))
        if played.value is not None or len(played.reports) == most:
            break
        if learns and not last:
            product.forget()
    return played


def play_all(setting: GameSetup, tick: Tick | None) -> LayerGames:
    """Plays the one game on all parts, composed without any regard to what can be left out."""
    began = time.perf_counter()
    games = [setting.part_game(at, None, tick) for at in range(len(setting.parts))]
    products: list[_core.ProductGame] = []
    for at in range(1, len(games)):
        left = products[-1] if products else games[0]
        products.append(setting.product(left, games[at], at, tick, everything=True))
    played = LayerGames(games, products, [])
    played.last.solve(tick)
    played.reports.append(_report(setting, played.last, range(len(games)), began, tick))
    return played


def _report(
    setting: GameSetup, game: _core.Game, layer: range, began: float, tick: Tick | None
) -> LayerReport:
    value = setting.value(game, layer)
    open_nodes, open_edges = (0, 0) if value is not None else game.open_size(tick)
    spent = time.perf_counter() - began
    return LayerReport(tuple(layer), value, game.nodes, game.edges, open_nodes, open_edges, spent)
