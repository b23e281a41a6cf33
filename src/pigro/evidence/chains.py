"""Runs of composed states on a small model: a component for each run.

Composed states are no nodes of a model. Where a run is stepped through or drawn, they become nodes
of a component that has nothing but the run, with the labels of its formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pigro.evidence.kinds import kind_of
from pigro.evidence.states import EMPTY, Path, State, run_evidence
from pigro.evidence.trace import ENDS
from pigro.model.conditions import ModelConditions
from pigro.model.names import Names
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.trace import Trace

_ENTRY = 1
_WORDS = {end: word for word, end in ENDS.items()}
"""The words of paths, by the ends of traces."""


class RunChains:
    """Takes runs, each as a component of its own. Nodes keep their numbers while it grows.

    Needs: all verdicts read dead ends alike.
    """

    def __init__(self, _subject: object) -> None:
        self._offsets = [0]
        self._names: list[str] = []
        self._flags = bytearray()
        self._edges: list[tuple[int, int]] = []
        self._labels: dict[str, list[int]] = {}
        self._values: list[Mapping[str, str]] = []
        self._unknown: list[tuple[str, ...]] = []
        self._dead_ends = "stutter"

    def expect(self, subject: Any) -> None:
        """A verdict is about the subject itself."""

    def take(self, shown: ShownEvidence) -> ShownEvidence:
        """The run that shows a verdict, as a path on `model`. What shows it now, if it is none."""
        trace = kind_of(shown.evidence).trace(shown)
        return shown if trace is None else self.along(shown, trace)

    def along(self, shown: ShownEvidence, trace: Trace) -> ShownEvidence:
        """A trace of what is shown, as a path on `model`."""
        path = self._add(trace)
        self._dead_ends = shown.evidence.dead_ends
        return replace(shown, evidence=run_evidence(shown, path, self.model), certificate=None)

    def _add(self, trace: Trace) -> Path:
        """A state that comes again is one node. It has the same labels then."""
        nodes: dict[tuple[object, ...], int] = {}
        values: dict[str, str] = {}
        run: list[int] = []
        for each in trace:
            values |= each.variables
            known = nodes.get((each.name, each.labels))
            if known is None:
                known = nodes[each.name, each.labels] = len(self._names)
                self._names.append(each.name)
                self._values.append(dict(values))
                self._unknown.append(each.unknown)
                self._flags.append(0 if run else _ENTRY)
                for label in each.labels:
                    self._labels.setdefault(label, []).append(known)
            run.append(known)
        back = [] if trace.start is None else [run[trace.start]]
        self._edges += dict.fromkeys(zip(run, [*run[1:], *back], strict=False))
        self._offsets.append(len(self._names))
        states = tuple([State(EMPTY, node) for node in run])
        return Path(states, _WORDS[trace.end], trace.start)

    @property
    def model(self) -> RSM:
        """The model as it is now. Without runs it has one node, without a name."""
        names = self._names or [""]
        offsets = self._offsets if self._names else [0, 1]
        return RSM.from_arrays(
            component_offsets=offsets,
            node_flags=bytes(self._flags) or bytes([_ENTRY]),
            edge_sources=[before for before, _ in self._edges],
            edge_targets=[after for _, after in self._edges],
            labels=self._labels,
            initial=tuple(offsets[:-1]),
            names=Names(("",) * (len(offsets) - 1), tuple(names), ()),
            dead_ends=self._dead_ends,
            conditions=ChainValues(tuple(self._values), tuple(self._unknown)),
        )


class ChainValues(ModelConditions):
    """The states of parts in nodes, and labels that are not known there."""

    def __init__(
        self, values: tuple[Mapping[str, str], ...], unknown: tuple[tuple[str, ...], ...]
    ) -> None:
        self._values, self.unknown = values, unknown

    @property
    def is_partial(self) -> bool:
        """See `ModelConditions`."""
        return True

    def __call__(self, _label: str) -> None:
        """No label is a condition."""

    @property
    def valuation(self) -> ChainValues | None:
        """Itself, if there are any. See `NodeValuation`."""
        return self if any(self._values) else None

    def values(self, node: int) -> Mapping[str, str]:
        """Each variable with its value."""
        return self._values[node]

    def inputs(self, _before: int, _after: int) -> Mapping[str, str]:
        """Steps have no inputs."""
        return {}

    def place(self, _before: int, _after: int, _box: int = -1) -> None:
        """Nothing is said of steps."""
