"""A recursive state machine as a system: its states are stacks of boxes with a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError
from pigro.evidence.states import EMPTY, State, Steps

if TYPE_CHECKING:
    from pigro.model import RSM


class Unfolding:
    """The states of a model, from its only initial node on, with all their stacks.

    With a `depth` it is cut off in states with more calls than that on the stack.

    >>> from pigro import kripke
    >>> system = Unfolding(kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p"]}, initial="a"))
    >>> system.successors(system.initial)
    [State(stack=(), node=1)]
    """

    def __init__(self, model: RSM, depth: int | None = None) -> None:
        if len(model.initial) != 1:
            raise CheckError(
                "P407",
                f"not a system: the model has {len(model.initial)} initial nodes, not one",
                hint="unfold model.with_initial([node]) for each of them",
            )
        self.model, self.depth = model, depth
        self.initial = State(EMPTY, model.initial[0])
        self.dead_ends = model.dead_ends
        self._steps = Steps(model)
        core = model.core
        self._carrying = {
            name: frozenset(core.labelled(at)) for name, at in model.label_ids.items()
        }

    def successors(self, state: State) -> list[State]:
        """The states after a state."""
        return self._steps.next(state)

    def labels(self, state: State) -> list[str]:
        """The labels of its node."""
        subject = self.model.core.subject(state.node)
        return [label for label, nodes in self._carrying.items() if subject in nodes]

    def is_cut(self, state: State) -> bool:
        """Whether the stack is too high to go on."""
        return self.depth is not None and len(state.stack) > self.depth
