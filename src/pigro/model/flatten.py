"""From declarations by name to the flat arrays of the native core, in one pass over each part.

Needs: nothing. Leaves: an `RSM`, or a `ModelError` whose position holds the path of the culprit
(`$.components[3].boxes[0].name`), from which a file reader finds the line.
Hot: a 16 MB file has 35,000 transitions and 27,000 label names; the loops below are its load time.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NoReturn

from pigro.diagnostics import InputError, ModelError, Position, did_you_mean, printable
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.declarations import BoxNodeRef
from pigro.model.rsm import RSM, Names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.model.declarations import ComponentDecl, ModelDecl, NodeRef

_ENTRY, _EXIT = 1, 2


def flatten(
    declared: ModelDecl,
    *,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    source: str | None = None,
) -> RSM:
    """The model that the declarations describe."""
    flat = _Flattening(declared)
    flat.nodes()
    flat.boxes()
    flat.edges()
    return RSM.from_arrays(
        component_offsets=flat.component_offsets,
        node_flags=flat.flags,
        box_offsets=flat.box_offsets,
        box_callee=flat.box_callee,
        call_offsets=flat.call_offsets,
        call_entries=flat.call_entries,
        return_offsets=flat.return_offsets,
        return_exits=flat.return_exits,
        edge_sources=flat.edge_sources,
        edge_targets=flat.edge_targets,
        labels=flat.labels,
        initial=flat.initial(),
        names=Names(
            tuple(component.name for component in declared.components),
            tuple(flat.node_names),
            tuple(box.name for component in declared.components for box in component.boxes),
        ),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
    )


class _Flattening:
    """The arrays while they grow."""

    def __init__(self, declared: ModelDecl) -> None:
        self.declared = declared
        self.components: dict[str, int] = {}
        self.node_ids: list[dict[str, int]] = []  # of each component: name -> declared node
        self.component_offsets = array("i", [0])
        self.flags = bytearray()
        self.node_names: list[str] = []
        self.labels: dict[str, list[int]] = {}
        self.box_offsets = array("i", [0])
        self.box_callee = array("i")
        self.call_offsets = array("i", [0])
        self.call_entries = array("i")
        self.return_offsets = array("i", [0])
        self.return_exits = array("i")
        self.edge_sources = array("i")
        self.edge_targets = array("i")

    def nodes(self) -> None:
        """Numbers components and nodes, and collects the labels."""
        labels = self.labels
        flags = self.flags
        for ci, component in enumerate(self.declared.components):
            if component.name in self.components:
                raise _duplicate("components", component.name, f"$.components[{ci}].name")
            self.components[component.name] = ci
            ids: dict[str, int] = {}
            number = len(flags)
            for node in component.nodes:
                ids[node.name] = number
                flags.append(_ENTRY * node.is_entry | _EXIT * node.is_exit)
                for label in node.labels:
                    found = labels.get(label)
                    if found is None:
                        labels[label] = [number]
                    else:
                        found.append(number)
                number += 1
            if len(ids) != len(component.nodes):
                self._find_duplicate("nodes", ci, (node.name for node in component.nodes))
            self.node_names += ids
            self.node_ids.append(ids)
            self.component_offsets.append(number)

    def boxes(self) -> None:
        """Resolves callees, call nodes and return nodes."""
        for ci, component in enumerate(self.declared.components):
            for bi, box in enumerate(component.boxes):
                callee = self.components.get(box.component)
                if callee is None:
                    raise self._unknown_component(
                        box.component,
                        f"$.components[{ci}].boxes[{bi}].component",
                        f"box {_q(box.name)} of component {_q(component.name)} calls",
                    )
                self.box_callee.append(callee)
                ids = self.node_ids[callee]
                for names, flag, out in (
                    (box.call_nodes, _ENTRY, self.call_entries),
                    (box.return_nodes, _EXIT, self.return_exits),
                ):
                    for name in names:
                        number = ids.get(name)
                        if number is None or not self.flags[number] & flag:
                            raise self._bad_box_node(ci, bi, name, flag)
                        out.append(number)
                self.call_offsets.append(len(self.call_entries))
                self.return_offsets.append(len(self.return_exits))
            self.box_offsets.append(len(self.box_callee))

    def edges(self) -> None:
        """Resolves transitions: a box node is a return as source and a call as target."""
        add_source, add_target = self.edge_sources.append, self.edge_targets.append
        flags, node_count = self.flags, len(self.flags)
        first_box = 0
        for ci, component in enumerate(self.declared.components):
            calls, returns = self._box_nodes(component, first_box)
            if len(calls) != len(component.boxes):
                self._find_duplicate("boxes", ci, (box.name for box in component.boxes))
            first_box += len(component.boxes)
            ids = self.node_ids[ci]
            for ti, transition in enumerate(component.transitions):
                if not transition.targets:
                    continue
                source = _resolve(transition.source, ids, returns)
                if source is None or (source < node_count and flags[source] & _EXIT):
                    raise self._bad_source(ci, ti, returns)
                for at, ref in enumerate(transition.targets):
                    target = _resolve(ref, ids, calls)
                    if target is None:
                        raise self._bad_target(ci, ti, at, calls)
                    add_source(source)
                    add_target(target)

    def initial(self) -> list[int]:
        """The initial nodes."""
        name = self.declared.initial_component
        component = self.components.get(name)
        if component is None:
            raise self._unknown_component(name, "$.initial_component", "the initial component is")
        names = self.declared.initial_node
        single = isinstance(names, str)
        if isinstance(names, str):
            names = [names]
        if not names:
            raise ModelError(
                "P210",
                "the list of initial nodes is empty",
                position=Position(path="$.initial_node"),
            )
        ids = self.node_ids[component]
        for i, each in enumerate(names):
            if each not in ids:
                raise ModelError(
                    "P203",
                    f"initial node {_q(each)} is not a node of component {_q(name)}",
                    position=Position(path="$.initial_node" if single else f"$.initial_node[{i}]"),
                    hint=did_you_mean(each, ids),
                )
        return [ids[each] for each in dict.fromkeys(names)]

    def _box_nodes(
        self, component: ComponentDecl, first_box: int
    ) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
        """By box name: the numbers of its listed calls and of its listed returns, by node name."""
        call_base = len(self.flags)
        return_base = call_base + len(self.call_entries)
        calls: dict[str, dict[str, int]] = {}
        returns: dict[str, dict[str, int]] = {}
        for number, box in enumerate(component.boxes, first_box):
            calls[box.name] = _numbered(box.call_nodes, call_base + self.call_offsets[number])
            returns[box.name] = _numbered(
                box.return_nodes, return_base + self.return_offsets[number]
            )
        return calls, returns

    def _bad_source(
        self, component: int, transition: int, returns: dict[str, dict[str, int]]
    ) -> ModelError | InputError:
        declared = self.declared.components[component]
        ref = declared.transitions[transition].source
        path = f"$.components[{component}].transitions[{transition}].source"
        if isinstance(ref, BoxNodeRef):
            return _bad_box_reference(ref, declared.name, returns, path, "return")
        key, name = _spelled(ref)
        if name in self.node_ids[component]:
            return ModelError(
                "P209",
                f"exit {_q(name)} of component {_q(declared.name)} has successors",
                position=Position(path=f"{path}.{key}"),
                hint="an exit only returns: continue from the return nodes of the boxes that "
                "call this component",
            )
        return self._bad_node_reference(ref, component, path)

    def _bad_target(
        self, component: int, transition: int, at: int, calls: dict[str, dict[str, int]]
    ) -> ModelError | InputError:
        declared = self.declared.components[component]
        ref = declared.transitions[transition].targets[at]
        path = f"$.components[{component}].transitions[{transition}].targets[{at}]"
        if isinstance(ref, BoxNodeRef):
            return _bad_box_reference(ref, declared.name, calls, path, "call")
        return self._bad_node_reference(ref, component, path)

    def _bad_node_reference(
        self, ref: NodeRef, component: int, path: str
    ) -> ModelError | InputError:
        if ref.name is None and ref.node is None:
            return InputError("P103", 'missing key "name"', position=Position(path=path))
        key, name = _spelled(ref)
        return ModelError(
            "P203",
            f"component {_q(self.declared.components[component].name)} has no node {_q(name)}",
            position=Position(path=f"{path}.{key}"),
            hint=did_you_mean(name, self.node_ids[component]),
        )

    def _bad_box_node(self, component: int, number: int, name: str, flag: int) -> ModelError:
        box = self.declared.components[component].boxes[number]
        calls = flag == _ENTRY
        key, names = ("call_nodes", box.call_nodes) if calls else ("return_nodes", box.return_nodes)
        path = f"$.components[{component}].boxes[{number}].{key}[{names.index(name)}]"
        where = f"box {_q(box.name)} of component {_q(self.declared.components[component].name)}"
        ids = self.node_ids[self.components[box.component]]
        if name not in ids:
            return ModelError(
                "P203",
                f"{where}: component {_q(box.component)} has no node {_q(name)}",
                position=Position(path=path),
                hint=did_you_mean(name, ids),
            )
        code, word, able = ("P205", "entry", "is_entry") if calls else ("P206", "exit", "is_exit")
        right = (each for each, node in ids.items() if self.flags[node] & flag)
        return ModelError(
            code,
            f"{where}: node {_q(name)} of component {_q(box.component)} is not an {word}",
            position=Position(path=path),
            hint=did_you_mean(name, right) or f'set "{able}" of the node, or take it off the list',
        )

    def _unknown_component(self, name: str, path: str, who: str) -> ModelError:
        return ModelError(
            "P202",
            f"{who} {_q(name)}, which is not a component",
            position=Position(path=path),
            hint=did_you_mean(name, self.components),
        )

    def _find_duplicate(self, kind: str, component: int, names: Iterable[str]) -> NoReturn:
        seen = set[str]()
        owner = self.declared.components[component].name
        for i, name in enumerate(names):
            if name in seen:
                path = f"$.components[{component}].{kind}[{i}].name"
                raise _duplicate(f"{kind} of component {_q(owner)}", name, path)
            seen.add(name)
        raise AssertionError


def _duplicate(what: str, name: str, path: str) -> ModelError:
    return ModelError("P201", f"two {what} are named {_q(name)}", position=Position(path=path))


def _bad_box_reference(
    ref: BoxNodeRef,
    component: str,
    listed: dict[str, dict[str, int]],
    path: str,
    word: str,
) -> ModelError:
    """`listed`: by box name, the call nodes of a target or the return nodes of a source."""
    if ref.box_name not in listed:
        return ModelError(
            "P204",
            f"component {_q(component)} has no box {_q(ref.box_name)}",
            position=Position(path=f"{path}.box_name"),
            hint=did_you_mean(ref.box_name, listed),
        )
    return ModelError(
        "P207" if word == "call" else "P208",
        f"box {_q(ref.box_name)} of component {_q(component)} lists no {word} node "
        f"{_q(ref.node_name)}",
        position=Position(path=f"{path}.node_name"),
        hint=did_you_mean(ref.node_name, listed[ref.box_name])
        or f'add it to "{word}_nodes" of the box',
    )


def _spelled(ref: NodeRef) -> tuple[str, str]:
    """The key and the name in a node reference that has one."""
    return ("name", ref.name) if ref.name is not None else ("node", ref.node or "")


def _resolve(
    ref: NodeRef | BoxNodeRef, ids: dict[str, int], listed: dict[str, dict[str, int]]
) -> int | None:
    """The number that the native core gives to a reference, or None: there is no such node."""
    if isinstance(ref, BoxNodeRef):
        nodes = listed.get(ref.box_name)
        return None if nodes is None else nodes.get(ref.node_name)
    name = ref.name if ref.name is not None else ref.node
    return None if name is None else ids.get(name)


def _numbered(names: list[str], base: int) -> dict[str, int]:
    return dict(zip(names, range(base, base + len(names)), strict=True))


def _q(name: str) -> str:
    return f'"{printable(name)}"'
