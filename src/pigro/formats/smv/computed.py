"""A document's states on demand, for the search on the fly."""

from __future__ import annotations

import hashlib
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.space import explained, named_state, state_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.diagnostics import PigroError
    from pigro.formats.smv.branches import Branches
    from pigro.formats.smv.document import Document
    from pigro.formats.smv.machine import Component
    from pigro.formats.smv.modules import Components
    from pigro.limits import Poll
    from pigro.model import RSM, SourcePosition


LARGE = 1 << 16
"""Combinations of values beyond which states are not listed before they are needed."""


class Computed:
    """See `pigro.model.space.OnDemand`."""

    def __init__(self, document: Document, make: Callable[[Poll], RSM]) -> None:
        self._document = document
        self._component = document.components[document.start]
        self._make = make
        self.machine: _core.Machine = self._component.machine
        self.component = document.start
        variables = [each for each in self._component.variables if not each.hidden]
        self.variables: Sequence[tuple[str, int]] = [
            (printable(each.name), each.domain.size) for each in variables
        ]
        self._branches: Branches | None = None
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

    def named(self, runs: Iterable[Sequence[str]]) -> Callable[[str], tuple[int, ...] | None]:
        """Finds the values of a state by its name."""
        return partial(named_state, self._component)

    def values(self, state: Sequence[int]) -> dict[str, str]:
        """Each variable with its value."""
        from pigro.formats.smv.valuation import values_text

        return values_text(self._component, state)

    def inputs(self, before: Sequence[int], after: Sequence[int]) -> dict[str, str] | None:
        """Inputs of a step. None if it is none."""
        from pigro.formats.smv.valuation import inputs_text, is_step

        if not is_step(self._component, before, after):
            return None
        return inputs_text(self._component, before, after) if self._component.inputs else {}

    def place(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """Where the file says what a step does. None if it is not known."""
        if self._branches is None:
            from pigro.formats.smv.branches import Branches

            self._branches = Branches(self._component, self._document.text, self._document.lock)
        return self._branches.of(before, after)

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

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""
        return self._document.text.error(explained(self._component, *fault.args))


MANY_STEPS = 10**8
"""Steps, as many as there may be, beyond which they are not listed either."""


def is_large(components: Components) -> bool:
    """Whether states are computed on demand: one component without calls, and many values."""
    if len(components.named) > 1 or components.has_exit:
        return False
    return has_many(components.named[components.start])


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
