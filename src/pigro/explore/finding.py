"""Finds components, nodes and labels by a part of their names.

All names of a kind are one text, each on a line of its own. So a search of a text in a million
names is a search in one string. Names that contain line ends are found by their pieces.

Cost: linear in the names, once. Then a search in the text, which ends after some matches.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate, islice
from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.explore.call_map import CallMap
    from pigro.model import RSM

_COMPONENTS, _NODES, _LABELS = 20, 20, 5
"""How many of each kind are found."""
_CARRIERS = 4
"""Nodes of a label that are told."""
_LOOKED_AT = 5000
"""Matches that are looked at for one answer."""


class NameIndex:
    """Names of one kind, by number."""

    def __init__(self, names: Iterable[str]) -> None:
        lines = list(names)
        text = "\n".join(lines)
        if not text.isascii():  # folding may change lengths
            lines = [name.casefold() for name in lines]
            text = "\n".join(lines)
        self._text = f"\n{text.lower()}\n" if text.isascii() else f"\n{text}\n"
        self._starts = array("q", accumulate((len(name) + 1 for name in lines), initial=1))

    def matching(self, text: str) -> Iterator[int]:
        """The names that contain a text: first those that are it, then those that begin with it."""
        if not text or "\n" in text:
            return
        seen: set[int] = set()
        for wanted, skip in ((f"\n{text}\n", 1), (f"\n{text}", 1), (text, 0)):
            at = self._text.find(wanted)
            for _ in range(_LOOKED_AT):
                if at < 0:
                    break
                number = bisect_right(self._starts, at + skip) - 1
                if number not in seen:
                    seen.add(number)
                    yield number
                at = self._text.find(wanted, self._starts[number + 1] - 1)


class ModelFinder:
    """What a search field finds in a model."""

    def __init__(self, model: RSM, calls: CallMap) -> None:
        self._model, self._calls = model, calls

    @cached_property
    def _components(self) -> NameIndex:
        return NameIndex(self._model.names.components)

    @cached_property
    def _nodes(self) -> NameIndex:
        return NameIndex(self._model.names.nodes)

    @cached_property
    def _labels(self) -> tuple[list[str], NameIndex]:
        labels = list(self._model.label_ids)
        return labels, NameIndex(labels)

    def find(self, text: str) -> list[dict[str, object]]:
        """Components, nodes and labels whose names contain a text. COMPONENT:NODE is a node."""
        wanted = text.casefold()
        found: list[dict[str, object]] = [
            {"kind": "component", **self._calls.told(each)}
            for each in islice(self._components.matching(wanted), _COMPONENTS)
        ]
        within, colon, name = wanted.rpartition(":")
        is_wanted = self._is_in(within) if colon else lambda _: True
        nodes = (self._model.core.node_of_declared(at) for at in self._nodes.matching(name))
        found += [
            self._node(each)
            for each in islice(filter(is_wanted, islice(nodes, _LOOKED_AT)), _NODES)
        ]
        labels, names = self._labels
        for each in islice(names.matching(wanted), _LABELS):
            number = self._model.label_ids[labels[each]]
            carriers = self._model.core.labelled(number)[:_CARRIERS]
            found += [self._node(node, printable(labels[each], 100)) for node in carriers]
        return found

    def _is_in(self, name: str) -> Callable[[int], bool]:
        """Whether a node is in a component whose name contains a text."""
        core, names = self._model.core, self._model.names.components
        return lambda node: name in names[core.component(node)].casefold()

    def _node(self, node: int, label: str | None = None) -> dict[str, object]:
        told = {"kind": "node", "node": node, "name": printable(self._model.node_name(node))}
        return told if label is None else {**told, "kind": "label", "label": label}
