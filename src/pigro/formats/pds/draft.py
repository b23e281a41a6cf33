"""A recursive state machine under construction, for both translations.

Parts are numbered as they come; `finish` puts them in the order that `RSM.from_arrays` needs: nodes
and boxes by component, calls and returns by box. As the target of an edge `~i` is the i-th call, as
a source `~j` the j-th return.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

from pigro.model.rsm import RSM, Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.pds.system import Head, PushdownSystem
    from pigro.model.choices import DeadEnds, Semantics

ENTRY, EXIT = 1, 2


class Draft:
    """The parts of the model so far."""

    def __init__(self) -> None:
        self.components: list[str] = []
        self.heads: list[Head] = []
        """What each node stands for: its labels are those of this head."""
        self.names: list[str] = []
        self.owner: list[int] = []
        """The component of each node."""
        self.flags = bytearray()
        self.box_names: list[str] = []
        self.box_owner: list[int] = []
        self.box_callee: list[int] = []
        self.call_box: list[int] = []
        self.call_entry: list[int] = []
        self.return_box: list[int] = []
        self.return_exit: list[int] = []
        self.sources: list[int] = []
        self.targets: list[int] = []

    def node(self, head: Head, name: str, owner: int, flags: int = 0) -> int:
        """A new node."""
        self.heads.append(head)
        self.names.append(name)
        self.owner.append(owner)
        self.flags.append(flags)
        return len(self.heads) - 1

    def box(self, name: str, owner: int, callee: int) -> int:
        """A new box."""
        self.box_names.append(name)
        self.box_owner.append(owner)
        self.box_callee.append(callee)
        return len(self.box_names) - 1

    def call(self, box: int, entry: int) -> int:
        """A new call node, as a target."""
        self.flags[entry] |= ENTRY
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

    def finish(
        self,
        system: PushdownSystem,
        initial: int,
        *,
        semantics: Semantics | str,
        dead_ends: DeadEnds | str | None,
        source: str | None,
    ) -> RSM:
        """The model."""
        nodes, place = _grouped(self.owner)
        boxes, box_place = _grouped(self.box_owner)
        call_box = [box_place[each] for each in self.call_box]
        return_box = [box_place[each] for each in self.return_box]
        calls, call_place = _grouped(call_box)
        returns, return_place = _grouped(return_box)
        first_call = len(nodes)
        first_return = first_call + len(calls)
        place_source = [*place, *(first_return + each for each in reversed(return_place))]
        place_target = [*place, *(first_call + each for each in reversed(call_place))]
        count = len(self.components)
        return RSM.from_arrays(
            component_offsets=_offsets(self.owner, count),
            node_flags=bytes([self.flags[each] for each in nodes]),
            box_offsets=_offsets(self.box_owner, count),
            box_callee=array("i", [self.box_callee[each] for each in boxes]),
            call_offsets=_offsets(call_box, len(boxes)),
            call_entries=array("i", [place[self.call_entry[each]] for each in calls]),
            return_offsets=_offsets(return_box, len(boxes)),
            return_exits=array("i", [place[self.return_exit[each]] for each in returns]),
            edge_sources=array("i", [place_source[each] for each in self.sources]),
            edge_targets=array("i", [place_target[each] for each in self.targets]),
            labels=_labels(system, [self.heads[each] for each in nodes]),
            initial=[place[initial]],
            names=Names(
                tuple(self.components),
                tuple([self.names[each] for each in nodes]),
                tuple([self.box_names[each] for each in boxes]),
            ),
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
        )


def _grouped(owners: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
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


def _labels(system: PushdownSystem, heads: list[Head]) -> dict[str, list[int]]:
    """The nodes of each label; labels that no node carries are known too."""
    found: dict[str, list[int]] = {}
    of_name = system.labels.get
    of_head = system.head_labels.get if system.head_labels else None
    for node, head in enumerate(heads):
        for name in head:
            for label in of_name(name, ()):
                if label in found:
                    found[label].append(node)
                else:
                    found[label] = [node]
        if of_head is not None:
            for label in of_head(head, ()):
                found.setdefault(label, []).append(node)
    for labels in (*system.labels.values(), *system.head_labels.values()):
        for label in labels:
            if label not in found:
                found[label] = []
    return found
