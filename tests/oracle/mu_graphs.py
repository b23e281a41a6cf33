"""Game graphs of formulas on parts: colours, what is left open, and the product of what is left.

A node is a pair of a state (a number, or a tuple of numbers in a product) and a formula. Its colour
is True (player 0, who wants the formula to hold, wins), False or None (nobody wins).

`whole_graph`     the graph of a structure, coloured
`open_graph`      the least part of it that tells all about the initial nodes without a colour
`product_graph`   the graph of the composition, as far as the open parts have it, coloured
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from oracle.mu_structures import agreement
from oracle.parity import NOBODY, Game, game_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.mu_formula import Formula
    from oracle.mu_structures import Structure, Value

Node = tuple[Any, "Formula"]


@dataclass(frozen=True)
class Graph:
    """Nodes with their owners, priorities, edges (is it a must edge?) and colours."""

    initial: tuple[Node, ...]
    owner: dict[Node, int]
    priority: dict[Node, int]
    edges: dict[Node, dict[Node, bool]]
    colour: dict[Node, Value]

    @property
    def ends(self) -> dict[Node, Value]:
        """The nodes without edges, with their colours."""
        return {node: self.colour[node] for node, after in self.edges.items() if not after}


def solved(game: Game) -> list[Value]:
    """Who wins each node? By nested fixpoints over the priorities, the greatest outermost."""
    won = [_won(game, player) for player in (0, 1)]
    return [True if node in won[0] else False if node in won[1] else None for node in game.nodes]


def _won(game: Game, player: int) -> set[int]:
    everything = set(game.nodes)

    def step(goals: dict[int, set[int]]) -> set[int]:
        found = set()
        for node in game.nodes:
            goal, edges = goals[game.priority[node]], game.edges[node]
            if game.owner[node] == player:
                won = any(must and target in goal for target, must in edges)
            else:
                won = game.owner[node] != NOBODY and all(target in goal for target, _ in edges)
            if won:
                found.add(node)
        return found

    def nested(priorities: list[int], goals: dict[int, set[int]]) -> set[int]:
        if not priorities:
            return step(goals)
        *smaller, priority = priorities
        goal = everything if priority % 2 == player else set()
        while (better := nested(smaller, goals | {priority: goal})) != goal:
            goal = better
        return goal

    return nested(sorted(set(game.priority)), {})


def whole_graph(structure: Structure, formula: Formula) -> Graph:
    """The graph of the formula from the initial states of the structure."""
    game, numbers = game_of(structure, formula)
    nodes = list(numbers)
    return Graph(
        tuple(nodes[: len(set(structure.initial))]),
        dict(zip(nodes, game.owner, strict=True)),
        dict(zip(nodes, game.priority, strict=True)),
        {node: {nodes[t]: must for t, must in game.edges[i]} for node, i in numbers.items()},
        dict(zip(nodes, solved(game), strict=True)),
    )


def can_matter(graph: Graph, node: Node, child: Node) -> bool:
    """Can the child matter for the colour of the node?"""
    if node[1][0] in ("mu", "nu", "var"):
        return True
    return graph.colour[child] is not (graph.owner[node] == 1)


def open_graph(graph: Graph) -> Graph:
    """From the initial nodes to witnesses, and on from those without a colour."""
    seen = dict.fromkeys(graph.initial)
    edges: dict[Node, dict[Node, bool]] = {}
    todo = list(seen)
    for node in todo:
        after = graph.edges[node] if graph.colour[node] is None else {}
        edges[node] = {
            child: must for child, must in after.items() if can_matter(graph, node, child)
        }
        todo += [child for child in edges[node] if child not in seen]
        seen |= dict.fromkeys(edges[node])
    return Graph(
        graph.initial,
        {node: graph.owner[node] for node in edges},
        {node: graph.priority[node] for node in edges},
        edges,
        {node: graph.colour[node] for node in edges},
    )


def product_graph(parts: Sequence[Structure], graphs: Sequence[Graph]) -> Graph:
    """The product of the open graphs of parts without actions, coloured as in the composition."""
    starts = product(*(graph.initial for graph in graphs))
    initial = [_together(each) for each in starts if _agreement(parts, each) is not False]
    edges: dict[Node, dict[Node, bool]] = {}
    todo = list(initial)
    for node in todo:
        if node in edges:
            continue
        edges[node] = {}
        apart = [(state, node[1]) for state in node[0]]
        for children in product(*(g.edges[n] for g, n in zip(graphs, apart, strict=True))):
            same = all(child[1] == children[0][1] for child in children)
            agrees = same and _agreement(parts, children)
            if agrees is not False:
                edges[node][_together(children)] = node[1][0] not in ("dia", "box") or all(
                    agrees and _is_must(part, node[1], n[0], child[0])
                    for part, n, child in zip(parts, apart, children, strict=True)
                )
        todo += edges[node]
    return _coloured(tuple(initial), edges, graphs)


def _agreement(parts: Sequence[Structure], nodes: Sequence[Node]) -> Value:
    return agreement(parts, [state for state, _ in nodes])


def _together(nodes: Sequence[Node]) -> Node:
    return tuple(state for state, _ in nodes), nodes[0][1]


def _is_must(part: Structure, formula: Formula, source: int, target: int) -> bool:
    return target in part.after(source, formula[1], must=True)


def _coloured(
    initial: tuple[Node, ...], edges: dict[Node, dict[Node, bool]], graphs: Sequence[Graph]
) -> Graph:
    """Ends have the colour that one part knows; else they are lost for their owner, or a tie."""
    owner, priority = {}, {}
    for node in edges:
        apart = [(state, node[1]) for state in node[0]]
        pairs = list(zip(graphs, apart, strict=True))
        known = {g.colour[n] for g, n in pairs if not g.edges[n]}
        assert not known >= {True, False}
        if known:
            owner[node] = 1 if True in known else 0 if False in known else NOBODY
        else:
            owner[node] = graphs[0].owner[apart[0]]
        priority[node] = graphs[0].priority[apart[0]]
    number = {node: index for index, node in enumerate(edges)}
    game = Game(
        tuple(owner.values()),
        tuple(priority.values()),
        tuple(
            tuple((number[child], must) for child, must in edges[node].items()) for node in edges
        ),
    )
    colour = dict(zip(edges, solved(game), strict=True))
    return Graph(initial, owner, priority, edges, colour)
