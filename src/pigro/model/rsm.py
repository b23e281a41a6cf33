"""The recursive state machine: immutable, in the flat normal form of the native core, with names.

`RSM` is what every reader makes and every engine takes. Node numbers are those of the native core
(native/core/model.hpp): the nodes of a component are consecutive, and its call and return nodes
follow the declared ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import ModelError, UsageError, did_you_mean, printable
from pigro.model.arrays import as_bytes, as_ids, as_rows
from pigro.model.choices import DeadEnds, Semantics, choose
from pigro.model.faults import explain_fault
from pigro.model.statistics import Statistics, first_dead_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.model.plain import PlainModel


class Numbered(Sequence[str]):
    """Names made up from numbers, for models that come without: `n0`, `n1`, ..."""

    def __init__(self, prefix: str, count: int) -> None:
        self._prefix = prefix
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < self._count:
            raise IndexError(index)
        return f"{self._prefix}{index}"


@dataclass(frozen=True, slots=True)
class Names:
    """Names of components, declared nodes and boxes, by number."""

    components: Sequence[str]
    nodes: Sequence[str]
    boxes: Sequence[str]


@dataclass(frozen=True, eq=False)
class RSM:
    """A recursive state machine.

    Make one with `pigro.load`, with a `ModelBuilder`, or with `RSM.from_arrays`; it never changes
    afterwards and can be shared by any number of checks.
    """

    core: _core.Model
    names: Names
    label_ids: Mapping[str, int]
    initial: tuple[int, ...]
    """Initial nodes, by node number."""
    semantics: Semantics
    dead_ends: DeadEnds
    source: str | None = None
    """The file that the model was read from."""

    @classmethod
    def from_arrays(  # noqa: PLR0913 - a model has many arrays, given by keyword
        cls,
        *,
        component_offsets: object,
        node_flags: object,
        edge_sources: object,
        edge_targets: object,
        labels: Mapping[str, object],
        initial: Iterable[int],
        box_offsets: object | None = None,
        box_callee: object = (),
        call_offsets: object = (0,),
        call_entries: object = (),
        return_offsets: object = (0,),
        return_exits: object = (),
        names: Names | None = None,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        source: str | None = None,
    ) -> RSM:
        """A model from flat arrays, without an object per node.

        Arrays are sequences of ints, best as 32-bit buffers (`array("i")`, NumPy `int32`). They
        are copied, so other threads may write to them meanwhile. Nodes are numbered 0..N-1 by
        component: component `c` owns the nodes from `component_offsets[c]` to
        `component_offsets[c + 1]`, and likewise the boxes from `box_offsets[c]` on. `node_flags`
        is bytes: 1 for an entry, 2 for an exit, 3 for both.
        Box `b` calls component `box_callee[b]` at the entries
        `call_entries[call_offsets[b]:call_offsets[b + 1]]` and returns from exits likewise.
        An edge joins references: a node, or `N + i` for the i-th listed call (as target), or
        `N + len(call_entries) + j` for the j-th listed return (as source).
        `labels` maps each label to its nodes; `initial` are nodes.

        >>> model = RSM.from_arrays(
        ...     component_offsets=[0, 2], node_flags=bytes([1, 0]),
        ...     edge_sources=[0, 1], edge_targets=[1, 0], labels={"p": [1]}, initial=[0])
        >>> model
        <RSM: 1 component, 2 nodes, 2 edges, 0 boxes>
        """
        semantics = choose(Semantics, semantics, "semantics")
        if dead_ends is None:
            dead_ends = DeadEnds.STOP if semantics is Semantics.RSMCHECK else DeadEnds.STUTTER
        dead_ends = choose(DeadEnds, dead_ends, "dead_ends")
        offsets = as_ids(component_offsets, "component_offsets")
        no_boxes = array("i", [0]) * len(offsets)
        label_offsets, label_nodes = as_rows(labels)
        try:
            core = _core.Model(
                component_offsets=offsets,
                node_flags=as_bytes(node_flags, "node_flags"),
                box_offsets=as_ids(no_boxes if box_offsets is None else box_offsets, "box_offsets"),
                box_callee=as_ids(box_callee, "box_callee"),
                call_offsets=as_ids(call_offsets, "call_offsets"),
                call_entries=as_ids(call_entries, "call_entries"),
                return_offsets=as_ids(return_offsets, "return_offsets"),
                return_exits=as_ids(return_exits, "return_exits"),
                edge_sources=as_ids(edge_sources, "edge_sources"),
                edge_targets=as_ids(edge_targets, "edge_targets"),
                label_offsets=label_offsets,
                label_nodes=label_nodes,
                semantics=_core.Semantics[semantics.name],
            )
        except _core.ModelFault as fault:
            rule, first, second = fault.args
            raise explain_fault(rule, first, second, names.nodes if names else None) from None
        names = names or Names(
            Numbered("c", core.components),
            Numbered("n", core.declared_nodes),
            Numbered("b", core.boxes),
        )
        _check_names(core, names)
        model = cls(
            core=core,
            names=names,
            label_ids=MappingProxyType({label: i for i, label in enumerate(labels)}),
            initial=_initial(core, initial),
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
        )
        if dead_ends is DeadEnds.ERROR:
            _reject_dead_ends(model)
        return model

    def with_initial(self, nodes: Iterable[int]) -> RSM:
        """The same model, started at these nodes (by node number) with the empty stack.

        They must be declared nodes, as `find` gives them: no call or return nodes.
        """
        initial = _distinct(nodes)
        for node in initial:
            if not 0 <= node < self.core.nodes or self.core.box(node) >= 0:
                raise ModelError("P212", f"initial node {node} is not a node that was declared")
        return replace(self, initial=initial)

    def find(self, name: str) -> int:
        """The declared node called `COMPONENT:NODE` or, if there is none, `NODE`; by node number.

        Names may hold colons themselves. Raises `UsageError` if there is no such node, or if
        several components have one.
        """
        found = self._matches(name)
        if len(found) == 1:
            return self.core.node_of_declared(found[0])
        if not found:
            numbers = range(self.core.declared_nodes)
            full = (self.node_name(self.core.node_of_declared(each)) for each in numbers)
            raise UsageError(
                "P004",
                f'the model has no node "{printable(name)}"',
                hint=did_you_mean(name, full if ":" in name else self.names.nodes),
            )
        candidates = [self.node_name(self.core.node_of_declared(each)) for each in found]
        listed = ", ".join(f'"{printable(each)}"' for each in candidates[:8])
        more = f" and {len(candidates) - 8} more" if len(candidates) > 8 else ""
        raise UsageError(
            "P005",
            f'"{printable(name)}" is ambiguous: {listed}{more}',
            hint="say which one by COMPONENT:NODE",
        )

    def _matches(self, name: str) -> list[int]:
        """The declared nodes meant by `COMPONENT:NODE`; if there is none, those meant by `NODE`."""
        plain, qualified = [], []
        for number, node in enumerate(self.names.nodes):
            if not name.endswith(node):
                continue
            before = name[: len(name) - len(node)]
            if not before:
                plain.append(number)
            elif before == self.component_name(self.core.node_of_declared(number)) + ":":
                qualified.append(number)
        return qualified or plain

    def component_name(self, node: int) -> str:
        """The name of the component that owns a node."""
        return self.names.components[self.core.component(node)]

    def node_name(self, node: int) -> str:
        """A node's name for people: `main:start`, or `main:box.entry` for call and return nodes."""
        local = self.names.nodes[self.core.declared_of_node(node)]
        box = self.core.box(node)
        return f"{self.component_name(node)}:" + (
            local if box < 0 else f"{self.names.boxes[box]}.{local}"
        )

    @property
    def is_kripke(self) -> bool:
        """One component without boxes: a Kripke structure."""
        return self.core.components == 1 and self.core.boxes == 0

    @cached_property
    def statistics(self) -> Statistics:
        """Counts that describe the model."""
        counted = self.core.statistics(_core.Semantics[self.semantics.name], list(self.initial))
        return Statistics.of(self.core, counted, len(self.label_ids))

    @cached_property
    def plain(self) -> PlainModel:
        """The model in plain lists, for programs in Python; made when first asked for."""
        from pigro.model.plain import PlainModel  # noqa: PLC0415 - few need it

        return PlainModel(self)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of what verdicts depend on: nodes, edges, boxes and labels; no names of nodes."""
        from hashlib import sha256  # noqa: PLC0415 - takes 4 ms, and few need it

        made = sha256()
        labels = (label.encode("utf-8", "surrogatepass") for label in self.label_ids)
        for part in (*self.core.parts(), *labels):
            made.update(len(part).to_bytes(8, "little"))
            made.update(part)
        return made.digest()

    def __repr__(self) -> str:
        core = self.core
        return (
            f"<RSM: {_count(core.components, 'component')}, {_count(core.declared_nodes, 'node')}, "
            f"{_count(core.edges, 'edge')}, {_count(core.boxes, 'box', 'boxes')}>"
        )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _initial(core: _core.Model, declared: Iterable[int]) -> tuple[int, ...]:
    nodes = _distinct(declared)
    count = core.declared_nodes
    for node in nodes:
        if not 0 <= node < count:
            raise ModelError("P212", f"initial node {node} is not one of the {count:,} nodes")
    return tuple(core.node_of_declared(node) for node in nodes)


def _distinct(nodes: Iterable[int]) -> tuple[int, ...]:
    """As plain integers, without repeats; at least one."""
    try:
        distinct = tuple(dict.fromkeys(index(node) for node in nodes))
    except TypeError:
        raise ModelError("P212", "initial nodes must be a list of integers") from None
    if not distinct:
        raise ModelError("P210", "the model has no initial node")
    return distinct


def _check_names(core: _core.Model, names: Names) -> None:
    for what, given, needed in (
        ("components", names.components, core.components),
        ("nodes", names.nodes, core.declared_nodes),
        ("boxes", names.boxes, core.boxes),
    ):
        if len(given) != needed:
            raise ModelError("P212", f"{len(given)} names for {needed} {what}")


def _reject_dead_ends(model: RSM) -> None:
    found = first_dead_end(model.statistics)
    if found is None:
        return
    kind, node, box = found
    place = (
        model.node_name(node)
        if box is None
        else f"{model.node_name(node)} under box {model.names.boxes[box]}"
    )
    total = model.statistics.dead_ends
    raise ModelError(
        "P211",
        f"{total:,} dead end{'s' if total != 1 else ''}; the first: {printable(place)} ({kind})",
        hint="give it a successor, or read dead ends as self-loops with dead_ends=stutter",
    )
