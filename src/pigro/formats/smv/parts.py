"""The states of a component on the way to the model: nodes and boxes.

A state becomes a node, and a state that calls becomes a box. The step to it leads into the called
module, at each of its initial states; where that module exits, the run goes on with the successors
of the calling state. A state that calls has no moment of its own, except that

- a state that calls and carries labels is a node with these labels, then the box;
- an initial state that calls is a node, then the box.

Source: [Finis2012], section 5.1, which forbids both, and a call right after a call, which needs
nothing here.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.text import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.formats.smv.space import Space


class Part:
    """A component with its states: which are nodes, and which are boxes."""

    def __init__(
        self, space: Space, labels: Mapping[str, int], calls: Sequence[tuple[str, int, int]]
    ) -> None:
        self.space = space
        self.name = space.component.module.name
        self.labelled = {name: space.states(condition) for name, condition in labels.items()}
        """The states of each label."""
        self.called_at: dict[int, int] = {}
        """State to the token of the call."""
        self.calls = self._calls(calls)
        """State to callee."""
        with_labels: set[int] = set()
        if self.calls:
            with_labels.update(*self.labelled.values())
        self.hidden = {
            state for state in self.calls if state >= space.initial and state not in with_labels
        }
        """States that call and have no moment of their own."""
        self.base = 0
        self.number: Sequence[int] = ()
        """State to declared node; -1 where it is hidden."""

    def _calls(self, listed: Sequence[tuple[str, int, int]]) -> dict[int, str]:
        module = self.space.component.module
        calls: dict[int, str] = {}
        for callee, condition, at in listed:
            for state in self.space.states(condition):
                if state in calls and calls[state] != callee:
                    message = (
                        f"state {self.space.name(state)} calls `{printable(callee)}` "
                        f"and `{printable(calls[state])}`"
                    )
                    raise Fault("P127", message, at, "a state calls one module")
                if state == self.space.last:
                    message = f"the exit of module `{printable(module.name)}` is a call"
                    hint = "exclude it: `... & !(x = EXIT)` for some variable x"
                    raise Fault("P127", message, at, hint)
                calls[state] = callee
                self.called_at.setdefault(state, at)
        return calls

    @cached_property
    def entries(self) -> list[int]:
        """The initial states, as declared nodes."""
        return [self.number[state] for state in range(self.space.initial)]

    @cached_property
    def shown(self) -> Sequence[int]:
        """The states that are nodes."""
        if not self.hidden:
            return range(self.space.size)
        return [state for state in range(self.space.size) if state not in self.hidden]

    def place(self, base: int) -> int:
        """Numbers the nodes from `base` on; the first number after them."""
        self.base = base
        if not self.hidden:
            self.number = range(base, base + self.space.size)
            return base + self.space.size
        numbers = [-1] * self.space.size
        for number, state in enumerate(self.shown, base):
            numbers[state] = number
        self.number = numbers
        return base + len(self.shown)

    def nodes(self, states: Sequence[int]) -> Sequence[int]:
        """The declared nodes of states, without the hidden ones."""
        number = self.number
        if not self.hidden and self.base == 0:
            return states
        if not self.hidden:
            base = self.base
            return array("i", [base + state for state in states])
        return array("i", [number[state] for state in states if number[state] >= 0])
