"""From declarations by name to the flat arrays of the native core.

Needs: nothing. Leaves: an `RSM`, or an error whose position holds the path of the culprit
(`$.components[3].boxes[0].name`), from which a file reader finds the line.

Components are taken one at a time and dropped, but for their boxes: what those call may come later.
So a reader need not hold a whole file as objects, which is slower than decoding it (a 16 MB file
has 34,000 transitions that refer to 68,000 nodes by name) and takes several times its size.
Until all are counted, the k-th listed call (as target) or return (as source) is written `~k`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.limits import no_poll
from pigro.model import mistakes
from pigro.model.assembly import ENTRY, EXIT, ModelAssembly
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.declarations import BoxNodeRef, PlacedComponent, PositionCollector
from pigro.model.names import Names

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterable

    from pigro.diagnostics import InputError, ModelError
    from pigro.limits import Poll
    from pigro.model.declarations import BoxDecl, ComponentDecl, NodeDecl, NodeRef, TransitionDecl
    from pigro.model.rsm import RSM


def flatten(
    components: Iterable[ComponentDecl],
    *,
    initial_component: str,
    initial_node: str | list[str],
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    source: str | None = None,
    file: str | None = None,
    poll: Poll = no_poll,
) -> RSM:
    """The model that the declarations describe. `file` is where positions without a file are.

    `poll` is called often, and may raise to stop.
    """
    flat = _ModelFlattener(file)
    for component in components:
        flat.add(component)
        poll()
    flat.link_boxes()
    flat.made.number_listed()
    return flat.made.model(
        labels=flat.labels,
        initial=flat.initial(initial_component, initial_node),
        names=Names(
            tuple(flat.components),
            tuple(name for ids in flat.node_ids for name in ids),
            tuple(box.name for box in flat.boxes),
        ),
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        positions=None
        if flat.placing is None
        else flat.placing.finish(len(flat.made.flags), len(flat.boxes), len(flat.components)),
        poll=poll,
    )


class _ModelFlattener:
    """The model while it grows. Boxes are linked at last."""

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.made = ModelAssembly()
        self.placing: PositionCollector | None = None  # made for the first position
        self.components: dict[str, int] = {}
        self.node_ids: list[dict[str, int]] = []  # of each component: name -> declared node
        self.labels: dict[str, list[int]] = {}
        self.boxes: list[BoxDecl] = []
        self.bad_edge: ModelError | InputError | None = None  # the first. Bad boxes are told before

    def add(self, component: ComponentDecl) -> None:
        """Takes in the next component. All that it says about itself is resolved."""
        path = f"$.components[{len(self.components)}]"
        if component.name in self.components:
            names = [*self.components, component.name]
            raise mistakes.duplicate("components", names, "$.components[{}].name")
        if isinstance(component, PlacedComponent):
            self.placing = self.placing or PositionCollector(self.file)
            self.placing.add(component, len(self.components), len(self.made.flags), len(self.boxes))
        self.components[component.name] = len(self.components)
        ids = self._add_nodes(component.nodes)
        if len(ids) != len(component.nodes):
            names = [node.name for node in component.nodes]
            what = f"nodes of component {mistakes.quoted(component.name)}"
            raise mistakes.duplicate(what, names, path + ".nodes[{}].name")
        calls, returns = self._add_boxes(component.boxes)
        if len(calls) != len(component.boxes):
            names = [box.name for box in component.boxes]
            what = f"boxes of component {mistakes.quoted(component.name)}"
            raise mistakes.duplicate(what, names, path + ".boxes[{}].name")
        place = self._add_edges(component.transitions, ids, calls, returns)
        if place is not None and self.bad_edge is None:
            ti, at = place
            ref = component.transitions[ti].source
            listed = returns
            path += f".transitions[{ti}]" + (".source" if at is None else f".targets[{at}]")
            if at is not None:
                ref = component.transitions[ti].targets[at]
                listed = calls
            self.bad_edge = mistakes.bad_reference(ref, component.name, ids, listed, path)

    def _add_nodes(self, nodes: list[NodeDecl]) -> dict[str, int]:
        """The nodes by name."""
        flags, labels = self.made.flags, self.labels
        ids: dict[str, int] = {}
        number = len(flags)
        for node in nodes:
            ids[node.name] = number
            flags.append(ENTRY * node.is_entry | EXIT * node.is_exit)
            for label in node.labels:
                found = labels.get(label)
                if found is None:
                    labels[label] = [number]
                else:
                    found.append(number)
            number += 1
        self.node_ids.append(ids)
        return ids

    def _add_boxes(
        self, boxes: list[BoxDecl]
    ) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]]:
        """By box name: the listed calls and the listed returns, by node name."""
        calls: dict[str, dict[str, int]] = {}
        returns: dict[str, dict[str, int]] = {}
        for box in boxes:
            calls[box.name] = _listed(box.call_nodes, self.made.call_offsets)
            returns[box.name] = _listed(box.return_nodes, self.made.return_offsets)
        self.boxes += boxes
        self.made.end_component()
        return calls, returns

    def _add_edges(
        self,
        transitions: list[TransitionDecl],
        ids: dict[str, int],
        calls: dict[str, dict[str, int]],
        returns: dict[str, dict[str, int]],
    ) -> tuple[int, int | None] | None:
        """Where it stopped at a bad source (transition, None) or target (transition, target)."""
        add_source, add_target = self.made.sources.append, self.made.targets.append
        flags = self.made.flags
        for ti, transition in enumerate(transitions):
            if not transition.targets:
                continue
            source = _resolve(transition.source, ids, returns)
            if source is None or (source >= 0 and flags[source] & EXIT):
                return ti, None
            for at, ref in enumerate(transition.targets):
                target = _resolve(ref, ids, calls)
                if target is None:
                    return ti, at
                add_source(source)
                add_target(target)
        return None

    def link_boxes(self) -> None:
        """Resolves callees, call nodes and return nodes. Needs all components."""
        made, flags = self.made, self.made.flags
        for box in self.boxes:
            callee = self.components.get(box.component)
            if callee is None:
                raise self._bad_box(box, len(made.box_callee))
            ids = self.node_ids[callee]
            for names, flag, out in (
                (box.call_nodes, ENTRY, made.call_entries),
                (box.return_nodes, EXIT, made.return_exits),
            ):
                for name in names:
                    number = ids.get(name)
                    if number is None or not flags[number] & flag:
                        raise self._bad_box(box, len(made.box_callee), name, flag)
                    out.append(number)
            made.box_callee.append(callee)
        if self.bad_edge is not None:
            raise self.bad_edge

    def initial(self, name: str, node: str | list[str]) -> list[int]:
        """The initial nodes."""
        component = self.components.get(name)
        if component is None:
            who = "the initial component is"
            raise mistakes.unknown_component(name, who, "$.initial_component", self.components)
        if not node and not isinstance(node, str):
            raise mistakes.no_initial_node()
        ids = self.node_ids[component]
        for i, each in enumerate([node] if isinstance(node, str) else node):
            if each not in ids:
                path = "$.initial_node" if isinstance(node, str) else f"$.initial_node[{i}]"
                raise mistakes.unknown_initial_node(each, name, ids, path)
        return [ids[each] for each in ([node] if isinstance(node, str) else node)]

    def _bad_box(self, box: BoxDecl, number: int, name: str = "", flag: int = 0) -> ModelError:
        """A box of no component (flag 0), or one that lists a wrong node."""
        owner = next(c for c, end in enumerate(self.made.box_offsets[1:]) if number < end)
        caller = list(self.components)[owner]
        path = f"$.components[{owner}].boxes[{number - self.made.box_offsets[owner]}]"
        if not flag:
            who = f"box {mistakes.quoted(box.name)} of component {mistakes.quoted(caller)} calls"
            path += ".component"
            return mistakes.unknown_component(box.component, who, path, self.components)
        ids = self.node_ids[self.components[box.component]]
        return mistakes.bad_box_node(
            box,
            caller,
            name,
            is_call=flag == ENTRY,
            nodes=ids,
            fitting=(each for each, node in ids.items() if self.made.flags[node] & flag),
            path=path,
        )


def _resolve(
    ref: NodeRef | BoxNodeRef, ids: dict[str, int], listed: dict[str, dict[str, int]]
) -> int | None:
    """The number of the thing that is referred to, or None: there is no such thing."""
    try:
        if isinstance(ref, BoxNodeRef):
            return listed[ref.box_name][ref.node_name]
        return ids[ref.name if ref.name is not None else ref.node]  # type: ignore[index]
    except KeyError:
        return None


def _listed(names: list[str], offsets: array[int]) -> dict[str, int]:
    """The next listed calls or returns by name, as `~k`. Adds their number to the offsets."""
    begin = offsets[-1]
    offsets.append(begin + len(names))
    return {name: ~k for k, name in enumerate(names, begin)}
