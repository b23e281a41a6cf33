"""Models made for measuring, with known facts about them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from pigro.model import ModelBuilder

if TYPE_CHECKING:
    from pigro.model import RSM

FORMULAS = {
    "AG (p -> EF q)": "holds",
    "AG (p -> AF q)": "holds",
    "EF (a & EG b)": "fails",
    "A [!q U end]": "holds",
}
"""With their verdicts on `call_graph`. Every one needs all that runs can reach."""

NESTED = {
    1: "EG !end",
    2: "EF (p & E [b U a] & EG !end)",
    3: "EF (E [b U (a & EX p)] & EG !end)",
    4: "EF (EX E [b U (a & EX p)] & EG !end)",
    5: "EF (EX E [b U (a & EX E [!b U p])] & EG !end)",
    6: "EF (EX E [b U (a & EX E [!b U (p & EX a)])] & EG !end)",
}
"""By depth of nesting. All fail on `call_graph`, and need all that runs can reach."""

EITHER = "AG (EF EG p | EF EG !p)"
"""Holds on `permutations`, with exponentially many contexts ([Dubslaff2024], section 6.4.1)."""


def without_numpy() -> list[str]:
    """A line on the parts that are left out if NumPy is not there: no `call_graph` can be made."""
    if find_spec("numpy") is not None:
        return []
    return ["generated programs: they need NumPy (pip install numpy)"]


def call_graph(nodes: int, seed: int = 7, exits: tuple[int, int] = (1, 3)) -> RSM:
    """A program of about that many declared nodes (`call_graphs.py`)."""
    from benchmarks.generators.call_graphs import grow

    return grow(nodes, seed, exits)


def permutations(exits: int) -> RSM:
    """One recursive component with two boxes, of which one rotates the exits and one swaps two.

    Every permutation of the exits waits somewhere: `EITHER` needs exponentially many contexts.
    """
    model = ModelBuilder()
    only = model.component("only")
    only.entry("in")
    for i in range(exits):
        only.exit(f"x{i}", labels=["p"] if i < exits // 2 else [])
    rotate = only.box("rotate", calls="only")
    swap = only.box("swap", calls="only")
    only.edge("in", rotate.call("in"), swap.call("in"), *(f"x{i}" for i in range(exits)))
    for i in range(exits):
        only.edge(rotate.returned(f"x{i}"), f"x{(i + 1) % exits}")
        only.edge(swap.returned(f"x{i}"), f"x{(1, 0)[i] if i < 2 else i}")
    return model.build(initial="only:in")
