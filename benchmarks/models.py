"""Models made for measuring: programs with many procedures, of any size, the same for the same seed.

Each component is a forward chain with some forward jumps (so that a loop needs recursion), 20 to 60
nodes, 1 to 3 exits; a tenth of its nodes are calls. The first two calls of component c go to
components 2c + 1 and 2c + 2, so that everything is reachable; others go to one of the next fifty, and
one in fifty to any component, which makes most of them recursive.

Labels are chosen so that the verdicts on FORMULAS need the whole model:
  end   the exits of the first component, and every node that calls back
  q     as end
  p     one node in twenty
  a     one node in five
  b     every second node, but none with end
"""

from __future__ import annotations

import numpy as np

import pigro

FORMULAS = {
    "AG (p -> EF q)": True,
    "AG (p -> AF q)": True,
    "EF (a & EG b)": False,
    "A [!q U end]": True,
}
"""With their verdicts; every one needs the whole model."""

NESTED = {
    1: "EG !end",
    2: "EF (p & E [b U a] & EG !end)",
    3: "EF (E [b U (a & EX p)] & EG !end)",
    4: "EF (EX E [b U (a & EX p)] & EG !end)",
    5: "EF (EX E [b U (a & EX E [!b U p])] & EG !end)",
    6: "EF (EX E [b U (a & EX E [!b U (p & EX a)])] & EG !end)",
}
"""By depth of nesting; all fail, and need the whole model."""


def call_graph(nodes: int, seed: int = 7, exits: tuple[int, int] = (1, 3)) -> pigro.RSM:
    """A model of about that many declared nodes."""
    rng = np.random.default_rng(seed)
    components = max(3, nodes // 40)
    sizes = rng.integers(20, 61, components).astype(np.int64)
    exit_counts = rng.integers(exits[0], exits[1] + 1, components)
    sizes += np.maximum(0, exit_counts - 4)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    total = int(offsets[-1])
    component = np.repeat(np.arange(components), sizes)
    local = np.arange(total) - offsets[component]
    inner = sizes - exit_counts  # nodes before the exits
    is_exit = local >= inner[component]
    flags = np.where(is_exit, 2, 0).astype(np.uint8)
    flags[offsets[:-1]] = 1

    # Calls: never the entry, never the last inner node.
    wish = rng.random(total) < 0.1
    wish |= (local == 1) | (local == 2)
    callers = np.flatnonzero(wish & (local > 0) & (local < inner[component] - 1))
    owner = component[callers]
    first_of = np.searchsorted(owner, np.arange(components))
    rank = np.arange(len(callers)) - first_of[owner]
    callee = rng.integers(0, components, len(callers))
    forward = owner + 1 + rng.integers(0, 50, len(callers))
    backward = rng.random(len(callers)) < 0.02
    callee = np.where(backward, callee, np.minimum(forward, components - 1))
    tree = 2 * owner + 1 + rank
    callee = np.where((rank < 2) & (tree < components), tree, callee)
    going_back = callee <= owner

    boxes = len(callers)
    box_offsets = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=components))])
    returns_per_box = exit_counts[callee]
    return_offsets = np.concatenate([[0], np.cumsum(returns_per_box)])
    return_box = np.repeat(np.arange(boxes), returns_per_box)
    return_rank = np.arange(int(return_offsets[-1])) - return_offsets[return_box]
    return_exits = offsets[callee[return_box]] + inner[callee[return_box]] + return_rank

    is_call = np.zeros(total, dtype=bool)
    is_call[callers] = True
    plain = np.flatnonzero(~is_exit & ~is_call)
    last = local[plain] == inner[component[plain]] - 1
    chain = plain[~last]
    ends = plain[last]
    end_rows = np.repeat(ends, exit_counts[component[ends]])
    end_rank = np.arange(len(end_rows)) - np.searchsorted(end_rows, end_rows)
    jumps = chain[rng.random(len(chain)) < 0.3]
    room = inner[component[jumps]] - local[jumps]
    jump_to = jumps + 1 + (rng.random(len(jumps)) * (room - 1)).astype(np.int64)
    back_to = callers[return_box] + 1  # a return goes on behind the call, or jumps
    back_room = inner[owner[return_box]] - local[callers[return_box]] - 1
    back_to = back_to + (rng.random(len(back_to)) * np.minimum(back_room, 3)).astype(np.int64)
    sources = [chain, end_rows, jumps, callers, total + boxes + np.arange(len(return_box))]
    targets = [
        chain + 1,
        offsets[component[end_rows]] + inner[component[end_rows]] + end_rank,
        jump_to,
        total + np.arange(boxes),
        back_to,
    ]

    end = np.zeros(total, dtype=bool)
    end[callers[going_back]] = True
    end[: sizes[0]] |= is_exit[: sizes[0]]
    spread = rng.random((2, total))
    b = (rng.random(total) < 0.5) & ~end
    labels = {
        "p": np.flatnonzero(spread[0] < 0.05),
        "a": np.flatnonzero(spread[1] < 0.2),
        "b": np.flatnonzero(b),
        "q": np.flatnonzero(end),
        "end": np.flatnonzero(end),
    }
    return pigro.RSM.from_arrays(
        component_offsets=_ids(offsets),
        node_flags=flags,
        box_offsets=_ids(box_offsets),
        box_callee=_ids(callee),
        call_offsets=_ids(np.arange(boxes + 1)),
        call_entries=_ids(offsets[callee]),
        return_offsets=_ids(return_offsets),
        return_exits=_ids(return_exits),
        edge_sources=_ids(np.concatenate(sources)),
        edge_targets=_ids(np.concatenate(targets)),
        labels={name: _ids(where) for name, where in labels.items()},
        initial=[0],
    )


def _ids(values: np.ndarray) -> np.ndarray:
    return values.astype(np.int32)
