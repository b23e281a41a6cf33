"""Evidence for what the native search decides, which knows states by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.evidence import EMPTY, Path, State, run_evidence
from pigro.evidence.run.runs import is_some

if TYPE_CHECKING:
    from pigro.engines.onthefly.native import NativeSearch
    from pigro.evidence import RunEvidence, Stack
    from pigro.logic import Formula
    from pigro.model import RSM

ENDS = {_core.End.HERE: "here", _core.End.LOOP: "loop", _core.End.STOP: "stays"}
"""How the search says that a run ends, and how evidence does."""


def show(model: RSM, formula: Formula, search: NativeSearch, node: int) -> RunEvidence:
    """Why a formula outside of CTL has its truth at a node with the empty stack.

    Needs: the truth is known.
    """
    return run_evidence(model, formula, State(EMPTY, node), _NativeDecider(formula, search))


class _NativeDecider:
    """See `pigro.evidence.Decider`."""

    def __init__(self, formula: Formula, search: NativeSearch) -> None:
        self.formula, self.search, self.core, self.form = formula, search, search.core, search.form
        self._numbers: dict[State, int] = {}
        self._stacks: dict[int, Stack] = {0: EMPTY}

    def value(self, node: int, state: State) -> bool | None:
        """The truth of a state formula."""
        number = self._number(state)
        return self.core.value(self.form.states[node], number, self.search.budget.look)

    def _number(self, state: State) -> int:
        if state not in self._numbers:
            self._numbers[state] = self.core.state(tuple(state.stack), state.node)
        return self._numbers[state]

    def _state(self, number: int) -> State:
        stack, node = self.core.parts(number)
        pending = []
        while stack not in self._stacks:
            below, box = self.core.parts_of_stack(stack)
            pending.append((stack, below, box))
            stack = below
        for above, below, box in reversed(pending):
            self._stacks[above] = self._stacks[below].push(box)
        state = State(self._stacks[pending[0][0] if pending else stack], node)
        self._numbers[state] = number
        return state

    def poll(self) -> None:
        """Ends at the limits of the check."""
        self.search.budget.poll()

    def counterexample(self, node: int, state: State) -> Path:
        """A run for E, or against A. What says no more than a state formula is seen at once."""
        at = self.form.states[node]
        if not self.form.is_shown_by_run(at, some=is_some(self.formula, node)):
            return Path((state,))
        number = self._number(state)
        states, end, start = self.core.counter_run(at, number, self.search.budget.look)
        found = []
        for each in states:
            self.poll()
            found.append(self._state(each))
        return Path(tuple(found), ENDS[end], start if end == _core.End.LOOP else None)
