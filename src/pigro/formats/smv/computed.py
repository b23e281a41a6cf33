"""A document's states on demand, for the search on the fly."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pigro.diagnostics import PigroError
from pigro.formats.smv.space import explained

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro import _core
    from pigro.formats.smv.document import Document
    from pigro.model import RSM

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

    def condition(self, label: str) -> int:
        """The number of a condition of the machine; -1 if there is no such label."""
        document = self._document
        defined = document.labels.defined[document.start].get(label)
        if defined is not None:
            return defined
        if label not in document.labels.atoms:
            with suppress(PigroError):
                document.formula(label)
        atom = document.labels.atoms.get(label)
        return -1 if atom is None else atom.number

    def listed(self, most: int | None = None) -> RSM | None:
        """The model with all states; None if there are more than `most`."""
        return self._make(most)

    def note_dead_end(self, values: Sequence[int]) -> None:
        """Takes down that a state without successors was seen; once."""
        from pigro.formats.smv.notes import dead_end_note  # noqa: PLC0415 - few have one

        if not self.notes:
            self.notes.append(dead_end_note(self._component, values))

    def explain(self, fault: _core.MachineFault) -> PigroError:
        """What goes wrong while states are computed, with its place."""
        return self._document.text.error(explained(self._component, *fault.args))


def is_large(document: Document) -> bool:
    """Whether states are computed on demand: one component without calls, and many values."""
    if len(document.components) > 1 or document.has_exit:
        return False
    combinations = 1
    for each in document.components[document.start].variables:
        combinations *= each.domain.size
        if combinations > LARGE:
            return True
    return False
