"""A part given by formulas: how the values of its variables change, without a list of states.

A state has a value for each variable. An expression is a *term* over *slots*: the current values
of the n variables are the slots 0 to n-1, their next values n to 2n-1, and inputs come after them.
Terms are numbered, and those that a term is over have smaller numbers. Their operators are named as
in native/core/smv/expressions.hpp, and have the meaning that is given there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.diagnostics import PigroError
    from pigro.limits import Poll
    from pigro.model.part import Part

Value = bool | int | str
Packed = tuple[int, ...]
"""A state as the native core has it: a number for the value of each variable."""


class FormulaTerm(NamedTuple):
    """An expression."""

    op: str
    args: tuple[int, ...]
    value: Value
    """Of a constant. Otherwise the slot, the first index of an array, or the width of a word."""


class DeclaredVariable(NamedTuple):
    """A variable or an input."""

    name: str
    values: range | tuple[Value, ...]
    """Its type."""
    hidden: bool
    """Whether the front-end made it."""


class ValueChoice(NamedTuple):
    """The value of one slot."""

    slot: int
    right: int
    """The term that has the values it may get. -1: any value of the type."""
    conditions: tuple[int, ...]
    """Terms that must be true, and whose last slot this is."""


class StepPlan(NamedTuple):
    """How the next values are chosen, one after the other."""

    checks: tuple[int, ...]
    """Terms that must be true before anything is chosen."""
    choices: tuple[ValueChoice, ...]


class PartFormulas(Protocol):
    """A part as formulas."""

    variables: Sequence[DeclaredVariable]
    inputs: Sequence[DeclaredVariable]
    initial: StepPlan
    """Chooses initial states: as next values, without current ones."""
    step: StepPlan
    labels: tuple[str, ...]
    """The labels that the part sees."""
    carried: Mapping[str, str]
    """The labels that are a variable, or say which value it has: the name of the variable."""

    def listed(self, poll: Poll) -> Part:
        """The part with all states, without formulas. Raises what goes wrong. It is made once."""

    def term(self, number: int) -> FormulaTerm:
        """A term by number."""

    def condition(self, label: str) -> int:
        """The term of a label that the part sees."""

    def read(self, text: str) -> int:
        """The term of a label, or of a condition that a user writes. Else a `FormulaError`."""

    def name(self, state: Packed) -> str:
        """The name of a state."""

    def state(self, name: str) -> Packed | None:
        """The state of this name. None if its values can't be."""

    def packed(self, state: Sequence[Value]) -> Packed:
        """The state with these values of the variables."""

    def unpacked(self, state: Packed) -> list[Value]:
        """The values of the variables in a state."""

    def holds(self, condition: int, state: Packed) -> bool:
        """Whether a term is true in a state. Raises what goes wrong."""

    def after(self, state: Packed | None, most: int) -> Sequence[Packed] | None:
        """Up to so many states after a state, or the initial ones. None: too many ways to look at.

        Raises what goes wrong.
        """

    def leads(self, state: Packed | None, after: Packed) -> bool:
        """Whether there is a step between two states, or whether a state is initial."""

    def fault_after(self, state: Sequence[Value] | None) -> PigroError | None:
        """What goes wrong when the states after a state are computed. None: the initial ones."""

    def fault_in(self, condition: int, state: Sequence[Value]) -> PigroError | None:
        """What goes wrong when a term is evaluated in a state."""
