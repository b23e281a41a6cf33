"""The states of a component on the way to the model: nodes and boxes.

A state becomes a node, and a state that calls becomes a box. The step to it leads into the called
module, at each of its initial states. Where that module exits, the run goes on with the successors
of the calling state. A state that calls has no moment of its own, except that

- a state that calls and carries labels is a node with these labels, then the box.
- an initial state that calls is a node, then the box.

Source: [Finis2012], section 5.1, which forbids both, a call right after a call, and several initial
states of a module that is called. The semantics `rmv` rejects files that break one of these rules
(`broken_rules`).
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pigro.formats.smv.space import ComponentSpace
    from pigro.limits import Poll

_BROKEN = "P136"


class ComponentStates:
    """A component with its states: which are nodes, and which are boxes."""

    def __init__(
        self,
        space: ComponentSpace,
        labels: Mapping[str, int],
        calls: Sequence[tuple[str, int, int]],
        poll: Poll,
    ) -> None:
        self.space = space
        self.name = space.component.module.name
        self.labelled = {name: space.states(condition, poll) for name, condition in labels.items()}
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
        """State to declared node. -1 where it is hidden."""

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
                    raise TokenFault("P127", message, at, "a state calls one module")
                if state == self.space.last:
                    message = f"the exit of module `{printable(module.name)}` is a call"
                    hint = "exclude it: `... & !(x = EXIT)` for some variable x"
                    raise TokenFault("P127", message, at, hint)
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
        """Numbers the nodes from `base` on. Returns the first number after them."""
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


def broken_rules(parts: Mapping[str, ComponentStates]) -> Iterator[TokenFault]:
    """The first breach of each rule in each module."""
    for part in parts.values():
        if part.calls:
            yield from filter(None, (_initial(part), _labelled(part), _in_a_row(part)))
    called = {
        callee: part for part in reversed(list(parts.values())) for callee in part.calls.values()
    }
    for callee, part in called.items():
        initial = parts[callee].space.initial
        if initial > 1:
            state = min(at for at, name in part.calls.items() if name == callee)
            message = f"module `{printable(callee)}` is called and has {initial:,} initial states"
            yield TokenFault(
                _BROKEN, message, part.called_at[state], "give each variable one initial value"
            )


def _initial(part: ComponentStates) -> TokenFault | None:
    state = min(part.calls)
    if state >= part.space.initial:
        return None
    message = f"initial state {_name(part, state)} calls `{printable(part.calls[state])}`"
    return TokenFault(
        _BROKEN, message, part.called_at[state], "begin with a state that does not call"
    )


def _labelled(part: ComponentStates) -> TokenFault | None:
    for label, states in part.labelled.items():
        state = next((state for state in states if state in part.calls), None)
        if state is not None:
            callee = printable(part.calls[state])
            message = (
                f"state {_name(part, state)} calls `{callee}` and has label `{printable(label)}`"
            )
            return TokenFault(_BROKEN, message, part.called_at[state], "exclude states that call")
    return None


def _in_a_row(part: ComponentStates) -> TokenFault | None:
    calls = part.calls
    for source, target in zip(part.space.sources, part.space.targets, strict=True):
        if source in calls and target in calls:
            message = (
                f"state {_name(part, target)} calls right after state {_name(part, source)} does"
            )
            return TokenFault(
                _BROKEN, message, part.called_at[target], "put another state between them"
            )
    return None


def _name(part: ComponentStates, state: int) -> str:
    return f"{printable(part.space.name(state))} of `{printable(part.name)}`"
