"""The truth of a formula of the mu-calculus in states, by questions to the engine `game`.

Any caller: with a label `here` that only one node has, f is true in all states there that runs
reach if AG (here -> f) holds, and in none if AG (here -> !f) does. If both fail, it depends on the
callers, and strategies lead to a state of each kind. Under one stack, new nodes lead to the states
(recursion/probe_model.py). A probe has one step, so f is true behind it if AG (probe -> AX f) is.

Cost: two checks for each node that runs reach, or one for each state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.game.breaking import breaking_state
from pigro.engines.game.engine import GAME
from pigro.engines.labelling import FormulaLabelling, TruthAmongStates
from pigro.engines.recursion.probe_model import probe_model
from pigro.evidence.states import Path, State
from pigro.logic import AG, AX, atom
from pigro.logic.construct import true

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.states import Stack
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class MuLabels:
    """See `pigro.engines.explaining.StateLabels`."""

    model: RSM
    formula: Formula
    budget: Budget

    def truths(self, nodes: Sequence[int]) -> dict[int, TruthAmongStates]:
        """At declared nodes, in all states there that runs from the initial nodes reach."""
        found = FormulaLabelling(self.model, true(), self.budget.poll).truths(nodes)
        reached = [
            node for node, truth in found.items() if truth is not TruthAmongStates.NOT_REACHABLE
        ]
        always = self._rules(reached, self.formula)
        never = self._rules(reached, ~self.formula)
        for node, yes, no in zip(reached, always, never, strict=True):
            if yes is None or no is None:
                found[node] = TruthAmongStates.UNKNOWN
            else:
                found[node] = (
                    TruthAmongStates.HOLDS
                    if yes
                    else TruthAmongStates.FAILS
                    if no
                    else TruthAmongStates.DEPENDS
                )
        return found

    def reached_state(self, node: int, *, truth: bool) -> State | None:
        """One of these states where the formula has a truth, which depends. None if not found."""
        model, [here] = self._marked(self.model, [self.model.core.declared_of_node(node)])
        rule = AG(here.implies(~self.formula if truth else self.formula))
        state = breaking_state(model, rule, self.budget)
        if state is None or model.core.box(state.node) < 0:
            return state
        return State(state.stack.push(model.core.box(state.node)), model.core.subject(state.node))

    def under(self, stack: Stack, nodes: Sequence[int]) -> dict[int, bool]:
        """The truth at declared nodes of the component that a stack leads to, under the stack."""
        if not nodes:
            return {}
        probed = probe_model(self.model, Path(tuple(State(stack, node) for node in nodes)))
        model, probes = self._marked(probed.model, probed.probes)
        rules = [AG(probe.implies(AX(self.formula))) for probe in probes]
        verdicts = GAME.check_all(model, rules, budget=self.budget)
        truths = zip(nodes, [each.holds for each in verdicts], strict=True)
        return {node: truth for node, truth in truths if truth is not None}

    def _rules(self, nodes: Sequence[int], formula: Formula) -> list[bool | None]:
        """Of each node, whether the formula is true in all states there that runs reach."""
        declared = [self.model.core.declared_of_node(node) for node in nodes]
        model, labels = self._marked(self.model, declared)
        rules = [AG(here.implies(formula)) for here in labels]
        return [each.holds for each in GAME.check_all(model, rules, budget=self.budget)]

    def _marked(self, model: RSM, declared: Sequence[int]) -> tuple[RSM, list[Formula]]:
        """The model with a label that only this node has, for each of some declared nodes."""
        taken = {*model.label_ids, *self.formula.atoms}
        names: list[str] = []
        for at in range(len(taken) + len(declared)):
            if f"here{at}" not in taken and len(names) < len(declared):
                names.append(f"here{at}")
        labels = {name: [node] for name, node in zip(names, declared, strict=True)}
        return model.with_labels(labels), [atom(name) for name in names]
