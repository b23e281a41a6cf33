"""The reading `rmv`: a run that leaves the initial component goes to a state without labels.

Source: [Finis2012], definition 2.4.3, equations 2.8 and 2.9, whose ending state is l_term. Here it
is a part of the model, so engines, certificates and evidence do not depend on the reading. A
component that a run starts in has a node `end` with a loop, and its exits are plain nodes that lead
there.

A component that boxes call too must still return from calls. So there is a copy of it, its *twin*,
for runs that start there. Twins come after all other components. Every component that is called and
has exits has a twin, whether the model starts there or not. So all choices of initial nodes have
the same nodes, and one file of certificates can hold the proofs for all of them.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, pairwise
from typing import TYPE_CHECKING

from pigro import _core
from pigro.model.arrays import as_ids
from pigro.model.assembly import EXIT, ModelAssembly
from pigro.model.names import Names
from pigro.model.positions import WIDTH, Positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pigro.model.rsm import RSM

_END = "end"
_TWIN = "_initial"
_NONE = -1


@dataclass(frozen=True)
class EndingStates:
    """How a model with ending states comes from the model as it was given, by declared nodes."""

    base: RSM
    """The model as it was given."""
    moved: Sequence[int]
    """From its nodes to those of the model with ending states."""
    started: Sequence[int]
    """From its nodes to those that a run starts at: the same, or those of a twin."""

    @cached_property
    def given(self) -> dict[int, int]:
        """From the nodes of the model with ending states, but for these, to those of the base."""
        found = {node: at for at, node in enumerate(self.moved)}
        found.update((node, at) for at, node in enumerate(self.started))
        return found

    def everywhere(self, nodes: Iterable[int]) -> list[int]:
        """Nodes of the base as those of the model with ending states, with their twins."""
        pairs = ((self.moved[node], self.started[node]) for node in nodes)
        return sorted(set(chain.from_iterable(pairs)))

    def with_initial(
        self, core: _core.Model, nodes: Iterable[int]
    ) -> tuple[tuple[int, ...], EndingStates]:
        """The nodes, by node number, that a run starts at for these, and the base, started there.

        An ending state stands for itself, and the base stays as it is.
        """
        given, starts, own = self.given, [], []
        for node in nodes:
            at = given.get(core.declared_of_node(node))
            starts.append(node if at is None else core.node_of_declared(self.started[at]))
            own += [] if at is None else [self.base.core.node_of_declared(at)]
        base = self.base.with_initial(own) if own else self.base
        return tuple(dict.fromkeys(starts)), replace(self, base=base)

    def with_labels(
        self, labels: Mapping[str, object]
    ) -> tuple[dict[str, list[int]], EndingStates]:
        """The labels with the twins of their nodes, and the base with these labels."""
        given = self.given
        rows = {
            label: as_ids(nodes, f'nodes of label "{label}"') for label, nodes in labels.items()
        }
        own = {
            label: sorted({given[node] for node in row if node in given})
            for label, row in rows.items()
        }
        made = {label: self.alike(row) for label, row in rows.items()}
        return made, replace(self, base=self.base.with_labels(own))

    def alike(self, nodes: Iterable[int]) -> list[int]:
        """Nodes with their twins. A number that is no node stays as it is."""
        given, found = self.given, set(nodes)
        for node in nodes:
            if node in given:
                found |= {self.moved[given[node]], self.started[given[node]]}
        return sorted(found)


def with_endings(base: RSM) -> RSM:
    """The model with ending states, for a model as it was given."""
    made = _EndingArrays(base)
    core = _core.Model(**made.arrays(), semantics=_core.Semantics.STANDARD, tick=None)
    endings = EndingStates(base, made.moved, made.started)
    starts = (made.started[base.core.declared_of_node(node)] for node in base.initial)
    return replace(
        base,
        core=core,
        names=made.names(),
        initial=tuple(dict.fromkeys(map(core.node_of_declared, starts))),
        positions=made.positions(),
        endings=endings,
    )


class _EndingArrays:
    """The arrays of a model with ending states, from those of its base.

    The components `ended` are never called, and get an ending state. Those `copied` get a twin.
    """

    def __init__(self, base: RSM) -> None:
        self.base = base
        self.given = {name: _view(name, row) for name, row in base.core.arrays().items()}
        offsets, flags = self.given["component_offsets"], self.given["node_flags"]
        self.spans = [range(*pair) for pair in pairwise(offsets)]
        leaving = [c for c, span in enumerate(self.spans) if any(flags[n] & EXIT for n in span)]
        called = set(self.given["box_callee"])
        self.ended = {c for c in leaving if c not in called}
        self.copied = [c for c in leaving if c in called]
        self.offsets, self.moved = array("i", [0]), array("i")
        self.ends: dict[int, int] = {}
        """From components to the ending state of runs that start there."""
        for c, span in enumerate(self.spans):
            self.moved.extend(self._place(span))
            if c in self.ended:
                self._end(c)
        self.started = self.moved[:]
        for c in self.copied:
            span = self.spans[c]
            self.started[span.start : span.stop] = array("i", self._place(span))
            self._end(c)
        self.nodes = self.offsets[-1]

    def _place(self, span: range) -> range:
        first = self.offsets[-1]
        self.offsets.append(first + len(span))
        return range(first, first + len(span))

    def _end(self, component: int) -> None:
        self.ends[component] = self.offsets[-1]
        self.offsets[-1] += 1

    def arrays(self) -> dict[str, memoryview]:
        """As the native core takes them."""
        made = ModelAssembly()
        made.component_offsets, made.flags = self.offsets, self._flags()
        spans = (range(*pair) for pair in pairwise(self.given["box_offsets"]))
        for boxes in chain(spans, self._twin_boxes()):
            for box in boxes:
                entries = self._listed("call_offsets", "call_entries", box)
                exits = self._listed("return_offsets", "return_exits", box)
                made.add_box(self.given["box_callee"][box], entries, exits)
            made.box_offsets.append(len(made.box_callee))
        self._add_edges(made)
        rows = {**made.arrays(), **self._labels()}
        return {name: memoryview(row) for name, row in rows.items()}

    def _flags(self) -> bytearray:
        flags = bytearray(self.nodes)
        given = self.given["node_flags"]
        for node, flag in enumerate(given):
            flags[self.moved[node]] = flag
        for node in self._starting():
            flags[self.started[node]] = given[node] & ~EXIT
        return flags

    def _starting(self) -> Iterator[int]:
        """The nodes of components with an ending state, or whose twins have one."""
        return chain.from_iterable(self.spans[c] for c in self.ends)

    def _twin_boxes(self) -> Iterator[range]:
        """The boxes of each component that has a twin."""
        offsets = self.given["box_offsets"]
        return (range(offsets[c], offsets[c + 1]) for c in self.copied)

    def _listed(self, offsets: str, nodes: str, box: int) -> Iterator[int]:
        """The entries that a box calls, or its exits. They are never those of twins."""
        listed = range(*self.given[offsets][box : box + 2])
        return (self.moved[self.given[nodes][at]] for at in listed)

    def _add_edges(self, made: ModelAssembly) -> None:
        """All edges, those of twins again, and those to ending states."""
        first_call, first_box = len(self.moved), self.given["box_offsets"][-1]
        first_return = first_call + len(self.given["call_entries"])
        moved, in_twins = array("i", self.moved), array("i", [_NONE]) * first_call
        for c in self.copied:
            span = slice(self.spans[c].start, self.spans[c].stop)
            in_twins[span] = self.started[span]
        for numbered in (made.calls, made.returns):  # boxes of the base keep their numbers
            for box in range(first_box):
                moved.extend(numbered(box))
        in_twins.extend([_NONE] * (len(moved) - first_call))
        for twin, box in enumerate(chain.from_iterable(self._twin_boxes()), first_box):
            start, stop = self.given["call_offsets"][box : box + 2]
            in_twins[first_call + start : first_call + stop] = array("i", made.calls(twin))
            start, stop = self.given["return_offsets"][box : box + 2]
            in_twins[first_return + start : first_return + stop] = array("i", made.returns(twin))
        sources, targets = self.given["edge_sources"], self.given["edge_targets"]
        made.sources.extend(map(moved.__getitem__, sources))
        made.targets.extend(map(moved.__getitem__, targets))
        for source, target in zip(sources, targets, strict=True):
            if in_twins[source] != _NONE:
                made.sources.append(in_twins[source])
                made.targets.append(in_twins[target])
        flags = self.given["node_flags"]
        for c, end in self.ends.items():
            leaving = [self.started[node] for node in self.spans[c] if flags[node] & EXIT]
            made.sources.extend([*leaving, end])
            made.targets.extend([end] * (len(leaving) + 1))

    def _labels(self) -> dict[str, array[int]]:
        offsets, nodes = array("i", [0]), array("i")
        for first, last in pairwise(self.given["label_offsets"]):
            row = self.given["label_nodes"][first:last]
            nodes.extend(self.moved[node] for node in row)
            nodes.extend(
                self.started[node] for node in row if self.started[node] != self.moved[node]
            )
            offsets.append(len(nodes))
        return {"label_offsets": offsets, "label_nodes": nodes}

    def names(self) -> Names:
        """The names of the base, those of ending states, and those of twins."""
        given = self.base.names
        components, nodes = list(given.components), [""] * self.nodes
        for node, name in enumerate(given.nodes):
            nodes[self.moved[node]] = nodes[self.started[node]] = name
        boxes = self.given["box_offsets"]
        for c, end in self.ends.items():
            taken = {given.nodes[node] for node in self.spans[c]}
            taken.update(given.boxes[box] for box in range(boxes[c], boxes[c + 1]))
            nodes[end] = _free(_END, taken)
        taken = set(components)
        for c in self.copied:
            components.append(_free(given.components[c] + _TWIN, taken))
            taken.add(components[-1])
        more = chain.from_iterable(self._twin_boxes())
        return Names(components, nodes, [*given.boxes, *(given.boxes[box] for box in more)])

    def positions(self) -> Positions | None:
        """Those of the base, and for twins the same. Ending states have none."""
        if self.base.positions is None:
            return None
        given = self.base.positions.spread()
        nodes = array("i", bytes(4 * WIDTH * self.nodes)) if given.nodes else array("i")
        if given.nodes:
            rows = array("i", given.nodes)
            for places in (self.moved, self.started):
                for node, place in enumerate(places):
                    nodes[WIDTH * place : WIDTH * (place + 1)] = rows[
                        WIDTH * node : WIDTH * (node + 1)
                    ]
        return replace(
            given,
            nodes=nodes.tobytes(),
            boxes=_more(given.boxes, chain.from_iterable(self._twin_boxes())),
            components=_more(given.components, self.copied),
        )


def _view(name: str, row: bytes) -> memoryview:
    return memoryview(row) if name == "node_flags" or not row else memoryview(row).cast("i")


def _free(name: str, taken: set[str]) -> str:
    """The name, or with the first number that makes it new."""
    names = chain((name,), (f"{name}{number}" for number in count(2)))
    return next(each for each in names if each not in taken)


def _more(rows: bytes, again: Iterable[int]) -> bytes:
    """Rows of positions, and some of them again."""
    size = 4 * WIDTH
    return rows + b"".join(rows[size * at : size * (at + 1)] for at in again) if rows else b""
