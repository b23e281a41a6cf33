"""Evidence for what the search over a machine decides: runs by their states, without a list of all.

The states of runs go into an excerpt of the model (`pigro.model.lazy.excerpt`). Evidence is made on
the excerpt as on any model. If it asks for a run whose states are not there, they are added, and it
is made once more.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.onthefly.native_evidence import ENDS
from pigro.evidence import EMPTY, Path, State, run_evidence
from pigro.evidence.run.runs import is_some
from pigro.model.lazy.excerpt import OTHERS, ExcerptBuilder

if TYPE_CHECKING:
    from pigro.engines.onthefly.program import ProgramSearch
    from pigro.evidence import RunEvidence
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.logic.positive import PositiveForm
    from pigro.model.space import StateSpace


class _ExcerptGrown(Exception):
    """The excerpt has more states now."""


def show_computed(
    model: StateSpace,
    formula: Formula,
    core: _core.MachineSearch | ProgramSearch,
    form: PositiveForm,
    start: int,
    budget: Budget,
) -> RunEvidence:
    """Why a formula has its truth in an initial state, which goes by its number in the search."""
    excerpt = ExcerptBuilder(model, formula.atoms)
    decider = _ComputedDecider(excerpt, formula, core, form, budget)
    first = State(EMPTY, decider.node(start, initial=True))
    while True:
        try:
            shown = run_evidence(excerpt.model, formula, first, decider)
            return replace(shown, excerpt=excerpt.model)
        except _ExcerptGrown:
            budget.poll()


class _ComputedDecider:
    """See `pigro.evidence.Decider`."""

    def __init__(
        self,
        excerpt: ExcerptBuilder,
        formula: Formula,
        core: _core.MachineSearch | ProgramSearch,
        form: PositiveForm,
        budget: Budget,
    ) -> None:
        self.excerpt, self.formula, self.core, self.form = excerpt, formula, core, form
        self.budget = budget
        self._numbers: dict[int, int] = {}
        """From nodes of the excerpt to states of the search."""
        self._paths: dict[tuple[int, State], Path] = {}

    def node(self, number: int, *, initial: bool = False) -> int:
        """The node of a state, with what must be known of its steps."""
        node = self.excerpt.node(self.core.values(number), initial=initial)
        if node not in self._numbers:
            self._numbers[node] = number
            after = self.core.next(number, 2)
            if number in after:
                self.excerpt.step(node, node)
            if any(each != number for each in after):
                self.excerpt.step(node, OTHERS)
        return node

    def value(self, node: int, state: State) -> bool | None:
        """The truth of a state formula."""
        number = self._numbers[state.node]
        return self.core.value(self.form.states[node], number, self.budget.look)

    def poll(self) -> None:
        """Ends at the limits of the check."""
        self.budget.poll()

    def counterexample(self, node: int, state: State) -> Path:
        """A run for E, or against A. What says no more than a state formula is seen at once."""
        if (node, state) in self._paths:
            return self._paths[node, state]
        at = self.form.states[node]
        if not self.form.is_shown_by_run(at, some=is_some(self.formula, node)):
            return Path((state,))
        number = self._numbers[state.node]
        states, end, start = self.core.counter_run(at, number, self.budget.look)
        nodes = [self.node(each) for each in states]
        loops = end == _core.End.LOOP
        for before, after in pairwise([*nodes, nodes[start]] if loops else nodes):
            self.excerpt.step(before, after)
        path = Path(
            tuple(State(EMPTY, each) for each in nodes), ENDS[end], start if loops else None
        )
        self._paths[node, state] = path
        raise _ExcerptGrown
