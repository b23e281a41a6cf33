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

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.generate.stream import RandomStream, require
from pigro.model import RSM, DeadEnds, Names
from pigro.model.assembly import ENTRY, EXIT, ModelAssembly

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    return _ModelArrays(shape, RandomStream(seed)).model(dead_ends)


class _ModelArrays:
    """The model while components are added."""

    def __init__(self, shape: ModelShape, stream: RandomStream) -> None:
        self.shape = shape
        self.stream = stream
        self.labels: dict[str, list[int]] = {label: [] for label in shape.labels}
        self.made = ModelAssembly()
        first_exit = shape.nodes - shape.exit_count
        self.entries, self.exits = range(shape.entry_count), range(first_exit, shape.nodes)
        """Of each component."""
        self.flags = bytearray(shape.nodes)
        for nodes, flag in ((self.entries, ENTRY), (self.exits, EXIT)):
            for node in nodes:
                self.flags[node] = flag

    def model(self, dead_ends: DeadEnds | str | None) -> RSM:
        shape, made = self.shape, self.made
        box_names: list[str] = []
        for component in range(shape.components):
            self._label(component)
            boxes = self._call(component)
            self._connect(component, boxes)
            box_names += [f"b{number}" for number in range(len(boxes))]
        made.number_listed()
        return made.model(
            labels={label: nodes for label, nodes in self.labels.items() if nodes},
            initial=[0],
            names=Names(
                tuple(f"c{number}" for number in range(shape.components)),
                tuple(f"n{number}" for number in range(shape.nodes)) * shape.components,
                tuple(box_names),
            ),
            dead_ends=dead_ends,
        )

    def _label(self, component: int) -> None:
        first = component * self.shape.nodes
        for node in range(first, first + self.shape.nodes):
            for label, chance in self.shape.labels.items():
                if self.stream.chance(chance):
                    self.labels[label].append(node)

    def _call(self, component: int) -> range:
        """The boxes of the component, which is complete but for its edges."""
        first, made = 0 if self.shape.recursion else component + 1, self.made
        choices = self.shape.components - first
        made.flags += self.flags
        boxes = range(len(made.box_callee), len(made.box_callee) + bool(choices) * self.shape.boxes)
        for _ in boxes:
            callee = first + self.stream.below(choices)
            base = callee * self.shape.nodes
            made.add_box(
                callee, [base + node for node in self.entries], [base + node for node in self.exits]
            )
        made.end_component()
        return boxes

    def _connect(self, component: int, boxes: range) -> None:
        shape, draw, density = self.shape, self.stream.draw, self.shape.density
        first, made = component * shape.nodes, self.made
        sources = list(range(first, first + self.exits.start))
        targets = list(range(first + self.entries.stop, first + shape.nodes))
        for box in boxes:
            sources += [~i for i in range(made.return_offsets[box], made.return_offsets[box + 1])]
            targets += [~i for i in range(made.call_offsets[box], made.call_offsets[box + 1])]
        for source in sources:
            found = [target for target in targets if draw() < density]
            if not found:
                found = [self.stream.pick(targets)]
            made.sources.extend([source] * len(found))
            made.targets.extend(found)
