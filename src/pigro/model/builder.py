"""Building a model by hand, by names.

Call and return nodes need not be listed: an edge that uses one lists it. Nodes, boxes and
components may have source positions: a line, or LINE, COLUMN, END LINE, END COLUMN (positions.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, TypeVar

from pigro.diagnostics import ModelError, did_you_mean, printable
from pigro.lazy_names import type_names
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.declarations import (
    BoxDecl,
    BoxNodeRef,
    ComponentDecl,
    NodeRef,
    PlacedBox,
    PlacedComponent,
    PlacedNode,
    TransitionDecl,
)
from pigro.model.flatten import flatten
from pigro.model.positions import wrong_position

if TYPE_CHECKING:
    from pigro.model.rsm import RSM
else:
    type_names(globals(), {"pigro.model.rsm": "RSM"})

At = int | Iterable[int]
_Placed = TypeVar("_Placed", PlacedNode, PlacedBox, PlacedComponent)


class BoxBuilder:
    """A call site of a component."""

    def __init__(self, declared: BoxDecl) -> None:
        self._declared = declared

    def call(self, entry: str) -> BoxNodeRef:
        """The call node that enters the callee at `entry`: a target of edges."""
        if entry not in self._declared.call_nodes:
            self._declared.call_nodes.append(entry)
        return BoxNodeRef(node_name=entry, box_name=self._declared.name)

    def returned(self, exit_: str) -> BoxNodeRef:
        """The return node after the callee left through `exit_`: a source of edges."""
        if exit_ not in self._declared.return_nodes:
            self._declared.return_nodes.append(exit_)
        return BoxNodeRef(node_name=exit_, box_name=self._declared.name)


class ComponentBuilder:
    """A component: nodes, boxes, edges, by name."""

    def __init__(self, declared: PlacedComponent) -> None:
        self._declared = declared

    @property
    def name(self) -> str:
        """The component's name."""
        return self._declared.name

    def node(  # noqa: PLR0913 - what a node has, by name
        self,
        name: str,
        *,
        labels: Iterable[str] = (),
        entry: bool = False,
        exit: bool = False,  # noqa: A002 - the model's word, and a keyword argument
        at: At | None = None,
        file: str | None = None,
    ) -> None:
        """Adds a node. It may be entry and exit at once."""
        declared = PlacedNode(name=name, is_entry=entry, is_exit=exit, labels=_names(labels))
        self._declared.nodes.append(_place(declared, at, file))

    def entry(
        self,
        name: str,
        *,
        labels: Iterable[str] = (),
        at: At | None = None,
        file: str | None = None,
    ) -> None:
        """Adds an entry: where calls begin."""
        self.node(name, labels=labels, entry=True, at=at, file=file)

    def exit(
        self,
        name: str,
        *,
        labels: Iterable[str] = (),
        at: At | None = None,
        file: str | None = None,
    ) -> None:
        """Adds an exit: where calls return from."""
        self.node(name, labels=labels, exit=True, at=at, file=file)

    def box(
        self,
        name: str,
        *,
        calls: str | ComponentBuilder,
        at: At | None = None,
        file: str | None = None,
    ) -> BoxBuilder:
        """Adds a call site of another component (or of this one)."""
        callee = calls if isinstance(calls, str) else calls.name
        declared = _place(PlacedBox(name=name, component=callee), at, file)
        self._declared.boxes.append(declared)
        return BoxBuilder(declared)

    def edge(self, source: str | BoxNodeRef, *targets: str | BoxNodeRef) -> None:
        """Adds an edge from `source` to each target."""
        self._declared.transitions.append(
            TransitionDecl(source=_ref(source), targets=[_ref(target) for target in targets])
        )

    def path(self, *nodes: str | BoxNodeRef) -> None:
        """Adds an edge from each node to the next. A call node ends a path: begin anew after it."""
        for source, target in pairwise(nodes):
            self.edge(source, target)


class ModelBuilder:
    """Builds a model by names: add components, then call `build`.

    `file` is the source file of positions for which neither you nor their component names a file.

    >>> import pigro
    >>> builder = pigro.ModelBuilder()
    >>> main = builder.component("main")
    >>> main.entry("start", labels=["def"])
    >>> main.exit("end")
    >>> box = main.box("call", calls="helper")
    >>> main.edge("start", box.call("in"))
    >>> main.edge(box.returned("out"), "end")
    >>> helper = builder.component("helper")
    >>> helper.entry("in")
    >>> helper.exit("out", labels=["use"])
    >>> helper.edge("in", "out")
    >>> builder.build(initial="main:start")
    <RSM: 2 components, 4 nodes, 3 edges, 1 box>
    """

    def __init__(self, *, file: str | None = None) -> None:
        self._components: list[ComponentDecl] = []
        self._file = file

    def component(
        self, name: str, *, at: At | None = None, file: str | None = None
    ) -> ComponentBuilder:
        """Adds a component."""
        declared = _place(PlacedComponent(name=name), at, file)
        self._components.append(declared)
        return ComponentBuilder(declared)

    def build(
        self,
        *,
        initial: str | Iterable[str],
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
    ) -> RSM:
        """The finished model, started at `COMPONENT:NODE` (several nodes of one component: a list).

        Raises `ModelError` where the parts do not fit together.
        """
        component, nodes = self._split(_names(initial))
        try:
            return flatten(
                self._components,
                initial_component=component,
                initial_node=nodes,
                semantics=semantics,
                dead_ends=dead_ends,
                file=self._file,
            )
        except ModelError as error:
            error.position = None  # paths are for files
            raise

    def _split(self, starts: list[str]) -> tuple[str, list[str]]:
        """`COMPONENT:NODE` parts. Names may hold colons themselves."""
        if not starts:
            raise ModelError("P210", "the model has no initial node")
        names = []
        found: tuple[str, list[str]] | None = None
        for component in self._components:
            names.append(component.name)
            prefix = f"{component.name}:"
            if not all(start.startswith(prefix) for start in starts):
                continue
            nodes = [start[len(prefix) :] for start in starts]
            if {node.name for node in component.nodes}.issuperset(nodes):
                return component.name, nodes
            found = found or (component.name, nodes)
        if found is not None:
            return found  # a node is missing: the error will say which
        first = starts[0]
        raise ModelError(
            "P202",
            f'initial node "{printable(first)}" names no component',
            hint=did_you_mean(first.partition(":")[0], names)
            or "write COMPONENT:NODE, all in one component",
        )


def kripke(
    successors: Mapping[str, Iterable[str]],
    *,
    labels: Mapping[str, Iterable[str]],
    initial: str | Iterable[str],
    dead_ends: DeadEnds | str | None = None,
) -> RSM:
    """A Kripke structure: a model of one component without calls.

    >>> import pigro
    >>> pigro.kripke({"red": ["green"], "green": ["red"]}, labels={"green": ["go"]}, initial="red")
    <RSM: 1 component, 2 nodes, 2 edges, 0 boxes>
    """
    model = ModelBuilder()
    states = model.component("kripke")
    for name in successors:
        states.node(name, labels=labels.get(name, ()))
    for name in labels:
        if name not in successors:
            raise ModelError(
                "P203",
                f'labels name state "{printable(name)}", which has no successors entry',
                hint=did_you_mean(name, successors),
            )
    for name, targets in successors.items():
        states.edge(name, *_names(targets))
    starts = [f"kripke:{each}" for each in _names(initial)]
    return model.build(initial=starts, dead_ends=dead_ends)


def _names(names: Iterable[str]) -> list[str]:
    """A lone string is one name, not a name for each of its characters."""
    return [names] if isinstance(names, str) else list(names)


def _ref(node: str | BoxNodeRef) -> NodeRef | BoxNodeRef:
    return NodeRef(name=node) if isinstance(node, str) else node


def _place(declared: _Placed, at: At | None, file: str | None) -> _Placed:
    """Gives a declaration its source position."""
    if file is not None:
        declared.file = file
    if at is not None:
        try:
            declared.at = [index(at)] if isinstance(at, SupportsIndex) else list(map(index, at))
        except TypeError:
            raise wrong_position(repr(at)) from None
    return declared
