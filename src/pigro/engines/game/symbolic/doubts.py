"""Why the symbolic method has no verdict: labels and steps that would have to be known.

A subformula is *open* in a state where it is neither true nor false. The search goes from the open
initial states down to what their values depend on, level by level, as sets. A *cause* is an open
label, or a step that may be there only, or that leads to a state that may not exist, if the operand
of the modality does not settle the matter there. If nothing that is reached were a cause, all that
is open would have a value: the fixpoint of it that the semantics takes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.game.sets import RelationConjunct, relation_of
from pigro.engines.game.symbolic.evaluation import actions_of
from pigro.engines.game.symbolic.plan import operands
from pigro.logic.modal import BOX, DIAMOND, MU, NEGATED
from pigro.verdict.composition_details import Cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.sets import StepRelation
    from pigro.engines.game.symbolic.knowledge import Sets
    from pigro.engines.game.symbolic.plan import SymbolicProblem


def lost_start(check: SymbolicProblem, sets: Sets) -> tuple[int, ...]:
    """A tuple of initial states that may not exist, where the formula is false."""
    space = check.space
    bits = space.diagrams.some(space.initial & sets[1][check.form.root], space.current)
    assert bits is not None, "else it is true in all initial states, or open in one"
    return _states(check, bits)


def open_causes(check: SymbolicProblem, sets: Sets) -> Iterator[Cause]:
    """The causes, the nearest first. `sets` are where subformulas are true, and where false.

    Actions have their numbers in `Space.moves`, which are those of `Setting`. There is no cause if
    the parts leave open only whether an initial state exists.
    """
    return _DoubtSearch(check, sets).run()


def _states(check: SymbolicProblem, bits: Mapping[str, bool]) -> tuple[int, ...]:
    return tuple([part.numbering.number(bits) for part in check.space.parts])


class _DoubtSearch:
    """Levels of open positions."""

    def __init__(self, check: SymbolicProblem, sets: Sets) -> None:
        self._check, self._form, self._space = check, check.form, check.space
        self._true, self._false = sets
        nothing = self._nothing = check.space.diagrams.false
        self._seen = [nothing] * len(check.form.ops)
        self._level = [nothing] * len(check.form.ops)
        self._next = [nothing] * len(check.form.ops)
        self._may = [
            (
                action,
                self._space.relation([self._space.parts[at] for at in movers], action, must=False),
            )
            for action, movers in self._space.moves
        ]
        self._weak = [
            (action, self._weaker(action, movers)) for action, movers in self._space.moves
        ]

    def _weaker(self, action: str, movers: Sequence[int]) -> list[StepRelation]:
        """For each part that moves: the steps that may be there only because of it."""
        space = self._space
        parts = [space.parts[at] for at in movers]
        names = frozenset(name for part in parts for name in part.variables)
        variables = [name for name in space.current if name in names]
        found = []
        for at, part in enumerate(parts):
            may, must = part.steps[action]
            if may is must:
                continue
            own = frozenset(part.variables)
            ((relation, _, _),), ((sure, _, _),) = may, must
            weak = RelationConjunct(relation & ~sure, own, own)
            others = [
                each for i, one in enumerate(parts) if i != at for each in one.steps[action][0]
            ]
            found.append(relation_of(space.diagrams, [weak, *others], variables))
        return found

    def run(self) -> Iterator[Cause]:
        root = self._form.root
        self._level[root] = self._space.initial & self._open(root)
        while any(each != self._nothing for each in self._level):
            yield from self._one_level()
            self._level, self._next = self._next, self._level

    def _open(self, node: int) -> Bdd:
        return self._space.states & ~(self._true[node] | self._false[node])

    def _one_level(self) -> Iterator[Cause]:
        """All positions up to the next modality. A variable leads to a larger subformula."""
        while any(each != self._nothing for each in self._level):
            for node in reversed(range(len(self._level))):
                fresh = self._level[node] & ~self._seen[node]
                self._level[node] = self._nothing
                if fresh != self._nothing:
                    self._check.tick()
                    self._seen[node] |= fresh
                    yield from self._visit(node, fresh)

    def _visit(self, node: int, fresh: Bdd) -> Iterator[Cause]:
        op = self._form.ops[node]
        if op <= NEGATED:
            atom = self._form.atoms[self._form.left[node]]
            for bits in self._space.diagrams.every(fresh, self._space.current):
                yield Cause(_states(self._check, bits), atom=atom)
        elif op in {DIAMOND, BOX}:
            yield from self._steps(node, fresh)
        else:
            children = (self._form.left[node],) if op >= MU else operands(self._form, node)
            for child in children:
                self._level[child] |= fresh & self._open(child)

    def _steps(self, node: int, fresh: Bdd) -> Iterator[Cause]:
        """Steps that are not sure to where the operand would not settle it, and what is after."""
        space, child = self._space, self._form.left[node]
        settled = self._false if self._form.ops[node] == DIAMOND else self._true
        goals = space.possible & space.states & ~settled[child]
        actions = actions_of(self._form, node)
        pairs = zip(self._may, self._weak, strict=True)
        for number, ((action, may), (_, weak)) in enumerate(pairs):
            if actions is not None and action not in actions:
                continue
            self._next[child] |= may.forward(fresh) & self._open(child)
            unsure = goals & ~space.sure
            for relation, targets in [*((each, goals) for each in weak), (may, unsure)]:
                yield from self._pairs(fresh, number, relation, targets)

    def _pairs(
        self, fresh: Bdd, action: int, relation: StepRelation, goals: Bdd
    ) -> Iterator[Cause]:
        """All steps of a relation from some states to others, one by one."""
        space = self._space
        if goals == self._nothing:
            return
        sources = fresh & relation.backward(goals)
        for before in space.diagrams.every(sources, space.current):
            here = space.diagrams.cube(before)
            for after in space.diagrams.every(relation.forward(here) & goals, space.current):
                self._check.tick()
                source, target = (_states(self._check, bits) for bits in (before, after))
                yield Cause(source, action=action, target=target)
