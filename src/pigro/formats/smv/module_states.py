"""The states of a module by its machine, one by one. None is listed.

A state is what the native core has: the values of all variables, as numbers. The search on the fly
takes these states as they are (`StatesOnDemand`). Methods that take a module as formulas add what
formulas need (`formulas.py`).
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.native import UNKNOWN
from pigro.formats.smv.space import explained, named_state, state_name
from pigro.formats.smv.written import show_constant, show_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from threading import RLock

    from pigro.diagnostics import PigroError
    from pigro.formats.smv.branches import StepBranches
    from pigro.formats.smv.document import SmvDocument
    from pigro.formats.smv.instances import ScalarVariable
    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.modules import SmvComponents
    from pigro.formats.smv.syntax.text import TokenText
    from pigro.limits import Poll
    from pigro.model import RSM, SourcePosition

LARGE = 1 << 16
"""Combinations of values beyond which states are not listed before they are needed."""
MANY_STEPS = 10**8
"""Steps, as many as there may be, beyond which they are not listed either."""
PROCESS = "process"
"""The input that says which process makes a step."""
_MAIN = "main"


class ModuleStates:
    """Names, values and steps of states."""

    def __init__(self, component: SmvComponent, text: TokenText, lock: RLock) -> None:
        """Conditions of branches are compiled under the lock of the document."""
        self._component, self._text, self._lock = component, text, lock
        self.machine = component.machine

    def name(self, state: Sequence[int]) -> str:
        """The values of a state, as people write them."""
        return state_name(self._component, state)

    def state(self, name: str) -> tuple[int, ...] | None:
        """The state of this name. None if its values can't be."""
        return named_state(self._component, name)

    def is_true(self, condition: int, state: Sequence[int]) -> bool:
        """Whether a condition of the machine is true in a state. Raises what goes wrong."""
        try:
            return self.machine.holds(condition, state)
        except _core.MachineFault as fault:
            raise self.explain(fault) from None

    def after(self, state: Sequence[int] | None, most: int) -> list[tuple[int, ...]] | None:
        """Up to so many states after a state, or at the start. None if that takes too long."""
        try:
            found = self.machine.after(state or (), most)
        except _core.MachineFault as fault:
            raise self.explain(fault) from None
        return None if found is None else [tuple(each) for each in found]

    def leads(self, state: Sequence[int] | None, after: Sequence[int]) -> bool:
        """Whether there is a step between two states, or whether a state is initial."""
        return self._inputs(state or (), after) is not None

    def values(self, state: Sequence[int]) -> dict[str, str]:
        """The variables that the file declares, each with its value."""
        component = self._component
        return {
            printable(flat.name): self._value(flat, value)
            for flat, value in zip(component.variables, state, strict=True)
            if not flat.hidden
        } | self._process(component.variables, state)

    def step_inputs(self, before: Sequence[int], after: Sequence[int]) -> dict[str, str] | None:
        """Inputs of a step, as far as they matter to it. None if it is no step."""
        found, inputs = self._inputs(before, after), self._component.inputs
        if found is None:
            return None
        return {
            printable(flat.name): self._value(flat, value)
            for flat, value in zip(inputs, found, strict=True)
            if value != UNKNOWN and not flat.hidden
        } | self._process(inputs, found)

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Where the file says what a step does. None if it is not known."""
        return self._branches.of(before, after)

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""
        return self._text.error(explained(self._component, *fault.args))

    @cached_property
    def _branches(self) -> StepBranches:
        from pigro.formats.smv.branches import StepBranches

        return StepBranches(self._component, self._text, self._lock)

    def _inputs(self, before: Sequence[int], after: Sequence[int]) -> list[int] | None:
        with suppress(_core.MachineFault):
            return self.machine.inputs(before, after)
        return None

    def _process(self, flats: Sequence[ScalarVariable], values: Sequence[int]) -> dict[str, str]:
        """The process that makes a step, if there are several and one is chosen."""
        component = self._component
        if component.selector not in flats:
            return {}
        chosen = values[flats.index(component.selector)]
        if chosen == UNKNOWN:
            return {}
        processes = component.program.processes
        value = component.symbols.read(chosen)
        if not isinstance(value, int) or value >= len(processes):
            return {}
        return {PROCESS: printable(processes[value].path or _MAIN)}

    def _value(self, flat: ScalarVariable, value: int) -> str:
        """A value of a variable as it is written."""
        read = self._component.symbols.read(value)
        if flat.domain.width and isinstance(read, int):
            return show_word(read, flat.domain.width)
        return printable(show_constant(read))


class StatesOnDemand(ModuleStates):
    """The states of the module that models start in. See `pigro.model.space.OnDemand`."""

    def __init__(self, document: SmvDocument, make: Callable[[Poll], RSM]) -> None:
        super().__init__(document.components[document.start], document.text, document.lock)
        self._document, self._make = document, make
        self.component = document.start
        variables = [each for each in self._component.variables if not each.hidden]
        self.variables: Sequence[tuple[str, int]] = [
            (printable(each.name), each.domain.size) for each in variables
        ]
        self.digest = hashlib.sha256(document.text.text.encode()).digest()

    @cached_property
    def labels(self) -> Sequence[str]:
        """The labels of the file: definitions, and conditions of its own formulas."""
        labels = self._document.labels
        return tuple(dict.fromkeys((*labels.defined[self.component], *labels.own)))

    def condition(self, label: str) -> int:
        """The number of a condition of the machine. -1 if there is no such label."""
        defined = self._document.labels.defined[self.component].get(label)
        if defined is not None:
            return defined
        atom = self._document.atom(label)
        return -1 if atom is None else atom.number

    def holds(self, label: str, state: Sequence[int]) -> bool:
        """Whether a label is true in a state."""
        number = self.condition(label)
        return number >= 0 and self.is_true(number, state)

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> dict[str, str] | None:
        """See `OnDemand`."""
        return self.step_inputs(before, after)

    def named(self, runs: Iterable[Sequence[str]]) -> Callable[[str], tuple[int, ...] | None]:
        """Finds the values of a state by its name."""
        return partial(named_state, self._component)

    def given(self, _state: Sequence[int], otherwise: object) -> object:
        """States are no Python objects."""
        return otherwise

    def has_at_most(self, most: int, poll: Poll) -> bool:
        """Whether there are at most so many states, which can be listed."""
        return self._document.listing.has_at_most(most, poll)

    def listed(self, poll: Poll) -> RSM:
        """The model with all states."""
        return self._make(poll)

    def dead_end_note(self, state: Sequence[int]) -> str:
        """What users should know about a state without successors that was seen."""
        from pigro.formats.smv.notes import dead_end_note

        return dead_end_note(self._component, state)

    def no_start(self) -> PigroError:
        """The error for a model without initial states."""
        return self._document.no_start(self.component)


def is_large(components: SmvComponents) -> bool:
    """Whether states are computed on demand: one component without calls, and many values."""
    if len(components.named) > 1 or components.has_exit:
        return False
    return has_many(components.named[components.start])


def has_many(component: SmvComponent) -> bool:
    """Whether the variables of a component have many combinations of values, or of next ones.

    Variables that no assignment gives a next value may get any, so few states may have many steps.
    """
    combinations = choices = 1
    for each in component.variables:
        combinations *= each.domain.size
        is_free = not each.next and each.now is None and each.section != "FROZENVAR"
        choices *= each.domain.size if is_free else 1
        if combinations > LARGE or combinations * choices > MANY_STEPS:
            return True
    return False
