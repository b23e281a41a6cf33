"""Fixpoints: the sets of states where subformulas are true, or where they are false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.modal import AND, ATOM, DIAMOND, FALSE, MU, NEGATED, NU, OR, TRUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.symbolic.models import EvaluationModel
    from pigro.engines.game.symbolic.plan import SymbolicProblem
    from pigro.logic.modal import ModalForm


@dataclass(frozen=True, slots=True)
class KnownValues:
    """The known values of each subformula in one sense, and where others are asked for."""

    known: Sequence[Bdd]
    asked: Sequence[Bdd]


@dataclass(slots=True)
class SetEvaluation:
    """The sets of states where the subformulas are true, or, by `sense`, where they are false."""

    check: SymbolicProblem
    model: EvaluationModel
    sense: bool
    bounds: KnownValues | None
    values: list[Bdd]
    history: dict[int, list[Bdd]] | None = None
    """If it is wanted, by fixpoint that grows: its set before each round, and at the end."""
    rounds: int = 0

    def run(self) -> None:
        """Leave the sets of all subformulas in `values`."""
        ops = self.check.form.ops
        for node in self.check.plan.closed:
            if ops[node] in {MU, NU}:
                self.fixpoint(node)
            else:
                self.evaluate(node)

    def fixpoint(self, node: int) -> None:
        """Repeat the body until its set stays."""
        form, bounds = self.check.form, self.bounds
        false = self.model.diagrams.false
        if bounds is not None and bounds.asked[node] == false:
            self.values[node] = bounds.known[node]
            return
        from_below = (form.ops[node] == MU) == self.sense
        reached = false if from_below else self.model.states
        if bounds is not None:
            reached = bounds.known[node] if from_below else bounds.known[node] | bounds.asked[node]
        body = form.left[form.left[node]]
        while True:
            if self.history is not None and from_below:
                self.history.setdefault(node, []).append(reached)
            self.unfold(node, reached)
            self.rounds += 1
            if self.rounds.bit_count() == 1:  # looking takes as long as a round
                self.model.diagrams.look()
            before, reached = reached, self.within(node, self.values[body])
            if reached == before:
                break
        self.values[node] = reached

    def unfold(self, node: int, reached: Bdd) -> None:
        """Evaluate the body of a fixpoint whose variable is a set."""
        self.values[self.check.form.left[node]] = reached
        for inner in self.check.plan.inside[node]:
            self.evaluate(inner)

    def evaluate(self, node: int) -> None:
        """The set of a subformula that is no fixpoint, from those of its operands."""
        self.check.tick()
        bounds = self.bounds
        if bounds is not None and bounds.asked[node] == self.model.diagrams.false:
            self.values[node] = bounds.known[node]
        else:
            self.values[node] = self.within(node, self.operate(node))

    def within(self, node: int, found: Bdd) -> Bdd:
        """The new values where they were asked for, and the known ones."""
        if self.bounds is None:
            return found
        return found & self.bounds.asked[node] | self.bounds.known[node]

    def operate(self, node: int) -> Bdd:
        """The rules of [Shoham2010], section 6.2. Those for false are those for true, dually."""
        form, model, values = self.check.form, self.model, self.values
        operator, left = form.ops[node], form.left[node]
        if operator in {TRUE, FALSE}:
            return model.states if (operator == TRUE) == self.sense else model.diagrams.false
        if operator in {ATOM, NEGATED}:
            true, false = model.labels[left]
            return true if (operator == ATOM) == self.sense else false
        if operator in {AND, OR}:
            right = form.right[node]
            if (operator == AND) == self.sense:
                return values[left] & values[right]
            return values[left] | values[right]
        actions = actions_of(form, node)
        if (operator == DIAMOND) == self.sense:
            return model.some(values[left], actions)
        return model.every(values[left], actions)


def actions_of(form: ModalForm, node: int) -> tuple[str, ...] | None:
    """The actions that a modality speaks of. None: all steps."""
    return None if form.right[node] < 0 else form.actions[form.right[node]]


def evaluated(
    check: SymbolicProblem, model: EvaluationModel, bounds: KnownValues | None, *, sense: bool
) -> tuple[list[Bdd], int]:
    """The sets of all subformulas, and the rounds that it took."""
    nothing = [model.diagrams.false] * len(check.form.ops)
    evaluation = SetEvaluation(check, model, sense, bounds, nothing)
    evaluation.run()
    return evaluation.values, evaluation.rounds
