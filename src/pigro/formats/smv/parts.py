"""The states of a module on the way to a component: nodes and boxes.

A state becomes a node, and a state that calls becomes a box. The step to it leads into the called
module, at each of its initial states; where that module exits, the run goes on with the successors
of the calling state. A state that calls has no moment of its own, except that

- a state that calls and carries labels is a node with these labels, then the box;
- an initial state that calls is a node, then the box.

Source: [Finis2012], section 5.1, which forbids both, and a call right after a call, which needs
nothing here.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.kinds import is_condition
from pigro.formats.smv.labels import Conditions
from pigro.formats.smv.nodes import Expression
from pigro.formats.smv.text import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.formats.smv.evaluate import Functions
    from pigro.formats.smv.explore import Space
    from pigro.formats.smv.kinds import Names


class Part:
    """A module on the way to a component: which states are nodes, and which are boxes."""

    def __init__(self, space: Space, names: Names, functions: Functions) -> None:
        self.space = space
        self.conditions = Conditions(space, names, functions)
        self.labelled = {
            name: self.conditions.states(Expression(names.nodes, root))
            for name, root in space.module.defines.items()
            if is_condition(names.kinds[space.module.name, name])
        }
        """The states of each label."""
        self.called_at: dict[int, int] = {}
        """State to the token of the call."""
        self.calls = self._calls(names)
        """State to callee."""
        with_labels: set[int] = set()
        if self.calls:
            with_labels.update(*self.labelled.values())
        self.hidden = {
            state for state in self.calls if state >= space.initial and state not in with_labels
        }
        """States that call and have no moment of their own."""
        self.base = 0
        self.number: list[int] = []
        """State to declared node; -1 where it is hidden."""

    def _calls(self, names: Names) -> dict[int, str]:
        module = self.space.module
        calls: dict[int, str] = {}
        for callee, root, at in module.calls:
            for state in self.conditions.states(Expression(names.nodes, root)):
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

    def place(self, base: int) -> int:
        """Numbers the nodes from `base` on; the first number after them."""
        self.base = base
        for state in range(len(self.space.states)):
            if state in self.hidden:
                self.number.append(-1)
            else:
                self.number.append(base)
                base += 1
        return base

    def nodes(self, states: Iterable[int]) -> list[int]:
        """The declared nodes of states, without the hidden ones."""
        number = self.number
        if not self.hidden:
            base = self.base
            return [base + state for state in states]
        return [number[state] for state in states if number[state] >= 0]
