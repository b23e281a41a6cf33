"""Counts that describe a model to a person."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.lazy_names import type_names
from pigro.model.choices import DeadEnds

if TYPE_CHECKING:
    from pigro import _core
    from pigro.model.rsm import RSM
else:
    type_names(globals(), {"pigro": "_core", "pigro.model.rsm": "RSM"})


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts that describe a model. `nodes` counts declared nodes, not call and return nodes.

    >>> import pigro
    >>> counts = pigro.load("examples/dataflow.rsm").statistics
    >>> counts.components, counts.nodes, counts.recursive
    (3, 7, False)
    """

    components: int
    nodes: int
    edges: int
    boxes: int
    calls: int
    returns: int
    entries: int
    exits: int
    most_exits: int
    entry_exits: int
    labels: int
    recursive_components: int
    unreachable_components: int
    dead_plain: int
    dead_return: int
    dead_missing: int
    dead_call: int
    first_dead_ends: tuple[tuple[str, int, int | None], ...]
    """For each kind of dead end that occurs: kind, node, and box where one matters."""

    @property
    def recursive(self) -> bool:
        """Some component can call itself, at once or through others."""
        return self.recursive_components > 0

    @property
    def dead_ends(self) -> int:
        """All dead ends, of every kind."""
        return self.dead_plain + self.dead_return + self.dead_missing + self.dead_call

    def as_dict(self) -> dict[str, int | bool]:
        """For JSON."""
        counts = asdict(self)
        del counts["first_dead_ends"]
        return {**counts, "recursive": self.recursive}

    @classmethod
    def of(cls, core: _core.Model, counted: _core.Statistics, labels: int) -> Statistics:
        """From what the native core counted."""
        firsts = (
            ("a node without successor", counted.first_dead_plain, None),
            ("a return node without successor", counted.first_dead_return, None),
            ("no return node for this exit", counted.first_missing_exit, counted.first_missing_box),
            ("a call of an entry-exit node", counted.first_dead_call, None),
        )
        return cls(
            components=core.components,
            nodes=core.declared_nodes,
            edges=counted.edges,
            boxes=core.boxes,
            calls=counted.calls,
            returns=counted.returns,
            entries=counted.entries,
            exits=counted.exits,
            most_exits=counted.most_exits,
            entry_exits=counted.entry_exits,
            labels=labels,
            recursive_components=counted.recursive_components,
            unreachable_components=counted.unreachable_components,
            dead_plain=counted.dead_plain,
            dead_return=counted.dead_return,
            dead_missing=counted.dead_missing,
            dead_call=counted.dead_call,
            first_dead_ends=tuple(each for each in firsts if each[1] >= 0),
        )


def first_dead_end_of(model: RSM) -> tuple[str, str] | None:
    """The place of a dead end, and which kind it is. None if there are none."""
    found = model.statistics.first_dead_ends
    if not found:
        return None
    kind, node, box = found[0]
    under = "" if box is None else f" under box {model.names.boxes[box]}"
    return printable(model.node_name(node) + under), kind


def why_lost(model: RSM) -> str | None:
    """Why a file that can't say how it is read would change verdicts of the model, or None."""
    found = first_dead_end_of(model) if model.dead_ends is DeadEnds.STOP else None
    return None if found is None else f"{found[0]} is a dead end where runs stop"
