"""Three-valued parity games, decided by trying all strategies, and the game of a formula.

Nodes belong to player 0, to player 1 or to nobody (a tie; such nodes end the play). A player loses
where it is his turn and there is no edge. Who uses an edge that is no must edge gives up winning.
An infinite play is won by player 0 if the greatest priority that occurs forever is even.

A player wins a node if some choice of one edge in each of his nodes wins every play from it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from oracle.mu_formula import Formula, everything_in, pnf

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from random import Random

    from oracle.mu_structures import Structure, Value

NOBODY = 2
Edge = tuple[int, bool]
Node = tuple[int, Formula]


@dataclass(frozen=True)
class Game:
    """For each node its owner (0, 1 or NOBODY), priority, and edges (target, is it a must edge?)."""

    owner: tuple[int, ...]
    priority: tuple[int, ...]
    edges: tuple[tuple[Edge, ...], ...]

    @property
    def nodes(self) -> range:
        return range(len(self.owner))

    def strategies(self, player: int) -> int:
        """How many strategies would be tried for this player."""
        return prod(len(_choices(self, node, player)) for node in self.nodes)


def winners(game: Game) -> list[Value]:
    """For each node: True if player 0 wins it, False if player 1 does, None if nobody."""
    won = [_won_by(game, player) for player in (0, 1)]
    assert not won[0] & won[1]
    return [True if node in won[0] else False if node in won[1] else None for node in game.nodes]


def _won_by(game: Game, player: int) -> set[int]:
    found: set[int] = set()
    for strategy in product(*(_choices(game, node, player) for node in game.nodes)):
        found |= _won_with(game, player, strategy)
    return found


def _choices(game: Game, node: int, player: int) -> list[list[int] | None]:
    """The rows of targets to try. None where the player can't go on and still win."""
    if game.owner[node] == player:
        return [[target] for target, must in game.edges[node] if must] or [None]
    return [[target for target, _ in game.edges[node]]] if game.owner[node] != NOBODY else [None]


def _won_with(game: Game, player: int, rows: tuple[list[int] | None, ...]) -> set[int]:
    """The nodes from where every play that conforms to the strategy is won."""
    reach = [_reached(rows, node, max(game.priority, default=0), game) for node in game.nodes]
    lost = {node for node in game.nodes if rows[node] is None}
    for node in game.nodes:
        priority = game.priority[node]
        if priority % 2 != player and any(
            game.priority[target] <= priority and node in _reached(rows, target, priority, game)
            for target in rows[node] or ()
        ):
            lost.add(node)
    return {node for node in game.nodes if not lost & reach[node]}


def _reached(rows: tuple[list[int] | None, ...], start: int, most: int, game: Game) -> set[int]:
    """What is reached from the start, including it, through nodes of no greater priority."""
    seen = [start]
    for node in seen:
        seen += [t for t in rows[node] or () if game.priority[t] <= most and t not in seen]
    return set(seen)


def game_of(structure: Structure, formula: Formula) -> tuple[Game, dict[Node, int]]:
    """The game for a formula from the initial states: node (s, f) is won by 0 iff f holds in s."""
    f = pnf(formula)
    bodies = {g[1]: g[2] for g in everything_in(f) if g[0] in ("mu", "nu")}
    priorities = _priorities(f)
    owners, edges = [], []
    starts = dict.fromkeys((state, f) for state in structure.initial)
    nodes: dict[Node, int] = {node: index for index, node in enumerate(starts)}
    todo = list(nodes)
    for state, g in todo:
        owner, after = _rule(structure, state, g, bodies)
        for node in after:
            if node not in nodes:
                nodes[node] = len(nodes)
                todo.append(node)
        owners.append(owner)
        edges.append(tuple((nodes[node], must) for node, must in after.items()))
    priority = tuple(priorities[g[1]] if g[0] == "var" else 0 for _, g in todo)
    return Game(tuple(owners), priority, tuple(edges)), nodes


def _rule(
    structure: Structure, state: int, f: Formula, bodies: Mapping[str, Formula]
) -> tuple[int, dict[Node, bool]]:
    match f:
        case ("true",):
            return 1, {}
        case ("false",):
            return 0, {}
        case ("atom", name):
            return {True: 1, False: 0, None: NOBODY}[structure.labels[state][name]], {}
        case ("not", ("atom", name)):
            return {True: 0, False: 1, None: NOBODY}[structure.labels[state][name]], {}
        case ("and" | "or" as kind, g, h):
            return int(kind == "and"), {(state, g): True, (state, h): True}
        case ("dia" | "box" as kind, actions, g):
            after = {(t, g): False for t in structure.after(state, actions)}
            after |= {(t, g): True for t in structure.after(state, actions, must=True)}
            return int(kind == "box"), after
        case ("mu" | "nu", name, _):
            return 0, {(state, ("var", name)): True}
        case ("var", name):
            return 0, {(state, bodies[name]): True}
    raise ValueError(f)


def _priorities(f: Formula) -> dict[str, int]:
    """For each variable a priority, the greater the more is inside. Odd for mu, even for nu."""
    found: dict[str, int] = {}
    for g in reversed(list(everything_in(f))):
        if g[0] in ("mu", "nu"):
            inside = (found[h[1]] for h in everything_in(g[2]) if h[0] in ("mu", "nu"))
            least = max(inside, default=0)
            found[g[1]] = least + (least % 2 != (g[0] == "mu"))
    return found


def random_game(rng: Random, most: int = 7, *, priorities: int = 5) -> Game:
    """A game of up to `most` nodes."""
    nodes = range(rng.randint(1, most))
    tie, end, may = rng.choice((0.0, 0.1)), rng.choice((0.0, 0.1)), rng.choice((0.0, 0.3, 0.6))
    owner = [NOBODY if rng.random() < tie else rng.randrange(2) for _ in nodes]
    edges = []
    for node in nodes:
        none = owner[node] == NOBODY or rng.random() < end
        targets = {rng.choice(nodes) for _ in range(0 if none else rng.randint(1, 3))}
        edges.append(tuple((target, rng.random() >= may) for target in sorted(targets)))
    return Game(tuple(owner), tuple(rng.randrange(priorities) for _ in nodes), tuple(edges))


def smaller_games(game: Game) -> Iterator[Game]:
    """The games with one node less, one edge less, or a smaller priority."""
    for gone in game.nodes:
        kept = [node for node in game.nodes if node != gone]
        yield Game(
            tuple(game.owner[node] for node in kept),
            tuple(game.priority[node] for node in kept),
            tuple(
                tuple((kept.index(t), must) for t, must in game.edges[node] if t != gone)
                for node in kept
            ),
        )
    for node in game.nodes:
        for edge in game.edges[node]:
            row = tuple(each for each in game.edges[node] if each != edge)
            yield replace(
                game, edges=tuple(row if i == node else e for i, e in enumerate(game.edges))
            )
        if game.priority[node]:
            less = game.priority[node] - 1
            yield replace(
                game,
                priority=tuple(less if i == node else p for i, p in enumerate(game.priority)),
            )
