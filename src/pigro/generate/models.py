"""Random recursive state machines.

All components have the same size. Their nodes are, in this order, entries, inner nodes and exits.
The random choices, component by component:

1. for each node, and for each label in the order given: whether the node carries it.
2. for each box: the component that it calls (among the later ones if there is no recursion).
3. for each source (entries, inner nodes, then the return nodes, box by box), and for each target
   (inner nodes, exits, then the call nodes, box by box): whether there is an edge, with the
   probability `density`, and for a source that got none, one target, so that there are dead ends
   only where there is no target at all.

Cost: sources times targets for each component.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.generate.stream import Stream, require
from pigro.model import RSM, DeadEnds, Names

if TYPE_CHECKING:
    from collections.abc import Mapping

_ENTRY, _EXIT = 1, 2


def _labels() -> dict[str, float]:
    return dict.fromkeys("abc", 0.5)


@dataclass(frozen=True, slots=True)
class ModelShape:
    """What random models look like."""

    components: int = 5
    boxes: int = 2
    """Of each component."""
    nodes: int = 10
    """Of each component, without call and return nodes."""
    entries: float = 0.05
    """The share of the nodes that are entries, rounded down. At least one is."""
    exits: float = 0.05
    """The same for exits."""
    density: float = 0.2
    """The probability of an edge."""
    labels: Mapping[str, float] = field(default_factory=_labels)
    """The probability of each label at each node."""
    recursion: bool = True
    """Whether components may call themselves and earlier ones."""

    @classmethod
    def of_grid(cls, size: int) -> ModelShape:
        """Model number `size` of the experiment: so many components of 3 * size nodes each.

        The labels a, b and c are on about 40, 60 and 50 % of the nodes.
        """
        require(holds=size >= 1, message=f"the grid begins at 1, not at {size}")
        labels = {"a": 0.4, "b": 0.6, "c": 0.5}
        return cls(components=size, boxes=size // 3, nodes=3 * size, labels=labels)

    @property
    def entry_count(self) -> int:
        """Entries of each component."""
        return max(1, int(self.entries * self.nodes))

    @property
    def exit_count(self) -> int:
        """Exits of each component."""
        return max(1, int(self.exits * self.nodes))

    def __post_init__(self) -> None:
        """Refuses shapes that no model has."""
        require(holds=self.components >= 1, message="a model has at least one component")
        require(holds=self.boxes >= 0, message="the number of boxes can't be negative")
        for what in ("entries", "exits", "density"):
            share = getattr(self, what)
            require(holds=0 <= share <= 1, message=f"{what} is between 0 and 1, not {share}")
        for label, chance in self.labels.items():
            message = f"the probability of label {label!r} is between 0 and 1, not {chance}"
            require(holds=0 <= chance <= 1, message=message)
        used = self.entry_count + self.exit_count
        require(
            holds=used <= self.nodes,
            message=f"{self.nodes} nodes are too few for {self.entry_count} entries "
            f"and {self.exit_count} exits",
        )


def random_model(
    shape: ModelShape, seed: int = 0, *, dead_ends: DeadEnds | str | None = None
) -> RSM:
    """The model of this shape and seed. It starts at the first entry of the first component.

    >>> random_model(ModelShape(components=3, boxes=1, nodes=6), seed=1)
    <RSM: 3 components, 18 nodes, 31 edges, 3 boxes>
    """
    return _ModelArrays(shape, Stream(seed)).model(dead_ends)


class _ModelArrays:
    """The arrays of `RSM.from_arrays`, while components are added."""

    def __init__(self, shape: ModelShape, stream: Stream) -> None:
        self.shape = shape
        self.stream = stream
        self.labels: dict[str, list[int]] = {label: [] for label in shape.labels}
        self.box_offsets = array("i", [0])
        self.callees = array("i")
        self.sources = array("i")
        self.targets = array("i")
        count = shape.components
        self.all_nodes = count * shape.nodes
        boxes = shape.boxes * count if shape.recursion else shape.boxes * (count - 1)
        self.all_calls = boxes * shape.entry_count

    def model(self, dead_ends: DeadEnds | str | None) -> RSM:
        shape = self.shape
        for component in range(shape.components):
            self._label(component)
            self._call(component)
            self._connect(component)
        boxes = range(len(self.callees))
        per_call, per_return = shape.entry_count, shape.exit_count
        first_exit = shape.nodes - per_return
        calls = [c * shape.nodes + i for c in self.callees for i in range(per_call)]
        returns = [
            c * shape.nodes + first_exit + i for c in self.callees for i in range(per_return)
        ]
        flags = bytearray(shape.nodes)
        flags[:per_call] = bytes([_ENTRY]) * per_call
        flags[first_exit:] = bytes([_EXIT]) * per_return
        sizes = [end - start for start, end in pairwise(self.box_offsets)]
        return RSM.from_arrays(
            component_offsets=range(0, self.all_nodes + 1, shape.nodes),
            node_flags=flags * shape.components,
            box_offsets=self.box_offsets,
            box_callee=self.callees,
            call_offsets=range(0, len(boxes) * per_call + 1, per_call),
            call_entries=calls,
            return_offsets=range(0, len(boxes) * per_return + 1, per_return),
            return_exits=returns,
            edge_sources=self.sources,
            edge_targets=self.targets,
            labels={label: nodes for label, nodes in self.labels.items() if nodes},
            initial=[0],
            names=Names(
                tuple(f"c{number}" for number in range(shape.components)),
                tuple(f"n{number}" for number in range(shape.nodes)) * shape.components,
                tuple(f"b{number}" for size in sizes for number in range(size)),
            ),
            dead_ends=dead_ends,
        )

    def _label(self, component: int) -> None:
        first = component * self.shape.nodes
        for node in range(first, first + self.shape.nodes):
            for label, chance in self.shape.labels.items():
                if self.stream.chance(chance):
                    self.labels[label].append(node)

    def _call(self, component: int) -> None:
        first = 0 if self.shape.recursion else component + 1
        choices = self.shape.components - first
        if choices:
            for _ in range(self.shape.boxes):
                self.callees.append(first + self.stream.below(choices))
        self.box_offsets.append(len(self.callees))

    def _connect(self, component: int) -> None:
        shape, draw, density = self.shape, self.stream.draw, self.shape.density
        first = component * shape.nodes
        boxes = range(self.box_offsets[component], self.box_offsets[component + 1])
        per_call, per_return = shape.entry_count, shape.exit_count
        sources = list(range(first, first + shape.nodes - per_return))
        targets = list(range(first + per_call, first + shape.nodes))
        after_nodes, after_calls = self.all_nodes, self.all_nodes + self.all_calls
        for box in boxes:
            sources += range(after_calls + box * per_return, after_calls + (box + 1) * per_return)
            targets += range(after_nodes + box * per_call, after_nodes + (box + 1) * per_call)
        for source in sources:
            found = [target for target in targets if draw() < density]
            if not found:
                found = [self.stream.pick(targets)]
            self.sources.extend([source] * len(found))
            self.targets.extend(found)
