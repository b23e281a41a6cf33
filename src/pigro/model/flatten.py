"""From declarations by name to the flat arrays of the native core, in one pass over each part.

Needs: nothing. Leaves: an `RSM`, or a `ModelError` whose position holds the path of the culprit
(`$.components[3].boxes[0].name`), from which a file reader finds the line.
Hot: a 16 MB file has 35,000 transitions and 27,000 label names; the loops below are its load time.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NoReturn

from pigro.diagnostics import ModelError, Position, did_you_mean, printable
from pigro.model.declarations import BoxNodeRef
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.rsm import RSM, Names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.model.declarations import BoxDecl, ComponentDecl, ModelDecl, NodeRef

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
            [component.name for component in declared.components],
            flat.node_names,
            [box.name for component in declared.components for box in component.boxes],
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
                self._duplicate("component", component.name, f"$.components[{ci}].name")
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
                self._find_duplicate("node", ci, (node.name for node in component.nodes))
            self.node_names += ids
            self.node_ids.append(ids)
            self.component_offsets.append(number)

    def boxes(self) -> None:
        """Resolves callees, call nodes and return nodes."""
        for ci, component in enumerate(self.declared.components):
            for bi, box in enumerate(component.boxes):
                callee = self.components.get(box.component)
                if callee is None:
                    self._unknown_component(
                        box.component,
                        f"$.components[{ci}].boxes[{bi}].component",
                        f"box {_q(box.name)} of component {_q(component.name)} calls",
                    )
                self.box_callee.append(callee)
                ids = self.node_ids[callee]
                try:
                    entries = [ids[name] for name in box.call_nodes]
                    exits = [ids[name] for name in box.return_nodes]
                except KeyError:
                    self._bad_box_node(ci, bi, callee)
                flags = self.flags
                if not all([flags[each] & _ENTRY for each in entries]) or not all(
                    [flags[each] & _EXIT for each in exits]
                ):
                    self._bad_box_node(ci, bi, callee)
                self.call_entries.extend(entries)
                self.return_exits.extend(exits)
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
                self._find_duplicate("box", ci, (box.name for box in component.boxes))
            first_box += len(component.boxes)
            ids = self.node_ids[ci]
            for ti, transition in enumerate(component.transitions):
                if not transition.targets:
                    continue
                source = _resolve(transition.source, ids, returns)
                if source is None or (source < node_count and flags[source] & _EXIT):
                    self._bad_reference(ci, ti, None, returns)
                for at, ref in enumerate(transition.targets):
                    target = _resolve(ref, ids, calls)
                    if target is None:
                        self._bad_reference(ci, ti, at, calls)
                    add_source(source)
                    add_target(target)

    def initial(self) -> list[int]:
        """The initial nodes."""
        name = self.declared.initial_component
        component = self.components.get(name)
        if component is None:
            self._unknown_component(name, "$.initial_component", "the initial component is")
        names = self.declared.initial_node
        paths = ["$.initial_node"]
        if isinstance(names, str):
            names = [names]
        else:
            paths = [f"$.initial_node[{i}]" for i in range(len(names))]
        if not names:
            raise ModelError("P210", "the list of initial nodes is empty", position=Position(path="$.initial_node"))
        ids = self.node_ids[component]
        for each, path in zip(names, paths, strict=True):
            if each not in ids:
                raise ModelError(
                    "P203",
                    f"initial node {_q(each)} is not a node of component {_q(name)}",
                    position=Position(path=path),
                    hint=did_you_mean(each, ids),
                )
        return [ids[each] for each in dict.fromkeys(names)]

    def _box_nodes(
        self, component: ComponentDecl, first_box: int
    ) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
        """By box name: the references of its listed calls and of its listed returns, by node name."""
        call_base = len(self.flags)
        return_base = call_base + len(self.call_entries)
        calls: dict[str, dict[str, int]] = {}
        returns: dict[str, dict[str, int]] = {}
        for number, box in enumerate(component.boxes, first_box):
            calls[box.name] = _numbered(box.call_nodes, call_base + self.call_offsets[number])
            returns[box.name] = _numbered(box.return_nodes, return_base + self.return_offsets[number])
        return calls, returns

    def _resolve(
        self, component: ComponentDecl, ref: NodeRef | BoxNodeRef, listed: dict[str, dict[str, int]], path: str
    ) -> int:
        """The slow way to resolve a reference: it is odd or wrong."""
        ids = self.node_ids[self.components[component.name]]
        is_source = path.endswith("source")
        inside = f"component {_q(component.name)}"
        if isinstance(ref, BoxNodeRef):
            if ref.box_name not in listed:
                raise ModelError(
                    "P204",
                    f"{inside} has no box {_q(ref.box_name)}",
                    position=Position(path=f"{path}.box_name"),
                    hint=did_you_mean(ref.box_name, listed),
                )
            code, word = ("P208", "return") if is_source else ("P207", "call")
            raise ModelError(
                code,
                f"box {_q(ref.box_name)} of {inside} lists no {word} node {_q(ref.node_name)}",
                position=Position(path=f"{path}.node_name"),
                hint=did_you_mean(ref.node_name, listed[ref.box_name])
                or f'add it to "{word}_nodes" of the box',
            )
        key = "name" if ref.name is not None else "node"
        name = ref.name if ref.name is not None else ref.node
        if name is None:
            raise ModelError("P203", "a node reference without a name", position=Position(path=path))
        if name not in ids:
            raise ModelError(
                "P203",
                f"{inside} has no node {_q(name)}",
                position=Position(path=f"{path}.{key}"),
                hint=did_you_mean(name, ids),
            )
        if is_source and self.flags[ids[name]] & _EXIT:
            raise ModelError(
                "P209",
                f"exit {_q(name)} of {inside} has successors",
                position=Position(path=f"{path}.{key}"),
                hint="an exit only returns: continue from the return nodes of the boxes that call this component",
            )
        return ids[name]

    def _bad_box_node(self, box: BoxDecl, kind: str, name: str, path: str, callee: int) -> NoReturn:
        names = box.call_nodes if kind == "call_nodes" else box.return_nodes
        position = Position(path=f"{path}[{names.index(name)}]")
        target = f"component {_q(box.component)}"
        ids = self.node_ids[callee]
        if name not in ids:
            raise ModelError(
                "P203",
                f"box {_q(box.name)}: {target} has no node {_q(name)}",
                position=position,
                hint=did_you_mean(name, ids),
            )
        code, word = ("P205", "entry") if kind == "call_nodes" else ("P206", "exit")
        raise ModelError(
            code, f"box {_q(box.name)}: node {_q(name)} of {target} is not an {word}", position=position
        )

    def _unknown_component(self, name: str, path: str, who: str) -> NoReturn:
        raise ModelError(
            "P202",
            f"{who} {_q(name)}, which is not a component",
            position=Position(path=path),
            hint=did_you_mean(name, self.components),
        )

    def _find_duplicate(self, kind: str, component: int, names: Iterable[str]) -> NoReturn:
        seen = set[str]()
        key = "nodes" if kind == "node" else "boxes"
        for i, name in enumerate(names):
            if name in seen:
                self._duplicate(kind, name, f"$.components[{component}].{key}[{i}].name")
            seen.add(name)
        raise AssertionError

    def _duplicate(self, kind: str, name: str, path: str) -> NoReturn:
        raise ModelError("P201", f"two {kind}s are named {_q(name)}", position=Position(path=path))


def _resolve(
    ref: NodeRef | BoxNodeRef, ids: dict[str, int], listed: dict[str, dict[str, int]]
) -> int | None:
    """The number that the native core gives to a reference, or None: there is no such node."""
    try:
        if type(ref) is BoxNodeRef:
            return listed[ref.box_name][ref.node_name]
        return ids[ref.name if ref.name is not None else ref.node]
    except KeyError:
        return None


def _numbered(names: list[str], base: int) -> dict[str, int]:
    return dict(zip(names, range(base, base + len(names)), strict=True))


def _q(name: str) -> str:
    return f'"{printable(name)}"'

