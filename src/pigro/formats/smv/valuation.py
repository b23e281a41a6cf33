"""The values of variables in the states of a document, and the inputs of steps."""

from __future__ import annotations

from bisect import bisect_right
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.branches import Branches
from pigro.formats.smv.native import UNKNOWN
from pigro.formats.smv.written import show_constant, show_word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import RLock

    from pigro.formats.smv.components import Part
    from pigro.formats.smv.instances import Flat
    from pigro.formats.smv.machine import Component
    from pigro.formats.smv.syntax.text import Text
    from pigro.model import SourcePosition

PROCESS = "process"
"""The input that says which process makes a step."""
_MAIN = "main"


class Listed:
    """Those of a document whose states are listed. See `pigro.model.lazy.valuation.Valuation`."""

    def __init__(self, parts: Sequence[Part], text: Text, lock: RLock) -> None:
        self._parts = parts
        self._bases = [part.base for part in parts]
        self._branches = {part: Branches(part.space.component, text, lock) for part in parts}

    def values(self, node: int) -> dict[str, str]:
        """Each variable with its value."""
        part, state = self._state(node)
        return values_text(part.space.component, part.space.values(state))

    def inputs(self, before: int, after: int) -> dict[str, str]:
        """Inputs that lead from one node to another."""
        (part, first), (other, second) = self._state(before), self._state(after)
        component = part.space.component
        if part is not other or not component.inputs:
            return {}
        return inputs_text(component, part.space.values(first), part.space.values(second))

    def place(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """Where the file says what a step does. With a box, after its call has returned."""
        (part, first) = self._state(before) if box < 0 else self._boxes[box]
        (other, second) = self._state(after)
        if part is not other:
            return None
        values = part.space.values
        return self._branches[part].of(values(first), values(second))

    @cached_property
    def _boxes(self) -> list[tuple[Part, int]]:
        """The state of each box."""
        return [(part, state) for part in self._parts for state in sorted(part.calls)]

    def _state(self, node: int) -> tuple[Part, int]:
        part = self._parts[bisect_right(self._bases, node) - 1]
        return part, part.shown[node - part.base]


def values_text(component: Component, values: Sequence[int]) -> dict[str, str]:
    """The values of variables that a file declares, by name."""
    return {
        printable(flat.name): value_text(component, flat, value)
        for flat, value in zip(component.variables, values, strict=True)
        if not flat.hidden
    } | _chosen_process(component, component.variables, values)


def inputs_text(
    component: Component, before: Sequence[int], after: Sequence[int]
) -> dict[str, str]:
    """Inputs of a step by name, as far as they matter to it."""
    found = None
    with suppress(_core.MachineFault):
        found = component.machine.inputs(list(before), list(after))
    if found is None:
        return {}
    told = {
        printable(flat.name): value_text(component, flat, value)
        for flat, value in zip(component.inputs, found, strict=True)
        if value != UNKNOWN and not flat.hidden
    }
    return told | _chosen_process(component, component.inputs, found)


def is_step(component: Component, before: Sequence[int], after: Sequence[int]) -> bool:
    """Whether a step leads from some values to others. With none before, whether it is a start."""
    with suppress(_core.MachineFault):
        return component.machine.inputs(list(before), list(after)) is not None
    return False


def _chosen_process(
    component: Component, flats: Sequence[Flat], values: Sequence[int]
) -> dict[str, str]:
    """The process that makes a step, if there are several and one is chosen."""
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


def value_text(component: Component, flat: Flat, value: int) -> str:
    """A value of a variable as it is written."""
    read = component.symbols.read(value)
    if flat.domain.width and isinstance(read, int):
        return show_word(read, flat.domain.width)
    return printable(show_constant(read))
