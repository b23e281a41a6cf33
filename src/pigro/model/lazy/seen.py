"""A part whose states are numbered as they are seen, by evaluating its formulas state by state.

A replay looks at few states of a module, and so never lists the others. The numbers of states
belong to one `SeenPart`: another one of the same module numbers them as it sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, overload

from pigro.diagnostics import ModelError
from pigro.limits import no_poll
from pigro.model.kinds import SubjectKind
from pigro.model.lazy.part import FormulaPart, GivenPart
from pigro.model.mistakes import quoted
from pigro.model.part import TAU, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.limits import Poll
    from pigro.model.lazy.formulas import Packed, PartFormulas
    from pigro.model.parts.hyper import HyperStep

_MOST_STEPS = 1 << 12
"""From one state."""
_MOST_INITIAL = 1 << 12


class TooWide(ModelError):
    """A state has more steps, or a part more initial states, than are looked at one by one."""


class _StateNames(Sequence[str]):
    """The names of states, made when they are needed."""

    def __init__(self, formulas: PartFormulas, states: list[Packed]) -> None:
        self._formulas, self._states = formulas, states

    def __len__(self) -> int:
        return len(self._states)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self._formulas.name(each) for each in self._states[at]]
        return self._formulas.name(self._states[at])


class SeenPart:
    """The states of a `FormulaPart` that were asked about, by number."""

    kind: ClassVar[Literal[SubjectKind.COMPOSITION]] = SubjectKind.COMPOSITION
    is_listed: ClassVar[Literal[False]] = False
    actions: ClassVar[tuple[str, ...] | None] = None
    hyper: ClassVar[tuple[HyperStep, ...]] = ()
    is_concrete: ClassVar[bool] = True

    def __init__(self, part: FormulaPart) -> None:
        self.part = part
        self.name, self.atoms = part.name, part.atoms
        self.formulas, self.predicates = part.formulas, part.predicates
        self._packed: list[Packed] = []
        self._numbers: dict[Packed, int] = {}
        self._steps: dict[int, tuple[int, ...]] = {}
        self._conditions: dict[int, int] = {}
        self._initial: tuple[int, ...] | None = None

    def number(self, state: Packed) -> int:
        """The number of a state, which is seen now if it was not before."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self._packed)
            self._packed.append(state)
        return found

    def named(self, name: str) -> int | None:
        """The number of the state of this name. None if its values can't be, or are others'."""
        state = self.formulas.state(name)
        if state is None or self.formulas.name(state) != name:
            return None
        return self.number(state)

    def packed(self, state: int) -> Packed:
        """The values of a state, by number."""
        return self._packed[state]

    def listed(self, poll: Poll = no_poll) -> Part:
        """The part with all states, which have other numbers."""
        return self.part.listed(poll)

    @property
    def states(self) -> Sequence[str]:
        """The names of the states that were seen."""
        return _StateNames(self.formulas, self._packed)

    @property
    def initial(self) -> tuple[int, ...]:
        """See `Part`. `TooWide` if there are too many to look at one by one."""
        if self._initial is None:
            found = self.formulas.after(None, _MOST_INITIAL + 1)
            if found is None or len(found) > _MOST_INITIAL:
                message = f"part {quoted(self.name)} has more than {_MOST_INITIAL:,} initial states"
                raise TooWide("P213", message, hint="give the part fewer initial states")
            self._initial = tuple(sorted(map(self.number, found)))
        return self._initial

    def value(self, state: int, label: int) -> int:
        """See `Part`. Evaluates the label."""
        condition = self._conditions.get(label)
        if condition is None:
            condition = self._conditions[label] = self.formulas.condition(self.atoms[label])
        return int(self.formulas.holds(condition, self._packed[state]))

    def steps_of(self, state: int) -> Iterator[tuple[int, int, int]]:
        """See `Part`. Evaluates the steps. `TooWide` if there are too many."""
        known = self._steps.get(state)
        if known is None:
            found = self.formulas.after(self._packed[state], _MOST_STEPS + 1)
            if found is None or len(found) > _MOST_STEPS:
                message = f"a state of part {quoted(self.name)} has more than {_MOST_STEPS:,} steps"
                hint = "states are looked at one by one here: only smaller modules can be"
                raise TooWide("P213", message, hint=hint)
            known = self._steps[state] = tuple(map(self.number, found))
        return iter([(0, target, 1) for target in known])

    def hyper_of(self, state: int) -> tuple[HyperStep, ...]:
        """See `Part`. There are none."""
        return ()

    def action_name(self, action: int) -> str:
        """See `Part`. There are none."""
        return TAU

    def is_initial(self, state: int) -> bool:
        """Whether a state is initial. The others are not looked at."""
        return self.formulas.leads(None, self._packed[state])

    def leads(self, state: int, target: int) -> bool:
        """Whether there is a step between two states. Others are not looked at."""
        return self.formulas.leads(self._packed[state], self._packed[target])

    def __reduce__(self) -> tuple[Callable[..., SeenPart], tuple[object, ...]]:
        """With the states that were seen, so that they keep their numbers."""
        return _seen_again, (self.part, tuple(self.states))

    def __repr__(self) -> str:
        return repr(self.part)


def _seen_again(part: FormulaPart, names: Sequence[str]) -> SeenPart:
    made = SeenPart(part)
    for name in names:
        made.named(name)
    return made


AnyPart: TypeAlias = GivenPart | SeenPart
"""A part of a composition."""
NumberedPart: TypeAlias = Part | SeenPart
"""A part whose states have numbers."""


def seen(part: AnyPart) -> NumberedPart:
    """A part as far as it is seen, if its states are not listed. Otherwise the part itself."""
    return SeenPart(part) if isinstance(part, FormulaPart) else part


def numbered(part: AnyPart) -> NumberedPart:
    """The part itself, if its states have numbers. Otherwise the part with all states."""
    return part.listed() if isinstance(part, FormulaPart) else part
