"""Parts as sets of assignments to Boolean variables, and steps between them.

    paper            here
    V, V'            `Space.current`, and the copies of these: each variable next to its copy
    S                `Space.states`
    R+, R-           `PartSets.steps`, by action
    ForwardStep      `StepRelation.forward`
    ex, ax           by `StepRelation.backward`

The relation of the composition is never built: a step goes through the relations of the parts that
move, one by one, and drops each variable right after the last relation that has it. Parts with
actions have relations for each action. The variables of parts that stay where they are stay too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pigro.engines.game.diagrams import copy_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.engines.game.diagrams import Bdd, BddManager


@dataclass(frozen=True, slots=True)
class StepRelation:
    """Steps of one or more parts that move at once."""

    diagrams: BddManager
    steps: tuple[tuple[Bdd, frozenset[str], frozenset[str]], ...]
    """For each part its relation, and the variables and copies that no later part has."""
    following: Mapping[str, str]
    """The copy of each variable."""
    current: Mapping[str, str]
    """The variable of each copy."""

    def backward(self, targets: Bdd) -> Bdd:
        """The states with a step to one of the targets."""
        found = self.diagrams.rename(self.following, targets)
        for relation, _, dropped in self.steps:
            found = self.diagrams.and_exists(relation, found, dropped)
        return found

    def forward(self, sources: Bdd) -> Bdd:
        """The states with a step from one of the sources."""
        found = sources
        for relation, dropped, _ in self.steps:
            found = self.diagrams.and_exists(relation, found, dropped)
        return self.diagrams.rename(self.current, found)


class RelationConjunct(NamedTuple):
    """A relation, and the variables whose current or next values it may read."""

    relation: Bdd
    current: frozenset[str]
    following: frozenset[str]


Conjuncts = tuple[RelationConjunct, ...]
"""Relations that together are the steps of a part. The first reads what no other one does."""


class AssignmentNumbering(Protocol):
    """Which assignment is which state of a part."""

    def number(self, bits: Mapping[str, bool]) -> int:
        """The number of the state that an assignment is. It may have more variables."""

    def bits(self, state: int) -> Mapping[str, bool]:
        """The assignment that a state is."""


@dataclass(frozen=True, slots=True)
class PartSets:
    """A part as sets over its variables."""

    variables: tuple[str, ...]
    states: Bdd
    initial: Bdd
    steps: Mapping[str, tuple[Conjuncts, Conjuncts]]
    """By action, or nothing: steps that may be there, and those of them that must."""
    labels: Mapping[str, tuple[Bdd, Bdd]]
    """Where a label is true, and where it is false."""
    numbering: AssignmentNumbering


@dataclass(frozen=True, slots=True)
class BddSpace:
    """All parts over common variables."""

    diagrams: BddManager
    parts: tuple[PartSets, ...]
    current: tuple[str, ...]
    concrete: bool
    """All parts are Kripke structures: no label is unknown, and each step is a must."""
    possible: Bdd
    """Where no label is true in one part and false in another. All, if all are settled."""
    sure: Bdd
    """Where, besides, no joint label is unknown: such a composed state exists for sure."""
    states: Bdd
    """The composed states that may exist."""
    initial: Bdd
    moves: tuple[tuple[str, tuple[int, ...]], ...]
    """The kinds of steps: an action, or nothing, and the parts that move by it together."""

    def relation(self, parts: Sequence[PartSets], action: str, *, must: bool) -> StepRelation:
        """The steps of these parts together: those that must be, or that may."""
        variables = frozenset(name for part in parts for name in part.variables)
        return relation_of(
            self.diagrams,
            [conjunct for part in parts for conjunct in part.steps[action][must]],
            [name for name in self.current if name in variables],
        )

    def of_part(self, part: PartSets, states: Bdd) -> Bdd:
        """The states of a part that are in some of these composed ones."""
        others = frozenset(self.current) - frozenset(part.variables)
        return self.diagrams.exist(others, states) if others else states


def relation_of(
    diagrams: BddManager, conjuncts: Sequence[RelationConjunct], variables: Sequence[str]
) -> StepRelation:
    """Steps that are in all of these relations. Each variable is dropped as early as can be."""
    before, after = set(variables), set(variables)
    steps = []
    for at, (relation, current, following) in reversed(list(enumerate(conjuncts))):
        last = before & current if at else set(before)
        copied = after & following if at else set(after)
        before -= last
        after -= copied
        steps.append((relation, frozenset(last), frozenset(map(copy_of, copied))))
    copies = {name: copy_of(name) for name in variables}
    back = {copy: name for name, copy in copies.items()}
    return StepRelation(diagrams, tuple(reversed(steps)), copies, back)
