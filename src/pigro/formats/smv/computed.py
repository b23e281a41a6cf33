"""A document's states on demand, for the search on the fly."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import PigroError, printable
from pigro.formats.smv.space import explained, named_state, state_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.formats.smv.branches import Branches
    from pigro.formats.smv.document import Document
    from pigro.formats.smv.machine import Component
    from pigro.model import RSM, SourcePosition

LARGE = 1 << 16
"""Combinations of values beyond which states are not listed before they are needed."""


class Computed:
    """See `pigro.model.lazy.OnDemand`."""

    def __init__(self, document: Document, make: Callable[[int | None], RSM | None]) -> None:
        self._document = document
        self._component = document.components[document.start]
        self._make = make
        self.machine: _core.Machine = self._component.machine
        self.notes: list[str] = []
        self.component = document.start
        variables = [each for each in self._component.variables if not each.hidden]
        self.variables: Sequence[tuple[str, int]] = [
            (printable(each.name), each.domain.size) for each in variables
        ]
        self._branches: Branches | None = None
        self.digest = hashlib.sha256(document.text.text.encode()).digest()

    def condition(self, label: str) -> int:
        """The number of a condition of the machine. -1 if there is no such label."""
        document = self._document
        defined = document.labels.defined[document.start].get(label)
        if defined is not None:
            return defined
        if label not in document.labels.atoms:
            with suppress(PigroError):
                document.formula(label)
        atom = document.labels.atoms.get(label)
        return -1 if atom is None else atom.number

    def holds(self, label: str, state: Sequence[int]) -> bool:
        """Whether a label is true in a state."""
        number = self.condition(label)
        return number >= 0 and self.machine.holds(number, list(state))

    def after(self, state: Sequence[int], most: int) -> list[list[int]] | None:
        """Up to so many states after a state. None if that takes too long."""
        try:
            return self.machine.after(list(state), most)
        except _core.MachineFault as fault:
            raise self.explain(fault) from None

    def name(self, state: Sequence[int]) -> str:
        """The values of a state, as people write them."""
        return state_name(self._component, state)

    def follow(self, names: Sequence[str]) -> None:
        """A name has all values of its state."""

    def state(self, name: str) -> tuple[int, ...] | None:
        """The values of a state of this name. None if they can't be."""
        return named_state(self._component, name)

    def values(self, state: Sequence[int]) -> dict[str, str]:
        """Each variable with its value."""
        from pigro.formats.smv.valuation import values_text  # noqa: PLC0415 - only evidence needs it

        return values_text(self._component, state)

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> dict[str, str] | None:
        """Inputs of a step. None if it is none."""
        from pigro.formats.smv.valuation import inputs_text, is_step  # noqa: PLC0415 - as above

        if not is_step(self._component, before, after):
            return None
        return inputs_text(self._component, before, after) if self._component.inputs else {}

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Where the file says what a step does. None if it is not known."""
        if self._branches is None:
            from pigro.formats.smv.branches import Branches  # noqa: PLC0415 - as above

            self._branches = Branches(self._component, self._document.text)
        return self._branches.of(before, after)

    def listed(self, most: int | None = None) -> RSM | None:
        """The model with all states. None if there are more than `most`."""
        return self._make(most)

    def note_dead_end(self, values: Sequence[int]) -> None:
        """Notes, only once, that a state without successors was seen."""
        from pigro.formats.smv.notes import dead_end_note  # noqa: PLC0415 - few have one

        if not self.notes:
            self.notes.append(dead_end_note(self._component, values))

    def no_start(self) -> PigroError:
        """The error for a model without initial states."""
        return self._document.no_start(self.component)

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""
        return self._document.text.error(explained(self._component, *fault.args))


MANY_STEPS = 10**8
"""Steps, as many as there may be, beyond which they are not listed either."""


def is_large(document: Document) -> bool:
    """Whether states are computed on demand: one component without calls, and many values."""
    if len(document.components) > 1 or document.has_exit:
        return False
    return has_many(document.components[document.start])


def has_many(component: Component) -> bool:
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
