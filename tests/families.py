"""Model families that tests and benchmarks share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pigro

if TYPE_CHECKING:
    from pigro.model import RSM


def permutations(exits: int) -> RSM:
    """One recursive component with two boxes, of which one rotates the exits and one swaps two.

    Every permutation of the exits waits somewhere, so that `AG (EF EG p | EF EG !p)` needs exponentially many contexts.
    """
    model = pigro.ModelBuilder()
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
