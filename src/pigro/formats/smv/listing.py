"""The states of all components of a file. They are listed once, when something needs them."""

from __future__ import annotations

import threading
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pigro.formats.smv.assemble import nodes_of
from pigro.formats.smv.components import ComponentStates
from pigro.formats.smv.module_states import ModuleStates
from pigro.formats.smv.space import ComponentSpace, ListingBounds, TooManyStates
from pigro.formats.smv.syntax.text import TokenFault, placed
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import RLock

    from pigro.formats.smv.modules import SmvComponents
    from pigro.formats.smv.specs.formulas import ComponentCondition
    from pigro.formats.smv.specs.stated import StatedFormulas
    from pigro.formats.smv.syntax.text import TokenText
    from pigro.limits import Poll
    from pigro.model import SourcePosition


class OwnNodes(NamedTuple):
    """Where the conditions of the file's own formulas hold."""

    nodes: dict[str, Sequence[int]]
    faults: list[TokenFault]
    """Of conditions that have no value in some state."""


class StateListing:
    """The states of all components. No answer depends on whether they are listed.

    One thread at a time lists states.
    """

    def __init__(
        self,
        text: TokenText,
        components: SmvComponents,
        stated: StatedFormulas,
        bounds: ListingBounds,
    ) -> None:
        self._text, self._components, self._stated = text, components, stated
        self._bounds = bounds
        self.lock = threading.RLock()
        self.made: dict[str, ComponentStates] | None = None
        """The components with all their states, once they are listed."""
        self._own: OwnNodes | None = None

    def parts(self, poll: Poll = no_poll) -> dict[str, ComponentStates]:
        """The components with all their states."""
        with self.lock, placed(self._text):
            if self.made is None:
                self.made = self._listed(self._bounds, poll)
            return self.made

    def has_at_most(self, most: int, poll: Poll = no_poll) -> bool:
        """Whether there are at most so many states, and 100 times as many steps.

        Then they are listed.
        """
        bounds = ListingBounds(min(most, self._bounds.states), min(100 * most, self._bounds.edges))
        with self.lock, placed(self._text):
            if self.made is None:
                try:
                    self.made = self._listed(bounds, poll)
                except TooManyStates:
                    return False
            spaces = [part.space for part in self.made.values()]
        states, edges = sum(each.size for each in spaces), sum(len(each.sources) for each in spaces)
        return states <= bounds.states and edges <= bounds.edges

    def _listed(self, bounds: ListingBounds, poll: Poll) -> dict[str, ComponentStates]:
        found: dict[str, ComponentStates] = {}
        base = 0
        for name in self._components.named:
            part = found[name] = self._one(name, bounds, poll)
            base = part.place(base)
            bounds = ListingBounds(bounds.states - part.space.size, bounds.edges)
        return found

    def _one(self, name: str, bounds: ListingBounds, poll: Poll) -> ComponentStates:
        space = ComponentSpace(self._components.named[name], bounds, poll)
        labels = self._stated.labels.defined[name]
        return ComponentStates(space, labels, self._components.calls[name], poll)

    def part(self, name: str, poll: Poll = no_poll) -> ComponentStates:
        """One component with all its states. The others are not listed for it."""
        if self.made is not None:
            return self.made[name]
        with placed(self._text):
            return self._one(name, self._bounds, poll)

    def own_nodes(self, poll: Poll = no_poll) -> OwnNodes:
        """The nodes of the conditions of the file's own formulas, and faults of those without."""
        with self.lock:
            if self._own is None:
                self._own = self._evaluated(poll)
            return self._own

    def _evaluated(self, poll: Poll) -> OwnNodes:
        parts = self.parts(poll)
        found = OwnNodes({}, [])
        for label, atom in self._stated.labels.own.items():
            try:
                found.nodes[label] = nodes_of(parts, label, atom, poll)
            except TokenFault as fault:
                if label in self._stated.fair_labels:
                    raise self._text.error(fault) from None
                found.faults.append(fault)
        return found

    def nodes(self, label: str, atom: ComponentCondition) -> Sequence[int]:
        """The declared nodes where a condition holds."""
        with self.lock, placed(atom.text):
            return nodes_of(self.parts(), label, atom)


class ListedValues:
    """The values of variables in listed states. See `pigro.model.conditions.NodeValuation`."""

    def __init__(self, parts: Sequence[ComponentStates], text: TokenText, lock: RLock) -> None:
        self._parts = parts
        self._bases = [part.base for part in parts]
        self._states = {part: ModuleStates(part.space.component, text, lock) for part in parts}

    def values(self, node: int) -> dict[str, str]:
        """Each variable with its value."""
        part, state = self._state(node)
        return self._states[part].values(part.space.values(state))

    def inputs(self, before: int, after: int) -> dict[str, str]:
        """Inputs that lead from one node to another."""
        (part, first), (other, second) = self._state(before), self._state(after)
        if part is not other or not part.space.component.inputs:
            return {}
        values = part.space.values
        return self._states[part].step_inputs(values(first), values(second)) or {}

    def place(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """Where the file says what a step does. With a box, after its call has returned."""
        (part, first) = self._state(before) if box < 0 else self._boxes[box]
        (other, second) = self._state(after)
        if part is not other:
            return None
        values = part.space.values
        return self._states[part].place(values(first), values(second))

    @cached_property
    def _boxes(self) -> list[tuple[ComponentStates, int]]:
        """The state of each box."""
        return [(part, state) for part in self._parts for state in sorted(part.calls)]

    def _state(self, node: int) -> tuple[ComponentStates, int]:
        part = self._parts[bisect_right(self._bases, node) - 1]
        return part, part.shown[node - part.base]
