"""How blocks came about: each split makes two blocks of one. The blocks of a part are the leaves.

An inner node stands for a block that was split, that is, for all blocks below it. If all states of
a block have a step into the states of a node, then the block has a hyper-step to the blocks below.
Such a step says the most if the node is as low as possible.

What all states of a block have is also true of each part of it, and a node keeps its states when a
block below it is split. So a hyper-step only gets more precise, and is never lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet


class SplitTree:
    """The splits of the blocks of a part. It may have several roots: the blocks of the start."""

    def __init__(self, blocks: int) -> None:
        self._parent = [-1] * blocks
        self._leaf = list(range(blocks))
        """Of each block, its node."""

    def node(self, block: int) -> int:
        """The leaf of a block."""
        return self._leaf[block]

    def split(self, block: int) -> None:
        """The block gets a new leaf, and so does the block after the last."""
        node, fresh = self._leaf[block], len(self._parent)
        self._parent += [node, node]
        self._leaf[block] = fresh
        self._leaf.append(fresh + 1)

    def above(self, block: int) -> Iterator[int]:
        """The nodes from the leaf of a block to the root."""
        node = self._leaf[block]
        while node >= 0:
            yield node
            node = self._parent[node]

    def touched(self, blocks: Iterable[int]) -> set[int]:
        """All nodes above some blocks."""
        return self.with_above({self._leaf[block] for block in blocks})

    def with_above(self, nodes: Iterable[int]) -> set[int]:
        """Some nodes, and all nodes above them."""
        found: set[int] = set()
        for each in nodes:
            node = each
            while node >= 0 and node not in found:
                found.add(node)
                node = self._parent[node]
        return found

    def lowest(self, nodes: AbstractSet[int], blocks: Iterable[int]) -> list[tuple[int, ...]]:
        """The blocks below each of some nodes, if none of the nodes is below it.

        `nodes` holds all nodes above each of its own. A node that is the leaf of a block is left
        out, as are other blocks than the given ones.
        """
        inner = {self._parent[node] for node in nodes}
        found: dict[int, list[int]] = {}
        for block in blocks:
            if self._leaf[block] in nodes:
                continue
            lowest = next((node for node in self.above(block) if node in nodes), None)
            if lowest is not None and lowest not in inner:
                found.setdefault(lowest, []).append(block)
        return [tuple(sorted(below)) for below in found.values()]
