"""The recursive state machine: immutable, in the flat normal form of the native core, with names.

`RSM` is what every reader makes and every engine takes. Node numbers are those of the native core
(native/core/model/model.hpp): the nodes of a component are consecutive, and its call and return
nodes follow the declared ones.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from itertools import islice
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, SupportsIndex, TypeVar, cast

from pigro import _core
from pigro.diagnostics import ModelError, UsageError, did_you_mean, printable
from pigro.lazy_names import type_names
from pigro.limits import no_poll, tick_of
from pigro.model.arrays import as_bytes, as_ids, as_rows
from pigro.model.choices import DeadEnds, Semantics, usual_dead_ends
from pigro.model.faults import explain_fault
from pigro.model.kinds import SubjectKind
from pigro.model.names import Names

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model.conditions import ModelConditions, NodeValuation
    from pigro.model.configurations import StackConfigurations
    from pigro.model.ending import EndingStates
    from pigro.model.plain import PlainModel
    from pigro.model.positions import Positions, SourcePosition
    from pigro.model.statistics import Statistics
else:
    type_names(
        globals(),
        {
            "pigro.limits": "Poll",
            "pigro.model.configurations": "StackConfigurations",
            "pigro.model.ending": "EndingStates",
            "pigro.model.conditions": "ModelConditions NodeValuation",
            "pigro.model.plain": "PlainModel",
            "pigro.model.positions": "Positions SourcePosition",
            "pigro.model.statistics": "Statistics",
        },
    )


_Kept = TypeVar("_Kept")
_FEW_LABELS = 64
ENOUGH = 1_000_000
"""States that are listed where evidence or a proof needs all of them."""


@dataclass(frozen=True, eq=False)
class RSM:
    """A recursive state machine.

    Make one with `pigro.load`, with a `ModelBuilder`, or with `RSM.from_arrays`. It never changes
    afterwards and can be shared by any number of checks. Models are equal if all verdicts on them
    are (`digest`, labels and conditions for formulas, initial nodes, and how they are read), and
    their names.

    >>> import pigro
    >>> model = pigro.load("examples/dataflow.rsm")
    >>> node = model.find("b:b_23_4")
    >>> model.node_name(node), list(model.labels_of(node))
    ('b:b_23_4', ['use_i'])
    """

    kind: ClassVar[Literal[SubjectKind.MODEL]] = SubjectKind.MODEL
    is_listed: ClassVar[Literal[True]] = True
    """Its states are. Those of a `StateSpace` are not."""
    core: _core.Model
    names: Names
    label_ids: Mapping[str, int]
    initial: tuple[int, ...]
    """Initial nodes, by node number."""
    semantics: Semantics
    dead_ends: DeadEnds
    source: str | None = None
    """The file that the model was read from."""
    conditions: ModelConditions | None = None
    """What it keeps of its file, such as where labels hold that it does not have yet."""
    own: int | None = None
    """How many labels, the first ones, are the model's own. None: all. Others were added for
    formulas, so the digest leaves them out."""
    positions: Positions | None = None
    """Where nodes, boxes and components stand in a program. None if that is not known."""
    endings: EndingStates | None = None
    """The ending states that the semantics `rmv` adds, and the model without them. Else None."""
    configurations: StackConfigurations | None = field(default=None, repr=False)
    """For a model of a pushdown system: the configurations that its states are. Else None."""
    memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """Values that were made from this model, and live as long as it."""

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
        conditions: Callable[[str], Sequence[int] | None] | None = None,
        positions: Positions | None = None,
        poll: Poll = no_poll,
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
        `labels` maps each label to its nodes. `initial` are nodes. `conditions` finds the nodes of
        labels that are not among these, or None if there is no such label. `positions` are source
        positions (`Positions.of`). `poll` is called every few milliseconds, and may raise to stop.

        >>> import pigro
        >>> model = pigro.RSM.from_arrays(
        ...     component_offsets=[0, 2], node_flags=bytes([1, 0]),
        ...     edge_sources=[0, 1], edge_targets=[1, 0], labels={"p": [1]}, initial=[0])
        >>> model
        <RSM: 1 component, 2 nodes, 2 edges, 0 boxes>
        """
        offsets = as_ids(component_offsets, "component_offsets")
        no_boxes = array("i", [0]) * len(offsets)
        label_offsets, label_nodes = as_rows(labels)
        model = cls.from_flat(
            {
                "component_offsets": offsets,
                "node_flags": as_bytes(node_flags, "node_flags"),
                "box_offsets": as_ids(
                    no_boxes if box_offsets is None else box_offsets, "box_offsets"
                ),
                "box_callee": as_ids(box_callee, "box_callee"),
                "call_offsets": as_ids(call_offsets, "call_offsets"),
                "call_entries": as_ids(call_entries, "call_entries"),
                "return_offsets": as_ids(return_offsets, "return_offsets"),
                "return_exits": as_ids(return_exits, "return_exits"),
                "edge_sources": as_ids(edge_sources, "edge_sources"),
                "edge_targets": as_ids(edge_targets, "edge_targets"),
                "label_offsets": label_offsets,
                "label_nodes": label_nodes,
            },
            label_ids=MappingProxyType({label: i for i, label in enumerate(labels)}),
            initial=initial,
            names=names,
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            positions=positions,
            poll=poll,
        )
        if conditions is None:
            return model.finished(None)
        from pigro.model.conditions import conditions_of

        return model.finished(conditions_of(conditions))

    @classmethod
    def from_flat(  # noqa: PLR0913 - as from_arrays
        cls,
        arrays: Mapping[str, memoryview],
        *,
        label_ids: Mapping[str, int],
        initial: Iterable[int],
        names: Names | None,
        semantics: Semantics | str,
        dead_ends: DeadEnds | str | None,
        source: str | None,
        positions: Positions | None,
        poll: Poll = no_poll,
    ) -> RSM:
        """A model from the arrays of the native core (`RawModel` in native/core/model/model.hpp).

        `label_ids` has the rows of labels, in their order. Dead ends are not looked for, and the
        ending states of the semantics `rmv` are left to `as_read`.
        """
        semantics = Semantics(semantics)
        try:
            core = _core.Model(**arrays, semantics=core_semantics(semantics), tick=tick_of(poll))
        except _core.ModelFault as fault:
            rule, first, second = fault.args
            raise explain_fault(rule, first, second, names.nodes if names else None) from None
        return cls.from_core(
            core,
            label_ids=label_ids,
            initial=initial,
            names=names,
            semantics=semantics,
            dead_ends=dead_ends,
            source=source,
            positions=positions,
        )

    @classmethod
    def from_core(
        cls,
        core: _core.Model,
        *,
        label_ids: Mapping[str, int],
        initial: Iterable[int],
        names: Names | None,
        semantics: Semantics,
        dead_ends: DeadEnds | str | None,
        source: str | None,
        positions: Positions | None,
    ) -> RSM:
        """A model of the native core with its names. As `from_flat`."""
        names = names or Names.numbered(core)
        _check_names(core, names, label_ids)
        if positions is not None:
            positions.fit(core)
        return cls(
            core=core,
            names=names,
            label_ids=label_ids,
            initial=_initial(core, initial),
            semantics=semantics,
            dead_ends=DeadEnds(usual_dead_ends(semantics) if dead_ends is None else dead_ends),
            source=source,
            positions=positions,
        )

    def finished(self, conditions: ModelConditions | None) -> RSM:
        """A model that was just read: as its semantics and its dead ends have it."""
        model = replace(self, conditions=conditions).as_read()
        return model.without_dead_ends() if model.dead_ends is DeadEnds.ERROR else model

    def as_read(self) -> RSM:
        """The model with ending states, if its semantics is `rmv` and it has none. Else itself."""
        if self.semantics is not Semantics.RMV or self.endings is not None:
            return self
        from pigro.model.ending import with_endings

        return with_endings(self)

    def node_of(self, given: int) -> int:
        """The node number of a declared node as the model was given: as a file numbers it."""
        at = given if self.endings is None else self.endings.moved[given]
        return self.core.node_of_declared(at)

    @property
    def calls_pass_through(self) -> bool:
        """Whether some call is of a node that is entry and exit at once, read as a step (M2)."""
        core, return_kind = self.core, _core.NodeKind.RETURN
        return any(
            core.kind(target) is return_kind
            for node in range(core.nodes)
            for target in core.successors(node)
        )

    def with_initial(self, nodes: Iterable[int]) -> RSM:
        """The same model, started at these nodes (by node number) with the empty stack.

        They must be declared nodes, as `find` gives them: no call or return nodes.
        """
        initial = _distinct(nodes)
        for node in initial:
            if not 0 <= node < self.core.nodes or self.core.box(node) >= 0:
                raise ModelError("P212", f"initial node {node} is not a node that was declared")
        if self.endings is None:
            return self._changed(initial=initial)
        starts, endings = self.endings.with_initial(self.core, initial)
        return self._changed(initial=starts, endings=endings)

    def alike(self, node: int) -> list[int]:
        """A declared node by node number, and in the reading `rmv` also its twin, if it has one."""
        if self.endings is None:
            return [node]
        declared = self.endings.alike([self.core.declared_of_node(node)])
        return [self.core.node_of_declared(each) for each in declared]

    def with_labels(self, labels: Mapping[str, object]) -> RSM:
        """The same model with more labels, each with its declared nodes, by number.

        They are for formulas and no part of the model: the digest stays. Cost: a copy of the
        native model.

        >>> from pigro import check, kripke
        >>> model = kripke({"a": ["b"], "b": ["a"]}, labels={}, initial="a")
        >>> check(model.with_labels({"here": [1]}), "AX here").holds
        True
        """
        taken = next((each for each in labels if each in self.label_ids), None)
        if taken is not None:
            raise ModelError("P212", f"the model has a label {taken!r} already")
        first = self.core.labels
        endings = self.endings
        if endings is not None:
            labels, endings = endings.with_labels(labels)
        try:
            core = self.core.with_labels(*as_rows(labels))
        except _core.ModelFault as fault:
            rule, node, second = fault.args
            raise explain_fault(rule, node, second, self.names.nodes) from None
        ids = {**self.label_ids, **{label: first + at for at, label in enumerate(labels)}}
        return self._changed(
            core=core, label_ids=MappingProxyType(ids), own=self._own, endings=endings
        )

    def about(self, names: Iterable[str]) -> RSM:
        """The model with all labels of these names that there are.

        A file may say more than its labels, such as the values of variables. Then a formula may use
        a condition as a label, as in `EF "x = 1"`, and the model gets the label here.
        """
        if self.conditions is None:
            return self
        missing = [each for each in dict.fromkeys(names) if each not in self.label_ids]
        found = {each: self.conditions(each) for each in missing}
        labels = {each: nodes for each, nodes in found.items() if nodes is not None}
        if self.endings is not None:
            labels = {each: self.endings.everywhere(nodes) for each, nodes in labels.items()}
        return self.with_labels(labels) if labels else self

    @property
    def document(self) -> Any:
        """What reads the text of formulas as the model's file does. None if `parse` does.

        A file may say how its formulas are meant, such as about fair paths only.
        """
        return None if self.conditions is None else self.conditions.document

    def showing(self, names: Iterable[str]) -> RSM:
        """The model with its own labels, and of those added for formulas only these, in order."""
        if self._own == len(self.label_ids):
            return self
        ids = dict(islice(self.label_ids.items(), self._own))
        ids.update((each, self.label_ids[each]) for each in names if each in self.label_ids)
        same = list(ids) == list(self.label_ids)
        return self if same else self._changed(label_ids=MappingProxyType(ids))

    @property
    def _own(self) -> int:
        return len(self.label_ids) if self.own is None else self.own

    @property
    def _added(self) -> dict[str, list[int]]:
        """The labels that were added for formulas, each with its nodes."""
        added = islice(self.label_ids.items(), self._own, None)
        return {label: self.core.labelled(number) for label, number in added}

    def _changed(self, **fields: object) -> RSM:
        """The same with other initial nodes or more labels, which the digest does not depend on."""
        made = replace(self, **fields)  # type: ignore[arg-type]
        if "digest" in self.__dict__:
            made.__dict__["digest"] = self.digest
        return made

    @property
    def label_names(self) -> Collection[str]:
        """The labels that it has."""
        return self.label_ids

    def listed(self, poll: Poll = no_poll) -> RSM:
        """The model itself. See `StateSpace.listed`."""
        return self

    @property
    def is_partial(self) -> bool:
        """Whether this is the part of a model that evidence speaks of. See `Verdict.shown`."""
        return self.conditions is not None and self.conditions.is_partial

    def without_dead_ends(self) -> RSM:
        """The model itself. `ModelError` P211 if it has dead ends."""
        _reject_dead_ends(self)
        return self

    def find(self, name: str) -> int:
        """The declared node called `COMPONENT:NODE` or, if there is none, `NODE`. By node number.

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
        """The declared nodes meant by `COMPONENT:NODE`. If there is none, those meant by `NODE`."""
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
        name = local if box < 0 else f"{self.names.boxes[box]}.{local}"
        component = self.component_name(node)
        return f"{component}:{name}" if component else name

    @property
    def valuation(self) -> NodeValuation | None:
        """The values of variables, if the model's file describes states by variables."""
        return None if self.conditions is None else self.conditions.valuation

    def values(self, node: int) -> Mapping[str, str]:
        """The values of variables in a node, by name. Empty if there are no variables."""
        at = None if self.valuation is None else self._given(node)
        return {} if self.valuation is None or at is None else self.valuation.values(at)

    def inputs(self, before: int, after: int) -> Mapping[str, str]:
        """Inputs with which a step leads from one node to another. Empty without inputs."""
        if self.valuation is None:
            return {}
        first, second = self._given(before), self._given(after)
        known = first is not None and second is not None
        return self.valuation.inputs(cast("int", first), cast("int", second)) if known else {}

    def _given(self, node: int) -> int | None:
        """A node as the file numbers it. None if the file does not have it."""
        declared = self.core.declared_of_node(self.core.subject(node))
        return declared if self.endings is None else self.endings.given.get(declared)

    def position(self, node: int) -> SourcePosition | None:
        """Where a node stands in a program. Of a call or return node, where its box does."""
        if self.positions is None:
            return None
        box = self.core.box(node)
        if box >= 0:
            return self.box_position(box)
        return self._located(self.positions.node(self.core.declared_of_node(node)))

    def step_position(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """Where the model's file says what a step does. Otherwise where the node after it stands.

        With a box, the step is one after the call of the box has returned.
        """
        found = None
        if self.valuation is not None:
            first, second = self._given(before), self._given(after)
            if first is not None and second is not None:
                found = self.valuation.place(first, second, box)
        return self.position(after) if found is None else self._located(found)

    def box_position(self, box: int) -> SourcePosition | None:
        """Where a box stands in a program."""
        return None if self.positions is None else self._located(self.positions.box(box))

    def component_position(self, number: int) -> SourcePosition | None:
        """Where a component stands in a program."""
        return None if self.positions is None else self._located(self.positions.component(number))

    def _located(self, position: SourcePosition | None) -> SourcePosition | None:
        """A position in the model's own file gets the name of that file."""
        if position is None or position.file:
            return position
        return position._replace(file=self.source or "")

    @property
    def is_kripke(self) -> bool:
        """One component without boxes: a Kripke structure."""
        return self.core.components == 1 and self.core.boxes == 0

    def kept(self, key: str, make: Callable[[RSM], _Kept]) -> _Kept:
        """What `make` makes of this model. It is made once and lives as long as the model."""
        if key not in self.memo:
            self.memo[key] = make(self)
        return cast("_Kept", self.memo[key])

    @cached_property
    def statistics(self) -> Statistics:
        """Counts that describe the model."""
        from pigro.model.statistics import Statistics

        counted = self.core.statistics(core_semantics(self.semantics), list(self.initial))
        return Statistics.of(self.core, counted, self._own)

    @cached_property
    def labels(self) -> dict[int, list[str]]:
        """The labels of each declared node that has some, by node number."""
        found: dict[int, list[str]] = {}
        for label, number in self.label_ids.items():
            for node in self.core.labelled(number):
                found.setdefault(node, []).append(label)
        return found

    def labels_of(self, node: int) -> Sequence[str]:
        """The labels of a declared node. Where there are few labels, `labels` is not made."""
        if len(self.label_ids) > _FEW_LABELS:
            return self.labels.get(node, ())
        carriers = self.kept("carriers of labels", _carriers)
        return [label for label, nodes in carriers if node in nodes]

    @cached_property
    def plain(self) -> PlainModel:
        """The model in plain lists, for programs in Python. Made when first asked for."""
        from pigro.model.plain import PlainModel

        return PlainModel(self)

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of what verdicts depend on: nodes, edges, boxes and own labels. No node names."""
        from hashlib import sha256

        made = sha256()
        own = islice(self.label_ids, self._own)
        labels = (label.encode("utf-8", "surrogatepass") for label in own)
        for part in (*self.core.parts(self._own), *labels):
            made.update(len(part).to_bytes(8, "little"))
            made.update(part)
        return made.digest()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, RSM):
            return NotImplemented
        return (
            self.initial == other.initial
            and self.semantics is other.semantics
            and self.dead_ends is other.dead_ends
            and self.digest == other.digest
            and self._added == other._added
            and self.conditions == other.conditions
            and self.names == other.names
        )

    def __hash__(self) -> int:
        core = self.core
        return hash((core.nodes, core.edges, core.boxes, self.initial, self.semantics))

    def __copy__(self) -> RSM:
        return self

    def __deepcopy__(self, memo: object) -> RSM:
        return self

    def __reduce_ex__(
        self, protocol: SupportsIndex
    ) -> tuple[Callable[..., RSM], tuple[object, ...]]:
        from pigro.model.binary.packing import reduce

        return reduce(self, protocol)

    def _repr_html_(self) -> str:
        """What notebooks show: a drawing, if Graphviz is there."""
        shown: str = import_module("pigro.explore.notebook").subject_html(self)  # a later stage
        return shown

    def __repr__(self) -> str:
        core = self.core
        return (
            f"<RSM: {_count(core.components, 'component')}, {_count(core.declared_nodes, 'node')}, "
            f"{_count(core.edges, 'edge')}, {_count(core.boxes, 'box', 'boxes')}>"
        )


def _carriers(model: RSM) -> list[tuple[str, frozenset[int]]]:
    return [(label, frozenset(model.core.labelled(at))) for label, at in model.label_ids.items()]


def core_semantics(semantics: Semantics) -> _core.Semantics:
    """How the native core reads a model: it knows no ending states."""
    standard = semantics is not Semantics.RSMCHECK
    return _core.Semantics.STANDARD if standard else _core.Semantics.RSMCHECK


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
    """As plain integers, without repeats. At least one."""
    try:
        distinct = tuple(dict.fromkeys(index(node) for node in nodes))
    except TypeError:
        raise ModelError("P212", "initial nodes must be a list of integers") from None
    if not distinct:
        raise ModelError("P210", "the model has no initial node")
    return distinct


def _check_names(core: _core.Model, names: Names, label_ids: Mapping[str, int]) -> None:
    for what, given, needed in (
        ("components", names.components, core.components),
        ("nodes", names.nodes, core.declared_nodes),
        ("boxes", names.boxes, core.boxes),
        ("labels", label_ids, core.labels),
    ):
        if len(given) != needed:
            raise ModelError("P212", f"{len(given)} names for {needed} {what}")


def _reject_dead_ends(model: RSM) -> None:
    from pigro.model.statistics import first_dead_end_of

    found = first_dead_end_of(model)
    if found is None:
        return
    place, kind = found
    total = model.statistics.dead_ends
    raise ModelError(
        "P211",
        f"{total:,} dead end{'s' if total != 1 else ''}; the first: {place} ({kind})",
        hint="give it a successor, or read dead ends as self-loops with dead_ends=stutter",
    )
