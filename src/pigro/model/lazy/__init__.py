"""A model whose states are computed on demand: a file says how, instead of listing them.

A search on the fly asks such a model for `on_demand` and never lists the states. Everything else,
such as an engine that looks at all states, a conversion or a drawing, asks for `listed`. A question
about nodes lists them too, but no answer depends on whether they are listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex, cast

from pigro.limits import unwatched
from pigro.model.rsm import ENOUGH, RSM

if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Iterable, Iterator, Sequence

    from pigro import _core
    from pigro.diagnostics import PigroError
    from pigro.limits import Poll
    from pigro.model.choices import DeadEnds, Semantics
    from pigro.model.names import Names
    from pigro.model.positions import Positions, SourcePosition
    from pigro.model.rsm import Conditions


class OnDemand(Protocol):
    """How to compute states, and what labels mean in them. It keeps nothing of a question."""

    machine: _core.Machine
    component: str
    """The name of the component that all states are in."""
    variables: Sequence[tuple[str, int]]
    """The variables, and how many values each has."""
    digest: bytes
    """By which the file is known again."""

    @property
    def labels(self) -> Sequence[str]:
        """The labels that the file names. Formulas may use other conditions."""

    def condition(self, label: str) -> int:
        """The number of a condition of the machine. -1 if there is no such label."""

    def has_at_most(self, most: int, poll: Poll) -> bool:
        """Whether there are at most so many states, which can be listed."""

    def listed(self, poll: Poll) -> RSM:
        """The model with all states."""

    def dead_end_note(self, state: Sequence[int]) -> str | None:
        """What users should know about a state without successors."""

    def name(self, state: Sequence[int]) -> str:
        """The name of a state, given by the values of the machine."""

    def named(self, runs: Iterable[Sequence[str]]) -> Callable[[str], tuple[int, ...] | None]:
        """Finds the values of a state by its name. None if they can't be.

        `runs` are the names along runs, where states are not known by their names alone.
        """

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
    """The labels of a model, which is not listed to see which there are."""

    def __init__(self, model: LazyRSM) -> None:
        self._model = model

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self._model.computed.condition(label) >= 0

    def __getitem__(self, label: str) -> int:
        return self._model.listed().label_ids[label]

    def __iter__(self) -> Iterator[str]:
        own = self._model.computed.labels
        return iter(dict.fromkeys((*own, *filter(self.__contains__, self._model.asked))))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def items(self) -> ItemsView[str, int]:
        """Labels with their numbers, which are those of the list."""
        return self._model.listed().label_ids.items()


class LazyRSM(RSM):
    """States that are computed on demand, as a model. It never changes, as any `RSM`."""

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
        put("label_ids", _Labels(self))
        put("asked", ())
        put("_lists", [])

    computed: OnDemand
    asked: tuple[str, ...]
    """Labels for formulas, which the list gets too. See `about`."""
    _lists: list[RSM]
    """The list, once it was made. It is shared with models that differ in `asked`."""

    @property
    def on_demand(self) -> OnDemand | None:
        """How to compute states."""
        return self.computed

    def listed(self, poll: Poll = unwatched) -> RSM:
        """See `RSM.listed`. The list is kept."""
        known: RSM | None = self.__dict__.get("_listed")
        if known is None:
            if not self._lists:
                self._lists.append(self.computed.listed(poll))
            known = self.__dict__["_listed"] = self._lists[0].about(self.asked)
        return known

    def few(self, most: int = ENOUGH, poll: Poll = unwatched) -> RSM | None:
        """See `RSM.few`."""
        return self.listed(poll) if self.computed.has_at_most(most, poll) else None

    @property
    def digest(self) -> bytes:
        """That of the file. The list has another one."""
        return self.computed.digest

    def about(self, names: Iterable[str]) -> RSM:
        """See `RSM.about`. Conditions are computed, and the list gets them as labels."""
        asked = tuple(dict.fromkeys((*self.asked, *names)))
        if asked == self.asked:
            return self
        made = LazyRSM(
            self.computed,
            semantics=self.semantics,
            dead_ends=self.dead_ends,
            source=self.source,
            conditions=cast("Conditions", self.conditions),
        )
        made.__dict__.update(asked=asked, _lists=self._lists)
        return made

    def with_labels(self, labels: Mapping[str, object]) -> RSM:
        """See `RSM.with_labels`. Nodes are listed."""
        return self.listed().with_labels(labels)

    def _changed(self, **fields: object) -> RSM:
        return self.listed()._changed(**fields)  # noqa: SLF001 - it is the same

    @property
    def core(self) -> _core.Model:
        """See `RSM`."""
        return self.listed().core

    @property
    def names(self) -> Names:
        """See `RSM`."""
        return self.listed().names

    @property
    def initial(self) -> tuple[int, ...]:
        """See `RSM`."""
        return self.listed().initial

    @property
    def positions(self) -> Positions | None:
        """See `RSM`."""
        return self.listed().positions

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazyRSM):
            return False if isinstance(other, RSM) else NotImplemented
        return self is other or (
            self.digest == other.digest
            and self.semantics is other.semantics
            and self.dead_ends is other.dead_ends
            and self.conditions == other.conditions
        )

    def __hash__(self) -> int:
        return hash((self.digest, self.semantics))

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Callable[..., RSM], tuple[Any, ...]]:
        """By the text of the file, as its conditions are. Programs have none."""
        if self.document is None:
            return self.listed().__reduce_ex__(protocol)
        return _read_again, (self.conditions, str(self.semantics), str(self.dead_ends))

    def __repr__(self) -> str:
        return "<RSM: states not listed>"


def _read_again(conditions: Any, semantics: str, dead_ends: str) -> RSM:
    model: RSM = conditions.document.model(semantics=semantics, dead_ends=dead_ends)
    return model
