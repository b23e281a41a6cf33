"""A part whose states are numbered as they are seen, by evaluating its formulas state by state.

A replay looks at few states of a module, and so never lists the others. The numbers of states
belong to one `SeenPart`: another one of the same module numbers them as it sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from pigro.diagnostics import ModelError
from pigro.model.lazy.part import FormulaPart
from pigro.model.mistakes import quoted

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from pigro.model.lazy.formulas import Formulas, Packed
    from pigro.model.part import Part

_MOST_STEPS = 1 << 12
"""From one state."""
_MOST_INITIAL = 1 << 12


class TooWide(ModelError):
    """A state has more steps, or a part more initial states, than are looked at one by one."""


class _Names(Sequence[str]):
    """The names of states, made when they are needed."""

    def __init__(self, formulas: Formulas, states: list[Packed]) -> None:
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


class SeenPart(FormulaPart):
    """A `FormulaPart` that lists the states it was asked about."""

    __slots__ = ("_conditions", "_initial", "_numbers", "_packed", "_steps")

    _packed: list[Packed]
    _numbers: dict[Packed, int]
    _steps: dict[int, tuple[int, ...]]
    _conditions: dict[int, int]
    _initial: tuple[int, ...] | None

    def __init__(self, part: FormulaPart) -> None:
        super().__init__(part.name, part.atoms, part.formulas, lambda: part.listed)
        put = object.__setattr__
        put(self, "predicates", part.predicates)
        put(self, "_packed", [])
        for name in ("_numbers", "_steps", "_conditions"):
            put(self, name, {})
        put(self, "_initial", None)

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

    @property
    def is_listed(self) -> bool:
        """Only states that were seen are there."""
        return False

    @property
    def states(self) -> Sequence[str]:
        """The names of the states that were seen."""
        return _Names(self.formulas, self._packed)

    @property
    def initial(self) -> tuple[int, ...]:
        """See `Part`. `TooWide` if there are too many to look at one by one."""
        if self._initial is None:
            found = self.formulas.after(None, _MOST_INITIAL + 1)
            if found is None or len(found) > _MOST_INITIAL:
                message = f"part {quoted(self.name)} has more than {_MOST_INITIAL:,} initial states"
                raise TooWide("P213", message, hint="give the part fewer initial states")
            object.__setattr__(self, "_initial", tuple(sorted(map(self.number, found))))
        assert self._initial is not None, "it was made"
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

    def is_initial(self, state: int) -> bool:
        """Whether a state is initial. The others are not looked at."""
        return self.formulas.leads(None, self._packed[state])

    def leads(self, state: int, target: int) -> bool:
        """Whether there is a step between two states. Others are not looked at."""
        return self.formulas.leads(self._packed[state], self._packed[target])

    @property
    def values(self) -> bytes:
        """Not there: `value` has them one by one."""
        raise NotImplementedError

    @property
    def offsets(self) -> array[int]:
        """Not there: `steps_of` has the steps of a state."""
        raise NotImplementedError

    targets = by = offsets
    must = values


def seen(part: Part) -> Part:
    """A part as far as it is seen, if its states are not listed. Otherwise the part itself."""
    if isinstance(part, FormulaPart) and not isinstance(part, SeenPart) and not part.is_listed:
        return SeenPart(part)
    return part
