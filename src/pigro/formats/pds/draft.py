"""A recursive state machine of one component under construction.

Parts are numbered as they come; calls and returns are put in the order of their boxes at the end,
as `RSM.from_arrays` needs them. As the target of an edge `~i` is the i-th call, as a source `~j`
the j-th return.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

from pigro.model.rsm import RSM, Names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.pds.system import Head, Rules
    from pigro.model.choices import DeadEnds, Semantics

ENTRY, EXIT = 1, 2


class Draft:
    """The parts of the model so far."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        """What each node stands for: its labels are those of this head."""
        self.names: list[str] = []
        self.flags = bytearray()
        self.box_names: list[str] = []
        self.call_box: list[int] = []
        self.call_entry: list[int] = []
        self.return_box: list[int] = []
        self.return_exit: list[int] = []
        self.sources: list[int] = []
        self.targets: list[int] = []

    def node(self, head: Head, name: str, flags: int = 0) -> int:
        """A new node."""
        self.heads.append(head)
        self.names.append(name)
        self.flags.append(flags)
        return len(self.heads) - 1

    def box(self, name: str) -> int:
        """A new box."""
        self.box_names.append(name)
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

    def finish(  # noqa: PLR0913 - a model and how to read it
        self,
        component: str,
        rules: Rules,
        initial: int,
        *,
        semantics: Semantics | str,
        dead_ends: DeadEnds | str | None,
        source: str | None,
    ) -> RSM:
        """The model."""
        calls, call_place = _grouped(self.call_box)
        returns, return_place = _grouped(self.return_box)
        nodes, boxes = len(self.heads), len(self.box_names)
        first_return = nodes + len(calls)
        return RSM.from_arrays(
            component_offsets=[0, nodes],
            node_flags=self.flags,
            box_offsets=[0, boxes],
            box_callee=array("i", [0]) * boxes,
            call_offsets=_offsets(self.call_box, boxes),
            call_entries=array("i", [self.call_entry[each] for each in calls]),
            return_offsets=_offsets(self.return_box, boxes),
            return_exits=array("i", [self.return_exit[each] for each in returns]),
            edge_sources=array(
                "i", [at if at >= 0 else first_return + return_place[~at] for at in self.sources]
            ),
            edge_targets=array(
                "i", [at if at >= 0 else nodes + call_place[~at] for at in self.targets]
            ),
            labels=_labels(rules, self.heads),
            initial=[initial],
            names=Names((component,), tuple(self.names), tuple(self.box_names)),
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
        )


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


def _labels(rules: Rules, heads: list[Head]) -> dict[str, list[int]]:
    """The nodes of each label; labels that no node carries are known too."""
    found: dict[str, list[int]] = {}
    for known in (*rules.labels.values(), *rules.head_labels.values()):
        found |= {label: [] for label in known}
    for node, head in enumerate(heads):
        state, symbol = head
        for labels in (
            rules.labels.get(state, ()),
            rules.labels.get(symbol, ()) if symbol else (),
            rules.head_labels.get(head, ()),
        ):
            for label in labels:
                found[label].append(node)
    return found
