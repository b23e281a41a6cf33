"""The states of a computed model that evidence speaks of, as a small model of their own.

A model with very many states is never listed. A run that the search finds has a few of its states,
and these, with the steps of the run, are all that readers of the run need. Node 0 stands for all
states that are not shown: a state has a step there if it has steps that are not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.model.names import Names
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pigro.model.lazy import LazyRSM, OnDemand
    from pigro.model.positions import SourcePosition

OTHERS = 0
"""The node of all states that are not shown."""
_ENTRY = 1
State = tuple[int, ...]


class Window:
    """Collects states, steps and labels. Nodes keep their numbers while it grows."""

    def __init__(self, model: LazyRSM) -> None:
        self._whole = model
        self._computed: OnDemand = model.computed
        self.states: list[State] = [()]
        """The values of each node. None of node 0."""
        self._nodes: dict[State, int] = {}
        self._edges: dict[tuple[int, int], None] = {}
        self._initial: dict[int, None] = {}
        self._labels: dict[str, None] = {}
        self._made: RSM | None = None

    def node(self, state: Sequence[int], *, initial: bool = False) -> int:
        """The node of a state, which may be new."""
        key = tuple(state)
        known = self._nodes.get(key)
        if known is None:
            known = self._nodes[key] = len(self.states)
            self.states.append(key)
            self._made = None
        if initial and known not in self._initial:
            self._initial[known] = None
            self._made = None
        return known

    def put(self, node: int, state: State) -> None:
        """A state that has a number already. Needs: the number is new."""
        self.states += [()] * (node + 1 - len(self.states))
        self.states[node] = state
        self._nodes[state] = node
        self._made = None

    def step(self, before: int, after: int) -> None:
        """A step between two nodes."""
        if (before, after) not in self._edges:
            self._edges[before, after] = None
            self._made = None

    def tell(self, labels: Iterable[str]) -> None:
        """Labels that the model must have."""
        for label in labels:
            if label not in self._labels:
                self._labels[label] = None
                self._made = None

    def _start(self) -> None:
        """Some initial state, if there is any: a model starts somewhere."""
        for state in self._computed.after((), 1) or ():
            self.node(state, initial=True)

    @property
    def model(self) -> RSM:
        """The model as it is now. It has some initial state."""
        if self._made is None:
            if not self._initial:
                self._start()
            whole, count = self._whole, len(self.states)
            flags = bytearray(count)
            for node in self._initial or (OTHERS,):
                flags[node] = _ENTRY
            found = Seen(self._computed, tuple(self.states), whole)
            names = [self._computed.name(state) if state else "..." for state in self.states]
            edges = list(self._edges)
            self._made = RSM.from_arrays(
                component_offsets=[0, count],
                node_flags=bytes(flags),
                edge_sources=[before for before, _ in edges],
                edge_targets=[after for _, after in edges],
                labels={label: found(label) or [] for label in self._labels},
                initial=tuple(self._initial) or (OTHERS,),
                names=Names((self._computed.component,), names, ()),
                semantics=whole.semantics,
                dead_ends=whole.dead_ends,
                source=whole.source,
                conditions=found,
            )
        return self._made


class Seen:
    """What a window's model keeps of the whole: labels and values. See `RSM.conditions`."""

    is_partial = True

    def __init__(self, computed: OnDemand, states: tuple[State, ...], whole: LazyRSM) -> None:
        self._computed, self._states, self._whole = computed, states, whole

    @property
    def document(self) -> object:
        """What reads formulas."""
        return self._whole.document

    @property
    def valuation(self) -> Seen | None:
        """The values of variables, if there are any. See `Valuation`."""
        return self if self._computed.variables else None

    def __call__(self, label: str) -> list[int] | None:
        """The nodes where a condition holds. None if the label is no condition."""
        if self._computed.condition(label) < 0:
            return None
        holds = self._computed.holds
        return [at for at, state in enumerate(self._states) if state and holds(label, state)]

    def values(self, node: int) -> Mapping[str, str]:
        """Each variable with its value."""
        return self._computed.values(self._states[node]) if node != OTHERS else {}

    def inputs(self, before: int, after: int) -> Mapping[str, str]:
        """Inputs that lead from one node to another."""
        if OTHERS in (before, after):
            return {}
        return self._computed.inputs(self._states[before], self._states[after]) or {}

    def place(self, before: int, after: int, box: int = -1) -> SourcePosition | None:  # noqa: ARG002 - no calls
        """Where the file says what a step does."""
        if OTHERS in (before, after):
            return None
        return self._computed.place(self._states[before], self._states[after])
