"""Models whose states are computed on demand: a file or a program says how, and lists none.

A search on the fly takes a `StateSpace` as it is. Everything else, such as an engine that looks at
all states, a conversion or a drawing, asks for `listed`, which makes an `RSM`. No answer depends on
whether that was made before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias

from pigro.lazy_names import type_names
from pigro.limits import no_poll
from pigro.model.kinds import SubjectKind
from pigro.model.rsm import ENOUGH, RSM

if TYPE_CHECKING:
    from pigro import _core
    from pigro.diagnostics import PigroError
    from pigro.limits import Poll
    from pigro.model.choices import DeadEnds, Semantics
    from pigro.model.conditions import ModelConditions
    from pigro.model.positions import SourcePosition
else:
    type_names(
        globals(),
        {
            "pigro": "_core",
            "pigro.diagnostics": "PigroError",
            "pigro.limits": "Poll",
            "pigro.model.choices": "DeadEnds Semantics",
            "pigro.model.positions": "SourcePosition",
            "pigro.model.conditions": "ModelConditions",
        },
    )


class OnDemand(Protocol):
    """How to compute states, and what labels mean in them. It keeps nothing of a question."""

    component: str
    """The name of the component that all states are in."""
    variables: Sequence[tuple[str, int]]
    """The variables, and how many values each has."""
    digest: bytes
    """By which the file is known again."""

    @property
    def machine(self) -> _core.Machine | None:
        """What the native core computes states by. None if a program does."""

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

    def given(self, state: Sequence[int], otherwise: object) -> object:
        """The Python object that a state is. The other one if it is none."""

    def values(self, state: Sequence[int]) -> Mapping[str, str]:
        """Each variable with its value, as people write them."""

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> Mapping[str, str] | None:
        """Inputs of a step. None if it is none. Nothing before: the start."""

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Where the file says what a step does. None if it is not known."""

    def holds(self, label: str, state: Sequence[int]) -> bool:
        """Whether a label is true in a state."""

    def after(self, state: Sequence[int], most: int) -> Sequence[Sequence[int]] | None:
        """Up to so many states after a state, or at the start. None if that takes too long."""

    def no_start(self) -> PigroError:
        """The error for a model without initial states."""

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""


class _Labels(Collection[str]):
    """The labels of a space: those of the file, and of conditions that formulas speak of."""

    def __init__(self, space: StateSpace) -> None:
        self._space = space

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and self._space.computed.condition(label) >= 0

    def __iter__(self) -> Iterator[str]:
        own = self._space.computed.labels
        return iter(dict.fromkeys((*own, *filter(self.__contains__, self._space.asked))))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class StateSpace:
    """A model whose states are computed on demand, such as a large `.smv` file. It never changes.

    >>> import pigro
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> text = "MODULE main VAR n : 0..99999; ASSIGN init(n) := 0; next(n) := (n + 1) mod 5;"
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "count.smv").write_text(text)
    ...     space = pigro.load(f"{folder}/count.smv")
    >>> space, pigro.check(space, "AF n = 4").holds
    (<StateSpace: 1 variable, states not listed>, True)
    >>> space.listed()
    <RSM: 1 component, 5 nodes, 5 edges, 0 boxes>
    """

    kind: ClassVar[Literal[SubjectKind.MODEL]] = SubjectKind.MODEL
    is_listed: ClassVar[Literal[False]] = False
    """Its states are not. Those of an `RSM` are."""

    def __init__(
        self,
        computed: OnDemand,
        *,
        semantics: Semantics,
        dead_ends: DeadEnds,
        source: str | None,
        conditions: ModelConditions,
        asked: tuple[str, ...] = (),
    ) -> None:
        self.computed = computed
        self.semantics, self.dead_ends, self.source = semantics, dead_ends, source
        self.conditions = conditions
        self.asked = asked
        """Labels for formulas, which the list gets too. See `about`."""
        self._lists: list[RSM] = []
        """The list, once it was made. It is shared with spaces that differ in `asked`."""
        self._listed: RSM | None = None

    @property
    def digest(self) -> bytes:
        """That of the file. The list has another one."""
        return self.computed.digest

    @property
    def document(self) -> Any:
        """See `RSM.document`."""
        return self.conditions.document

    @property
    def label_names(self) -> Collection[str]:
        """The labels that it has. No state is listed to see which there are."""
        return _Labels(self)

    def listed(self, poll: Poll = no_poll) -> RSM:
        """The model with a list of all states. It is kept."""
        if self._listed is None:
            if not self._lists:
                self._lists.append(self.computed.listed(poll))
            self._listed = self._lists[0].about(self.asked)
        return self._listed

    def few(self, most: int = ENOUGH, poll: Poll = no_poll) -> RSM | None:
        """As `listed`. None if there are more than `most` states."""
        return self.listed(poll) if self.computed.has_at_most(most, poll) else None

    def about(self, names: Iterable[str]) -> StateSpace:
        """See `RSM.about`. Conditions are computed, and the list gets them as labels."""
        asked = tuple(dict.fromkeys((*self.asked, *names)))
        if asked == self.asked:
            return self
        made = StateSpace(
            self.computed,
            semantics=self.semantics,
            dead_ends=self.dead_ends,
            source=self.source,
            conditions=self.conditions,
            asked=asked,
        )
        made._lists = self._lists
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StateSpace):
            return NotImplemented
        return self is other or (
            self.digest == other.digest
            and self.semantics is other.semantics
            and self.dead_ends is other.dead_ends
            and self.conditions == other.conditions
        )

    def __hash__(self) -> int:
        return hash((self.digest, self.semantics))

    def __copy__(self) -> StateSpace:
        return self

    def __deepcopy__(self, memo: object) -> StateSpace:
        return self

    def __reduce__(self) -> tuple[Callable[..., Model], tuple[Any, ...]]:
        """By the text of the file, as its conditions are. Programs have none, and no list."""
        if self.document is None:
            return _same, (self.listed(),)
        return _read_again, (self.conditions, str(self.semantics), str(self.dead_ends))

    def _repr_html_(self) -> str:
        """What notebooks show: a few words."""
        shown: str = import_module("pigro.explore.notebook").subject_html(self)  # a later stage
        return shown

    def __repr__(self) -> str:
        count = len(self.computed.variables)
        return f"<StateSpace: {count} variable{'s' if count != 1 else ''}, states not listed>"


Model: TypeAlias = RSM | StateSpace
"""A model: its states are listed, or computed on demand."""


def _same(model: RSM) -> RSM:
    return model


def _read_again(conditions: ModelConditions, semantics: str, dead_ends: str) -> Model:
    model: Model = conditions.document.model(semantics=semantics, dead_ends=dead_ends)
    return model
