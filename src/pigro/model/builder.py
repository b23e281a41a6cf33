"""Building a model by hand, by names.

Call and return nodes need not be listed: an edge that uses one lists it. Nodes, boxes and
components may have source positions: a line, or LINE, COLUMN, END LINE, END COLUMN (positions.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

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
S = TypeVar("S", bound=Hashable)
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

    def node(
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
        _text(name, "the name of a node")
        declared = PlacedNode(
            name=name, is_entry=entry, is_exit=exit, labels=_names(labels, "labels")
        )
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
        component, nodes = self._split(_names(initial, "initial"))
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
    successors: Mapping[S, Iterable[S]],
    *,
    labels: Mapping[S, Iterable[str]],
    initial: S | Iterable[S],
    dead_ends: DeadEnds | str | None = None,
) -> RSM:
    """A Kripke structure: a model of one component without calls.

    States are strings, numbers or other objects that can be keys. `str` gives their names.

    >>> import pigro
    >>> pigro.kripke({"red": ["green"], "green": ["red"]}, labels={"green": ["go"]}, initial="red")
    <RSM: 1 component, 2 nodes, 2 edges, 0 boxes>
    >>> pigro.kripke({0: [1], 1: [0]}, labels={0: ["x"]}, initial=0).node_name(1)
    'kripke:1'
    """
    for given, what in ((successors, "successors"), (labels, "labels")):
        if not isinstance(given, Mapping):
            raise _wrong(what, "a dictionary with states as keys", given)
    names = {state: str(state) for state in successors}
    model = ModelBuilder()
    states = model.component("kripke")
    for state, name in names.items():
        states.node(name, labels=labels.get(state, ()))
    for state in labels:
        _named(names, state, 'labels name state "{}", which has no successors entry')
    for state, targets in successors.items():
        listed = _listed(targets, f'the successors of "{printable(names[state])}"')
        missing = 'component "kripke" has no node "{}"'
        states.edge(names[state], *(_named(names, each, missing) for each in listed))
    missing = 'initial node "{}" is not a node of component "kripke"'
    is_one = _has(names, initial) or not isinstance(initial, Iterable)
    starts = [initial] if is_one else _listed(initial, "initial")
    nodes = [_named(names, each, missing) for each in starts]
    return model.build(initial=[f"kripke:{each}" for each in nodes], dead_ends=dead_ends)


def _has(names: Mapping[Any, str], state: object) -> bool:
    try:
        return state in names
    except TypeError:  # such as a list, which can't be a key
        return False


def _named(names: Mapping[Any, str], state: object, missing: str) -> str:
    """The name of a state. `ModelError` with that text if there is no such state."""
    if _has(names, state):
        return names[state]
    hint = did_you_mean(str(state), names.values())
    raise ModelError("P203", missing.format(printable(str(state))), hint=hint)


def _listed(given: object, what: str) -> list[object]:
    """A lone string is one name, not a name for each of its characters."""
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise _wrong(what, "a list", given)
    return list(given)


def _names(given: object, what: str) -> list[str]:
    return [_text(each, what) for each in _listed(given, what)]


def _text(name: object, what: str) -> str:
    if not isinstance(name, str):
        raise _wrong(what, "text", name)
    return name


def _wrong(what: str, wanted: str, given: object) -> ModelError:
    return ModelError("P224", f"{what} must be {wanted}, not {printable(repr(given))}")


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
