"""The parts of a recursive state machine, put in the order that `RSM.from_arrays` needs.

Parts are numbered as they come. Nodes and boxes are then ordered by component, calls and returns by
box. As the target of an edge `~i` is the i-th call, as a source `~j` the j-th return.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

from pigro.limits import unwatched
from pigro.model.names import Names
from pigro.model.positions import Positions
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.pds.system import Head, NamedSystem
    from pigro.limits import Poll
    from pigro.model.choices import DeadEnds, Semantics

_EXIT = 2


class Links:
    """Calls and returns of boxes, numbered from -1 downwards, and edges between nodes and those."""

    def __init__(self) -> None:
        self.call_box: list[int] = []
        self.call_entry: list[int] = []
        self.return_box: list[int] = []
        self.return_exit: list[int] = []
        self.sources: list[int] = []
        self.targets: list[int] = []

    def call(self, box: int, entry: int) -> int:
        """A new call node, as a target."""
        self.call_box.append(box)
        self.call_entry.append(entry)
        return -len(self.call_box)

    def returned(self, box: int, leave: int) -> int:
        """A new return node, as a source."""
        self.return_box.append(box)
        self.return_exit.append(leave)
        return -len(self.return_box)

    def edge(self, source: int, target: int) -> None:
        """A new edge."""
        self.sources.append(source)
        self.targets.append(target)

    def take_links(self, other: Links) -> None:
        """The calls, returns and edges of others, whose nodes and boxes have the same numbers."""
        self.call_box, self.call_entry = other.call_box, other.call_entry
        self.return_box, self.return_exit = other.return_box, other.return_exit
        self.sources, self.targets = other.sources, other.targets


class Assembly(Links):
    """Nodes, boxes, calls, returns and edges so far."""

    def __init__(self, components: int) -> None:
        super().__init__()
        self.components = components
        self.heads: list[Head] = []
        self.names: list[str] = []
        self.owner: list[int] = []
        self.flags = bytearray()
        self.box_names: list[str] = []
        self.box_owner: list[int] = []
        self.box_callee: list[int] = []
        self.box_lines: list[int] = []

    def node(self, owner: int, head: Head, name: str, flags: int) -> int:
        """A new node."""
        self.owner.append(owner)
        self.heads.append(head)
        self.names.append(name)
        self.flags.append(flags)
        return len(self.heads) - 1

    def box(self, owner: int, callee: int, name: str, line: int) -> int:
        """A new box, and the line of the rule that makes it."""
        self.box_lines.append(line)
        self.box_owner.append(owner)
        self.box_callee.append(callee)
        self.box_names.append(name)
        return len(self.box_names) - 1

    def finish(
        self,
        rules: NamedSystem,
        *,
        semantics: Semantics | str,
        dead_ends: DeadEnds | str | None,
        source: str | None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model, started at node 0."""
        nodes, place = _grouped(self.owner)
        boxes, box_place = _grouped(self.box_owner)
        call_box = [box_place[each] for each in self.call_box]
        return_box = [box_place[each] for each in self.return_box]
        calls, call_place = _grouped(call_box)
        returns, return_place = _grouped(return_box)
        first_return = len(nodes) + len(calls)
        return RSM.from_arrays(
            component_offsets=_offsets(self.owner, self.components),
            node_flags=bytes([self.flags[each] for each in nodes]),
            box_offsets=_offsets(self.box_owner, self.components),
            box_callee=array("i", [self.box_callee[each] for each in boxes]),
            call_offsets=_offsets(call_box, len(boxes)),
            call_entries=array("i", [place[self.call_entry[each]] for each in calls]),
            return_offsets=_offsets(return_box, len(boxes)),
            return_exits=array("i", [place[self.return_exit[each]] for each in returns]),
            edge_sources=array(
                "i",
                [place[at] if at >= 0 else first_return + return_place[~at] for at in self.sources],
            ),
            edge_targets=array(
                "i",
                [place[at] if at >= 0 else len(nodes) + call_place[~at] for at in self.targets],
            ),
            labels=_labels(rules, [self.heads[each] for each in nodes], poll),
            initial=[place[0]],
            names=Names(
                self._component_names(),
                tuple(self.names[each] for each in nodes),
                tuple(self.box_names[each] for each in boxes),
            ),
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            positions=self._positions(rules, nodes, boxes),
            poll=poll,
        )

    def _positions(
        self, rules: NamedSystem, nodes: list[int], boxes: list[int]
    ) -> Positions | None:
        """Of a node the line of the first rule of its head. An exit stands for many heads."""
        lines = {head: found[0] for head, found in rules.lines.items()}
        here = [
            0 if flags & _EXIT else lines.get(head, 0)
            for head, flags in zip(self.heads, self.flags, strict=True)
        ]
        return Positions.of_lines(
            nodes=[here[each] for each in nodes],
            boxes=[self.box_lines[each] for each in boxes],
            components=[here[each] for each in self._first_nodes()],
        )

    def _component_names(self) -> tuple[str, ...]:
        return tuple(self.names[node] for node in self._first_nodes())

    def _first_nodes(self) -> list[int]:
        """Of each component the first node that is called, or the first one at all."""
        first = [0] * self.components
        for node in (*reversed(range(len(self.names))), *reversed(self.call_entry)):
            first[self.owner[node]] = node
        return first


def _grouped(owners: Sequence[int]) -> tuple[list[int], list[int]]:
    """The numbers of things in the order of their owners, and the place of each in that order."""
    order = sorted(range(len(owners)), key=owners.__getitem__)
    place = [0] * len(order)
    for at, each in enumerate(order):
        place[each] = at
    return order, place


def _offsets(owners: Sequence[int], count: int) -> array[int]:
    sizes = [0] * count
    for owner in owners:
        sizes[owner] += 1
    return array("i", accumulate(sizes, initial=0))


def _labels(rules: NamedSystem, heads: list[Head], poll: Poll) -> dict[str, list[int]]:
    """The nodes of each label. Labels that no node carries are known too."""
    found: dict[str, list[int]] = {}
    for known in (*rules.labels.values(), *rules.head_labels.values()):
        found |= {label: [] for label in known}
    for node, head in enumerate(heads):
        poll()
        state, symbol = head
        for labels in (
            rules.labels.get(state, ()),
            rules.labels.get(symbol, ()) if symbol else (),
            rules.head_labels.get(head, ()),
        ):
            for label in labels:
                found[label].append(node)
    return found
