"""The model of a pushdown system, with the heads and rules that its nodes and boxes stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.limits import no_poll
from pigro.model.assembly import EXIT, LooseAssembly
from pigro.model.names import Names
from pigro.model.positions import Positions
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from pigro.formats.pds.system import Head, NamedSystem
    from pigro.limits import Poll
    from pigro.model.choices import DeadEnds, Semantics


class HeadAssembly(LooseAssembly):
    """Nodes, boxes, calls, returns and edges so far."""

    def __init__(self, components: int) -> None:
        super().__init__(components)
        self.heads: list[Head] = []
        """What each node stands for: its labels are those of this head."""
        self.names: list[str] = []
        self.box_names: list[str] = []
        self.box_lines: list[int] = []

    def node(self, owner: int, head: Head, name: str, flags: int) -> int:
        """A new node."""
        self.heads.append(head)
        self.names.append(name)
        return self.add_node(owner, flags)

    def box(self, owner: int, callee: int, name: str, line: int) -> int:
        """A new box, and the line of the rule that makes it."""
        self.box_lines.append(line)
        self.box_names.append(name)
        return self.add_box(owner, callee)

    def finish(
        self,
        rules: NamedSystem,
        *,
        semantics: Semantics | str,
        dead_ends: DeadEnds | str | None,
        source: str | None,
        poll: Poll = no_poll,
    ) -> RSM:
        """The model, started at node 0."""
        placed = self.placed()
        return RSM.from_arrays(
            **placed.arrays,
            labels=_labels(rules, [self.heads[each] for each in placed.nodes], poll),
            initial=[placed.place[0]],
            names=Names(
                self._component_names(),
                tuple(self.names[each] for each in placed.nodes),
                tuple(self.box_names[each] for each in placed.boxes),
            ),
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            positions=self._positions(rules, placed.nodes, placed.boxes),
            poll=poll,
        )

    def _positions(
        self, rules: NamedSystem, nodes: list[int], boxes: list[int]
    ) -> Positions | None:
        """Of a node the line of the first rule of its head. An exit stands for many heads."""
        lines = {head: found[0] for head, found in rules.lines.items()}
        here = [
            0 if flags & EXIT else lines.get(head, 0)
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
