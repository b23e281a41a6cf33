"""The states of a computed model that evidence speaks of, as a small model of their own.

A model with very many states is never listed. A run that the search finds has a few of its states,
and these, with the steps of the run, are all that readers of the run need. Each verdict has an
excerpt of its own. Node 0 stands for all states that are not shown: a state has a step there if it
has steps that are not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pigro.model.choices import DeadEnds
from pigro.model.conditions import ModelConditions
from pigro.model.names import Names
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.model.positions import SourcePosition
    from pigro.model.space import OnDemand, StateSpace

OTHERS = 0
"""The node of all states that are not shown."""
_ENTRY = 1
_NO_NAME = "..."
State = tuple[int, ...]


class ExcerptBuilder:
    """Collects states, steps and labels. Nodes keep their numbers while it grows."""

    def __init__(self, space: StateSpace, labels: Iterable[str] = ()) -> None:
        self._space = space
        self._computed: OnDemand = space.computed
        self.states: list[State] = [()]
        """The values of each node. None of node 0."""
        self._nodes: dict[State, int] = {}
        self._edges: dict[tuple[int, int], None] = {}
        self._initial: dict[int, None] = {}
        self._names = [_NO_NAME]
        self._labels: dict[str, list[int]] = {label: [] for label in labels}
        """Where labels hold, as far as the last model has it."""
        self._seen = dict.fromkeys(self._labels, 0)
        """At how many nodes each label was evaluated."""
        self._made: RSM | None = None

    def node(self, state: Sequence[int], *, initial: bool = False, name: str | None = None) -> int:
        """The node of a state, which may be new. The name is computed unless it is given."""
        key = tuple(state)
        known = self._nodes.get(key)
        if known is None:
            known = self._nodes[key] = len(self.states)
            self.states.append(key)
            self._names.append(self._computed.name(key) if name is None else name)
            self._made = None
        if initial and known not in self._initial:
            self._initial[known] = None
            self._made = None
        return known

    def put(self, node: int, state: State) -> None:
        """A state that has a number already. Needs: the number is new, and no model was made."""
        more = node + 1 - len(self.states)
        self.states += [()] * more
        self._names += [_NO_NAME] * more
        self.states[node], self._names[node] = state, self._computed.name(state)
        self._nodes[state] = node

    def step(self, before: int, after: int) -> None:
        """A step between two nodes."""
        if (before, after) not in self._edges:
            self._edges[before, after] = None
            self._made = None

    def absorb(self, model: RSM) -> list[int]:
        """Takes all that the model of another excerpt has. Its nodes, as nodes here."""
        states, names = seen_of(model).states, model.names.nodes
        nodes = [OTHERS]
        for state, name in zip(states[1:], names[1:], strict=True):
            nodes.append(self.node(state, name=name))
        for at in model.initial:
            if at != OTHERS:
                self.node(states[at], initial=True)
        for before, here in enumerate(nodes):
            for after in model.core.successors(before):
                self.step(here, nodes[after])
        for label in model.label_ids:
            if label not in self._labels:
                self._labels[label], self._seen[label] = [], 0
                self._made = None
        return nodes

    def _holding(self, found: ExcerptConditions) -> dict[str, list[int]]:
        """Each label with its nodes."""
        for label, nodes in self._labels.items():
            nodes.extend(found.holding(label, self._seen[label]) or ())
            self._seen[label] = len(self.states)
        return self._labels

    @property
    def model(self) -> RSM:
        """The model as it is now. It has some initial state."""
        if self._made is None:
            if not self._initial:
                for state in self._computed.after((), 1) or ():
                    self.node(state, initial=True)
            space, count = self._space, len(self.states)
            flags = bytearray(count)
            for node in self._initial or (OTHERS,):
                flags[node] = _ENTRY
            found = ExcerptConditions(space, tuple(self.states))
            edges = list(self._edges)
            self._made = RSM.from_arrays(
                component_offsets=[0, count],
                node_flags=bytes(flags),
                edge_sources=[before for before, _ in edges],
                edge_targets=[after for _, after in edges],
                labels=self._holding(found),
                initial=tuple(self._initial) or (OTHERS,),
                names=Names((self._computed.component,), tuple(self._names), ()),
                semantics=space.semantics,
                dead_ends=_of_few(space.dead_ends),
                source=space.source,
                conditions=found,
            )
        return self._made


def _of_few(dead_ends: DeadEnds) -> DeadEnds:
    """How dead ends are read where not all states are shown: they are no errors."""
    return DeadEnds.STUTTER if dead_ends is DeadEnds.ERROR else dead_ends


class ExcerptConditions(ModelConditions):
    """What the model of an excerpt keeps of the whole: labels and values.

    It is pickled with the text of the file. A program has no text: its excerpt has the labels of
    its formula only, once it was pickled.
    """

    def __init__(self, space: StateSpace | None, states: tuple[State, ...]) -> None:
        self.space, self.states = space, states

    @property
    def is_partial(self) -> bool:
        """See `ModelConditions`."""
        return True

    @property
    def document(self) -> Any:
        """What reads formulas."""
        return None if self.space is None else self.space.document

    @property
    def valuation(self) -> ExcerptConditions | None:
        """The values of variables, if there are any. See `NodeValuation`."""
        return self if self.space is not None and self.space.computed.variables else None

    def __call__(self, label: str) -> list[int] | None:
        """The nodes where a condition holds. None if the label is no condition."""
        return self.holding(label, 0)

    def holding(self, label: str, first: int) -> list[int] | None:
        """The same from a node on."""
        if self.space is None or self.space.computed.condition(label) < 0:
            return None
        holds, states = self.space.computed.holds, self.states
        nodes = range(first, len(states))
        return [at for at in nodes if states[at] and holds(label, states[at])]

    def given(self, node: int, otherwise: object) -> object:
        """The Python object that a state is. The other one if it is none."""
        if self.space is None or node == OTHERS:
            return otherwise
        return self.space.computed.given(self.states[node], otherwise)

    def values(self, node: int) -> Mapping[str, str]:
        """Each variable with its value."""
        if self.space is None or node == OTHERS:
            return {}
        return self.space.computed.values(self.states[node])

    def inputs(self, before: int, after: int) -> Mapping[str, str]:
        """Inputs that lead from one node to another."""
        if self.space is None or OTHERS in (before, after):
            return {}
        return self.space.computed.inputs(self.states[before], self.states[after]) or {}

    def place(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """Where the file says what a step does."""
        if self.space is None or OTHERS in (before, after):
            return None
        return self.space.computed.place(self.states[before], self.states[after])

    def __eq__(self, other: object) -> bool:
        return isinstance(
            other, ExcerptConditions
        )  # models compare the names of their nodes, which say it all

    def __hash__(self) -> int:
        return hash(ExcerptConditions)

    def __reduce__(self) -> tuple[Callable[..., ExcerptConditions], tuple[object, ...]]:
        return ExcerptConditions, (self.space if self.document is not None else None, self.states)


def seen_of(model: RSM) -> ExcerptConditions:
    """What the model of an excerpt keeps of the whole."""
    return cast("ExcerptConditions", model.conditions)
