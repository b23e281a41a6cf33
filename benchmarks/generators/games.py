"""Parity games of any size, as flat arrays: random ones, and ladders that are hard for recursion.

Random ones are made by numpy, which is loaded when the first is made.
"""

from __future__ import annotations

from array import array
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class FlatGame(NamedTuple):
    """As `pigro.engines.game.solver.solve` takes it."""

    owner: bytes
    priority: array[int]
    offsets: array[int]
    targets: array[int]
    must: bytes


def random_game(nodes: int, priorities: int, may: float, seed: int = 1) -> FlatGame:
    """One to three edges a node, anywhere. Of the edges, some only may be there."""
    import numpy as np

    rng = np.random.default_rng(seed)
    degrees = rng.integers(1, 4, nodes)
    offsets = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    edges = int(offsets[-1])
    return FlatGame(
        rng.integers(0, 2, nodes).astype(np.uint8).tobytes(),
        array("i", rng.integers(0, priorities, nodes).astype(np.int32).tobytes()),
        array("i", offsets.tobytes()),
        array("i", rng.integers(0, nodes, edges).astype(np.int32).tobytes()),
        (rng.random(edges) >= may).astype(np.uint8).tobytes(),
    )


def ladder(rungs: int) -> FlatGame:
    """The game of [Friedmann2011] with so many rungs: it takes recursion Fibonacci-like long.

    Nodes a, b of rungs 1 to n and c, d, e of rungs 0 to n - 1. Owners and small priorities change
    from rung to rung.
    """
    names = [(kind, at) for at in range(rungs + 1) for kind in "abcde"]
    names = [(kind, at) for kind, at in names if (at > 0 if kind in "ab" else at < rungs)]
    number = {name: place for place, name in enumerate(names)}
    owner, priority, offsets, targets = bytearray(), array("i"), array("i", [0]), array("i")
    for kind, at in names:
        odd = at % 2
        belongs, weight, children = {
            "a": (1 - odd, 1 - odd, [("d", at - 1), ("b", at)]),
            "b": (odd, 1 - odd, [("a", at), ("c", at)]),
            "c": (1 - odd, 3 * at + 5, [("b", at + 1), ("d", at)]),
            "d": (odd, 3 * at + 4, [("d", at - 1), ("d", at + 1), ("e", at)]),
            "e": (1 - odd, 3 * at + 3, [("d", at), ("b", at + 1)]),
        }[kind]
        owner.append(belongs)
        priority.append(weight)
        targets.extend(number[child] for child in children if child in number)
        offsets.append(len(targets))
    return FlatGame(bytes(owner), priority, offsets, targets, b"\1" * len(targets))


RANDOM: dict[str, Callable[[int], FlatGame]] = {
    f"random, priorities {count}, may {may}%": partial(random_game, priorities=count, may=may / 100)
    for count in (1, 2, 3, 5, 10, 50)
    for may in (0, 10)
}
"""Families of random games, by name. All their edges must be there, or nine in ten."""
LADDER = "ladder"
