"""A model whose states are listed only when something needs them all.

Some files say how to compute successors instead of listing states. A search on the fly asks such a
model for `on_demand` and never lists the states. Everything else, such as an engine that looks at
all states, a conversion or a drawing, sees an ordinary `RSM`: the first question about its nodes
lists them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro import _core
    from pigro.diagnostics import PigroError
    from pigro.model.choices import DeadEnds, Semantics
    from pigro.model.lazy.valuation import Valuation
    from pigro.model.lazy.window import Window
    from pigro.model.names import Names
    from pigro.model.positions import Positions, SourcePosition
    from pigro.model.rsm import Conditions

ENOUGH = 1_000_000
"""States that are listed where evidence or a proof needs all of them."""


class OnDemand(Protocol):
    """How to compute states, and what labels mean in them."""

    machine: _core.Machine
    notes: list[str]
    """What users should know about the states that were seen."""
    component: str
    """The name of the component that all states are in."""
    variables: Sequence[tuple[str, int]]
    """The variables, and how many values each has."""
    digest: bytes
    """By which the file is known again."""

    def condition(self, label: str) -> int:
        """The number of a condition of the machine. -1 if there is no such label."""

    def listed(self, most: int | None = None) -> RSM | None:
        """The model with all states. None if there are more than `most`."""

    def note_dead_end(self, values: Sequence[int]) -> None:
        """Takes down that a state without successors was seen."""

    def name(self, state: Sequence[int]) -> str:
        """The name of a state, given by the values of the machine."""

    def state(self, name: str) -> tuple[int, ...] | None:
        """The values of a state of this name. None if they can't be."""

    def follow(self, names: Sequence[str]) -> None:
        """Takes note of the names along a run, if states are not known by their names alone."""

    def values(self, state: Sequence[int]) -> Mapping[str, str]:
        """Each variable with its value, as people write them."""

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> Mapping[str, str] | None:
        """Inputs of a step. None if it is none. Nothing before: the start."""

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Where the file says what a step does. None if it is not known."""

    def holds(self, label: str, state: Sequence[int]) -> bool:
        """Whether a label is true in a state."""

    def after(self, state: Sequence[int], most: int) -> list[list[int]] | None:
        """Up to so many states after a state, or at the start. None if that takes too long."""

    def no_start(self) -> PigroError:
        """The error for a model without initial states."""

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""


class _Labels(Mapping[str, int]):
    """The labels of a model, which is not listed to see whether there is one."""

    def __init__(self, model: LazyRSM) -> None:
        self._model = model

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self._model.computed.condition(label) >= 0

    def __getitem__(self, label: str) -> int:
        return self._model.all_states.label_ids[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self._model.all_states.label_ids)

    def __len__(self) -> int:
        return len(self._model.all_states.label_ids)


class LazyRSM(RSM):
    """An `RSM` that is made when something needs it."""

    is_computed = True

    def __init__(
        self,
        computed: OnDemand,
        *,
        semantics: Semantics,
        dead_ends: DeadEnds,
        source: str | None,
        conditions: Conditions,
    ) -> None:
        put = self.__dict__.__setitem__
        put("computed", computed)
        put("semantics", semantics)
        put("dead_ends", dead_ends)
        put("source", source)
        put("conditions", conditions)
        put("own", None)
        put("memo", {})
        put("_labels", _Labels(self))

    computed: OnDemand

    @property
    def on_demand(self) -> OnDemand | None:
        """How to compute states. None once they are listed."""
        return None if "_all" in self.__dict__ else self.computed

    @property
    def all_states(self) -> RSM:
        """The model with all states."""
        known: RSM | None = self.__dict__.get("_all")
        if known is None:
            known = self.computed.listed()
            assert known is not None, "there is no bound"
            self.__dict__["_all"] = known
        return known

    @property
    def window(self) -> Window:
        """The states that evidence speaks of."""
        if "_window" not in self.__dict__:
            from pigro.model.lazy.window import Window  # noqa: PLC0415 - only evidence needs it

            self.__dict__["_window"] = Window(self)
        found: Window = self.__dict__["_window"]
        return found

    @property
    def shown(self) -> RSM:
        """See `RSM.shown`."""
        return self.window.model if self.on_demand is not None else self.all_states

    @property
    def valuation(self) -> Valuation | None:
        """See `RSM`."""
        return self.shown.valuation

    def values(self, node: int) -> Mapping[str, str]:
        """See `RSM`. Nodes are those of `shown`."""
        return self.shown.values(node)

    def inputs(self, before: int, after: int) -> Mapping[str, str]:
        """See `RSM`. Nodes are those of `shown`."""
        return self.shown.inputs(before, after)

    def step_position(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """See `RSM`. Nodes are those of `shown`."""
        return self.shown.step_position(before, after, box)

    @property
    def digest(self) -> bytes:
        """See `RSM`. Of a model that is not listed, that of its file."""
        return self.all_states.digest if self.on_demand is None else self.computed.digest

    def list_if_few(self) -> bool:
        """Lists the states unless there are very many. Are they listed?"""
        if "_all" not in self.__dict__:
            found = self.computed.listed(ENOUGH)
            if found is None:
                return False
            self.__dict__["_all"] = found
        return True

    def about(self, names: Iterable[str]) -> RSM:
        """See `RSM.about`. Conditions are computed, too."""
        return self if self.on_demand is not None else self.all_states.about(names)

    def _changed(self, **fields: object) -> RSM:
        return self.all_states._changed(**fields)  # noqa: SLF001 - it is the same

    @property
    def core(self) -> _core.Model:
        """See `RSM`."""
        return self.all_states.core

    @property
    def names(self) -> Names:
        """See `RSM`."""
        return self.all_states.names

    @property
    def initial(self) -> tuple[int, ...]:
        """See `RSM`."""
        return self.all_states.initial

    @property
    def positions(self) -> Positions | None:
        """See `RSM`."""
        return self.all_states.positions

    @property
    def label_ids(self) -> Mapping[str, int]:
        """See `RSM`."""
        if self.on_demand is None:
            return self.all_states.label_ids
        found: Mapping[str, int] = self.__dict__["_labels"]
        return found

    def __repr__(self) -> str:
        return repr(self.all_states) if self.on_demand is None else "<RSM: states not listed>"
