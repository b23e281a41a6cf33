"""Programs with many procedures, of any size, the same for the same seed. Needs NumPy.

Each component is a forward chain with some forward jumps (so that a loop needs recursion), 20 to 60
nodes, 1 to 3 exits. A tenth of its nodes are calls. The first two calls of component c go to
components 2c + 1 and 2c + 2, so that everything is reachable. Others go to one of the next fifty,
and one in fifty to any component, which makes most of them recursive.

Labels are chosen so that the verdicts on `models.FORMULAS` need all that runs can reach:
  end   the exits of the first component, and every node that calls back
  q     as end
  p     one node in twenty
  a     one node in five
  b     every second node, but none with end
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pigro.model import RSM

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ENTRY, _EXIT = 1, 2


def grow(nodes: int, seed: int, exits: tuple[int, int]) -> RSM:
    """A model of about that many declared nodes. Exits are the fewest and the most."""
    return _CallGraphArrays(nodes, seed, exits).model()


class _CallGraphArrays:
    """The model as arrays. The random choices depend on the order of these steps."""

    def __init__(self, nodes: int, seed: int, exits: tuple[int, int]) -> None:
        self.rng = np.random.default_rng(seed)
        self.components = max(3, nodes // 40)
        self.sizes = self.rng.integers(20, 61, self.components).astype(np.int64)
        self.exits = self.rng.integers(exits[0], exits[1] + 1, self.components)
        self.sizes += np.maximum(0, self.exits - 4)
        self.offsets = _starts(self.sizes)
        self.total = int(self.offsets[-1])
        self.component = np.repeat(np.arange(self.components), self.sizes)
        self.local = np.arange(self.total) - self.offsets[self.component]
        self.inner = self.sizes - self.exits  # nodes before the exits
        self.is_exit = self.local >= self.inner[self.component]
        self._choose_calls()
        self._choose_returns()

    def _choose_calls(self) -> None:
        """Never the entry, never the last inner node."""
        wish = self.rng.random(self.total) < 0.1
        wish |= (self.local == 1) | (self.local == 2)
        inside = (self.local > 0) & (self.local < self.inner[self.component] - 1)
        self.callers = np.flatnonzero(wish & inside)
        self.owner = self.component[self.callers]
        self.boxes = len(self.callers)
        rank = (
            np.arange(self.boxes)
            - np.searchsorted(self.owner, np.arange(self.components))[self.owner]
        )
        anywhere = self.rng.integers(0, self.components, self.boxes)
        forward = self.owner + 1 + self.rng.integers(0, 50, self.boxes)
        backward = self.rng.random(self.boxes) < 0.02
        callee = np.where(backward, anywhere, np.minimum(forward, self.components - 1))
        tree = 2 * self.owner + 1 + rank
        self.callee = np.where((rank < 2) & (tree < self.components), tree, callee)

    def _choose_returns(self) -> None:
        """One for each exit of the callee."""
        per_box = self.exits[self.callee]
        self.return_offsets = _starts(per_box)
        self.return_box = np.repeat(np.arange(self.boxes), per_box)
        rank = np.arange(len(self.return_box)) - self.return_offsets[self.return_box]
        callee = self.callee[self.return_box]
        self.return_exits = self.offsets[callee] + self.inner[callee] + rank

    def _edges(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Sources and targets."""
        inner, component, local = self.inner, self.component, self.local
        is_call = np.zeros(self.total, dtype=bool)
        is_call[self.callers] = True
        plain = np.flatnonzero(~self.is_exit & ~is_call)
        last = local[plain] == inner[component[plain]] - 1
        chain, ends = plain[~last], plain[last]
        end_rows = np.repeat(ends, self.exits[component[ends]])
        end_rank = np.arange(len(end_rows)) - np.searchsorted(end_rows, end_rows)
        jumps = chain[self.rng.random(len(chain)) < 0.3]
        room = inner[component[jumps]] - local[jumps]
        jump_to = jumps + 1 + self._below(room - 1)
        callers = self.callers[self.return_box]  # a return goes on behind the call, or jumps
        back_room = inner[self.owner[self.return_box]] - local[callers] - 1
        back_to = callers + 1 + self._below(np.minimum(back_room, 3))
        first_return = self.total + self.boxes
        pairs = [
            (chain, chain + 1),
            (end_rows, self.offsets[component[end_rows]] + inner[component[end_rows]] + end_rank),
            (jumps, jump_to),
            (self.callers, self.total + np.arange(self.boxes)),
            (first_return + np.arange(len(self.return_box)), back_to),
        ]
        sources, targets = zip(*pairs, strict=True)
        return np.concatenate(sources), np.concatenate(targets)

    def _below(self, bounds: NDArray[Any]) -> NDArray[Any]:
        """A number for each bound, from 0 to below it."""
        drawn: NDArray[Any] = (self.rng.random(len(bounds)) * bounds).astype(np.int64)
        return drawn

    def _labels(self) -> dict[str, NDArray[Any]]:
        """Nodes by label."""
        end = np.zeros(self.total, dtype=bool)
        end[self.callers[self.callee <= self.owner]] = True
        end[: self.sizes[0]] |= self.is_exit[: self.sizes[0]]
        spread = self.rng.random((2, self.total))
        b = (self.rng.random(self.total) < 0.5) & ~end
        chosen = {"p": spread[0] < 0.05, "a": spread[1] < 0.2, "b": b, "q": end, "end": end}
        return {name: _ids(np.flatnonzero(where)) for name, where in chosen.items()}

    def model(self) -> RSM:
        """The model, which starts at the first node."""
        flags = np.where(self.is_exit, _EXIT, 0).astype(np.uint8)
        flags[self.offsets[:-1]] = _ENTRY
        sources, targets = self._edges()
        return RSM.from_arrays(
            component_offsets=_ids(self.offsets),
            node_flags=flags,
            box_offsets=_ids(_starts(np.bincount(self.owner, minlength=self.components))),
            box_callee=_ids(self.callee),
            call_offsets=_ids(np.arange(self.boxes + 1)),
            call_entries=_ids(self.offsets[self.callee]),
            return_offsets=_ids(self.return_offsets),
            return_exits=_ids(self.return_exits),
            edge_sources=_ids(sources),
            edge_targets=_ids(targets),
            labels=self._labels(),
            initial=[0],
        )


def _starts(sizes: NDArray[Any]) -> NDArray[Any]:
    """Where ranges of these sizes begin, and at last where they end."""
    return np.concatenate([[0], np.cumsum(sizes)])


def _ids(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.int32)
