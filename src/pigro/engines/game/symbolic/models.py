"""What a formula is evaluated on: a part alone, or the composition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.game.diagrams import Bdd, BddManager
    from pigro.engines.game.sets import BddSpace, PartSets, StepRelation
    from pigro.engines.game.symbolic.plan import SymbolicProblem


@dataclass(frozen=True, slots=True)
class StepsOfKind:
    """Steps of one kind."""

    action: str
    may: StepRelation | None
    """None: they lead to the state itself."""
    must: StepRelation | None
    """None: there are none."""


@dataclass(frozen=True, slots=True)
class EvaluationModel:
    """What a formula is evaluated on: a part alone, or the composition."""

    diagrams: BddManager
    states: Bdd
    possible: Bdd
    """Where no joint label is true in one part and false in another."""
    sure: Bdd
    """The states that exist for sure."""
    moves: Sequence[StepsOfKind]
    labels: Sequence[tuple[Bdd, Bdd]]
    """By atoms of the form: where it is true, and where it is false."""

    def some(self, targets: Bdd, actions: Sequence[str] | None) -> Bdd:
        """The states with a step that must be to a target, by one of the actions."""
        return self.diagrams.union(
            each.must.backward(targets & self.sure)
            for each in self.moves
            if each.must is not None and (actions is None or each.action in actions)
        )

    def every(self, targets: Bdd, actions: Sequence[str] | None) -> Bdd:
        """The states all of whose steps by these actions, as far as they may be, go to targets."""
        others = self.possible & ~targets
        return self.states & ~self.diagrams.union(
            others if each.may is None else each.may.backward(others)
            for each in self.moves
            if actions is None or each.action in actions
        )


def part_alone(check: SymbolicProblem, part: PartSets) -> EvaluationModel:
    """A part as a model of the whole. As it is, if it is the whole."""
    space = check.space
    nowhere = space.diagrams.false
    here = next(at for at, each in enumerate(space.parts) if each is part)
    seen = {label for one in space.parts for label in one.labels}
    return EvaluationModel(
        space.diagrams,
        part.states,
        space.diagrams.true,
        space.diagrams.true,
        [_moves_alone(space, here, action, movers) for action, movers in space.moves],
        [
            part.labels.get(label, (nowhere, nowhere if label in seen else part.states))
            for label in check.form.atoms
        ],
    )


def _moves_alone(space: BddSpace, here: int, action: str, movers: Sequence[int]) -> StepsOfKind:
    """Steps of a part as of the whole: only those that no other part has a say in must be."""
    if here not in movers:
        return StepsOfKind(action, None, None)
    part = [space.parts[here]]
    must = space.relation(part, action, must=True) if len(movers) == 1 else None
    return StepsOfKind(action, space.relation(part, action, must=False), must)


def _moves_together(space: BddSpace, action: str, movers: Sequence[int]) -> StepsOfKind:
    moving = [space.parts[at] for at in movers]
    may = space.relation(moving, action, must=False)
    return StepsOfKind(
        action, may, may if space.concrete else space.relation(moving, action, must=True)
    )


def all_parts(check: SymbolicProblem) -> EvaluationModel:
    space = check.space
    union = space.diagrams.union
    labels = []
    for label in check.form.atoms:
        sets = [part.labels[label] for part in space.parts if label in part.labels]
        labels.append(
            (
                space.states & union(true for true, _ in sets),
                space.states & union(false for _, false in sets) if sets else space.states,
            )
        )
    moves = [_moves_together(space, action, movers) for action, movers in space.moves]
    return EvaluationModel(space.diagrams, space.states, space.possible, space.sure, moves, labels)
