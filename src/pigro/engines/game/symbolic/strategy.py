"""How the winner wins, read off the sets of fixpoints. Only states that are shown are looked at.

The question is evaluated once more, in the sense of the winner only. For fixpoints that grow, the
sets of all rounds are kept. The *rank* of a state in such a fixpoint is the first round after which
it is in the set. The winner moves within the sets. At a variable the rank goes down, so that no
play goes round for ever. In fixpoints that shrink, going round is how he wins.

A position is claimed on one part if that part alone knows it, else on all parts together. It is
reached with a *bound*: the round whose sets the winner keeps to. A position that is reached with a
lower bound is claimed anew (SY3).

If there are more claims than `_MOST`, or a state has too many steps to look at, only a part of the
strategy is made: claims that are near the start.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, cast

from pigro.engines.game.strategy import needed
from pigro.engines.game.symbolic.evaluation import SetEvaluation, actions_of
from pigro.engines.game.symbolic.knowledge import bounds_of
from pigro.engines.game.symbolic.models import all_parts, part_alone
from pigro.engines.game.symbolic.plan import operands
from pigro.evidence.strategy.steps import JointSteps
from pigro.evidence.strategy.strategy import ClaimLayer, Strategy, StrategyMove
from pigro.logic.modal import AND, BOX, DIAMOND, MU, NEGATED, OR, VAR
from pigro.model.lazy.seen import SeenPart, TooWide

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.symbolic.evaluation import KnownValues
    from pigro.engines.game.symbolic.knowledge import PartKnowledge
    from pigro.engines.game.symbolic.models import EvaluationModel
    from pigro.engines.game.symbolic.plan import SymbolicProblem
    from pigro.evidence.strategy.strategy import Position, States
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.verdict.composition_details import SymbolicResult

_MOST: Final = 20_000
"""Claims of a strategy."""
_PART: Final = 1_000
"""Claims if it is clear that some are left out."""
_WIDE: Final = 8
"""States with too many steps that are met before the walk ends."""
_NO_BOUND: Final = -1


class StrategyQuestion(NamedTuple):
    """A question, with who wins."""

    check: SymbolicProblem
    formula: Formula
    dead_ends: str
    system: Composition
    """The parts that states are numbered by."""
    holds: bool


def strategy_of(
    question: StrategyQuestion, knowledge: PartKnowledge | None, result: SymbolicResult
) -> Strategy:
    """The winner's strategy, whole or in part."""
    walk = _ClaimWalk(question, knowledge, result)
    is_whole = walk.run()
    made = Strategy(
        question.formula,
        cast("Literal['stutter', 'stop']", question.dead_ends),
        question.holds,
        tuple([part if isinstance(part, SeenPart) else None for part in question.system.parts]),
        tuple([ClaimLayer(each.parts, each.claims) for each in walk.layers if each.claims]),
        is_whole=is_whole,
    )
    if not is_whole:
        return made
    try:
        return needed(question.system, made, question.check.tick)
    except TooWide:  # a replay can't look at all initial states
        return replace(made, is_whole=False)


class _LayerSets:
    """The sets of some parts, and the claims about them."""

    def __init__(
        self, check: SymbolicProblem, parts: tuple[int, ...], evaluation: SetEvaluation
    ) -> None:
        self.check, self.parts = check, parts
        self._evaluation = evaluation
        evaluation.run()
        self._bits: dict[States, dict[str, bool]] = {}
        self._unfolded: dict[tuple[int, int], dict[int, Bdd]] = {}
        self._owner = {
            inner: node
            for node, variable in _growing(evaluation)
            for inner in (*check.plan.inside[node], variable)
        }
        """Of subformulas with the variable of a fixpoint that grows: the fixpoint."""
        self.reached: dict[Position, int] = {}
        """The least bounds that positions were reached with."""
        self.claims: dict[Position, StrategyMove | None] = {}

    @property
    def model(self) -> EvaluationModel:
        return self._evaluation.model

    def wins(self, states: States, node: int) -> bool:
        """Whether the winner wins a position."""
        found = self._evaluation.values[node]
        return self.check.space.diagrams.contains(found, self.bits(states))

    def bits(self, states: States) -> dict[str, bool]:
        found = self._bits.get(states)
        if found is None:
            found = self._bits[states] = {}
            for part, state in zip(self.parts, states, strict=True):
                found |= self.check.space.parts[part].numbering.bits(state)
        return found

    def bound(self, states: States, node: int, bound: int) -> int:
        """The bound of a position that is reached with a bound, or from elsewhere without any."""
        owner = self._owner.get(node)
        if owner is None:
            return _NO_BOUND
        if self.check.form.ops[node] == VAR:
            return self._rank(states, owner)
        last = len(self._rounds(owner)) - 1
        return last if bound == _NO_BOUND else bound

    def below(self, node: int, child: int, bound: int) -> int:
        """The bound of what a position rests on."""
        if self._owner.get(child) is None or self._owner.get(node) != self._owner[child]:
            return _NO_BOUND
        return bound - 1 if self.check.form.ops[node] == VAR else bound

    def _rounds(self, fixpoint: int) -> list[Bdd]:
        history = self._evaluation.history
        assert history is not None, "it was asked for"
        return history[fixpoint]

    def _rank(self, states: States, fixpoint: int) -> int:
        """The first round after which a state is in a fixpoint. The sets grow."""
        rounds, bits = self._rounds(fixpoint), self.bits(states)
        contains = self.check.space.diagrams.contains
        low, high = 0, len(rounds) - 1
        while low < high:
            middle = (low + high) // 2
            if contains(rounds[middle], bits):
                high = middle
            else:
                low = middle + 1
        return low

    def winning(self, node: int, bound: int) -> Bdd:
        """The states where the winner wins within a bound."""
        owner = self._owner.get(node)
        if owner is None or bound == _NO_BOUND:
            return self._evaluation.values[node]
        rounds = self._rounds(owner)
        if self.check.form.ops[node] == VAR:
            return rounds[bound]
        known = self._unfolded.get((owner, bound))
        if known is None:
            self._evaluation.unfold(owner, rounds[bound])
            inside = self.check.plan.inside[owner]
            known = {each: self._evaluation.values[each] for each in inside}
            self._unfolded[owner, bound] = known
            self._evaluation.unfold(owner, rounds[-1])
        return known[node]


def _growing(evaluation: SetEvaluation) -> Iterator[tuple[int, int]]:
    """The fixpoints that grow, and their variables."""
    for node in evaluation.history or ():
        yield node, evaluation.check.form.left[node]


class _ClaimWalk:
    """Goes from claim to claim, the nearest to the start first."""

    def __init__(
        self, question: StrategyQuestion, knowledge: PartKnowledge | None, result: SymbolicResult
    ) -> None:
        self._question, self._check = question, question.check
        self._form = question.check.form
        self._choosing = (OR, DIAMOND) if question.holds else (AND, BOX)
        self._steps = JointSteps(question.system.numbered_parts)
        self.layers = self._layers(knowledge, result)
        self._alone = [each for each in self.layers if len(each.parts) == 1]
        self._pending: deque[tuple[_LayerSets, Position]] = deque()

    def _layers(self, knowledge: PartKnowledge | None, result: SymbolicResult) -> list[_LayerSets]:
        """Each part that was asked alone, or the one that decided. Then all together, if asked."""
        check, space = self._check, self._check.space
        asked = range(len(space.parts)) if result.decided_by is None else [result.decided_by]
        made = [self._layer((at,), part_alone(check, space.parts[at]), None) for at in asked]
        if result.second_step:
            assert knowledge is not None, "it was found before"
            everything = tuple(range(len(space.parts)))
            bounds = bounds_of(knowledge, sense=self._question.holds)
            made.append(self._layer(everything, all_parts(check), bounds))
        return made

    def _layer(
        self, parts: tuple[int, ...], model: EvaluationModel, bounds: KnownValues | None
    ) -> _LayerSets:
        values = [model.diagrams.false] * len(self._form.ops)
        evaluation = SetEvaluation(self._check, model, self._question.holds, bounds, values, {})
        return _LayerSets(self._check, parts, evaluation)

    def run(self) -> bool:
        """Makes all claims. False if some are left out."""
        space, root = self._check.space, self._form.root
        where = self._starts()
        found = space.diagrams.every(where, space.current)
        is_whole, count, wide = True, 0, 0
        if self._question.holds:
            is_whole = space.diagrams.count(where, len(space.current)) <= _MOST
        for bits in islice(found, None if is_whole and self._question.holds else 1):
            self._reach(self.layers[-1], self._states(self.layers[-1], bits), root, _NO_BOUND)
        while self._pending:
            self._check.tick()
            layer, position = self._pending.popleft()
            count += position not in layer.claims
            if count > (_MOST if is_whole else _PART):
                return False
            try:
                layer.claims[position] = self._move(layer, *position, layer.reached[position])
            except TooWide:
                is_whole, wide = False, wide + 1
                if wide == _WIDE:
                    return False
        return is_whole

    def _starts(self) -> Bdd:
        """All initial states. If the formula fails, those where it does for sure."""
        space = self._check.space
        if self._question.holds:
            return space.initial
        lost = [each.winning(self._form.root, _NO_BOUND) for each in self.layers]
        return space.initial & space.sure & space.diagrams.union(lost)

    def _states(self, layer: _LayerSets, bits: Mapping[str, bool]) -> States:
        parts = self._check.space.parts
        return tuple([parts[at].numbering.number(bits) for at in layer.parts])

    def _reach(self, layer: _LayerSets, states: States, node: int, bound: int) -> None:
        """A position is to be claimed: on one part, if that part alone knows it."""
        if len(layer.parts) > 1:
            for one in self._alone:
                mine = (states[one.parts[0]],)
                if one.wins(mine, node):
                    layer, states, bound = one, mine, _NO_BOUND
                    break
        position = (states, node)
        bound = layer.bound(states, node, bound)
        before = layer.reached.get(position)
        if before is None or bound < before:
            layer.reached[position] = bound
            self._pending.append((layer, position))

    def _move(
        self, layer: _LayerSets, states: States, node: int, bound: int
    ) -> StrategyMove | None:
        """The winner's move, if he chooses. What the claim rests on is reached."""
        op = self._form.ops[node]
        if op <= NEGATED:
            return None
        left = self._form.left[node]
        if op in {DIAMOND, BOX}:
            after = layer.below(node, left, bound)
            if op in self._choosing:
                return self._step(layer, states, node, after)
            self._all_steps(layer, states, node, after)
            return None
        children = (left,) if op >= MU else operands(self._form, node)
        if op not in self._choosing:
            for child in children:
                self._reach(layer, states, child, layer.below(node, child, bound))
            return None
        child = self._operand(layer, states, node, bound)
        self._reach(layer, states, child, layer.below(node, child, bound))
        return StrategyMove(states, child)

    def _operand(self, layer: _LayerSets, states: States, node: int, bound: int) -> int:
        """An operand that the winner wins. One without fixpoints, if he can choose."""
        bits, contains = layer.bits(states), self._check.space.diagrams.contains
        return next(
            child
            for child in sorted(operands(self._form, node))
            if contains(layer.winning(child, layer.below(node, child, bound)), bits)
        )

    def _step(self, layer: _LayerSets, states: States, node: int, after: int) -> StrategyMove:
        """A step that must be there, to a position that the winner wins."""
        space, child = self._check.space, self._form.left[node]
        here = space.diagrams.cube(layer.bits(states))
        goals = layer.winning(child, after) & layer.model.sure
        variables = [name for at in layer.parts for name in space.parts[at].variables]
        actions = actions_of(self._form, node)
        for moves in layer.model.moves:
            if moves.must is None or (actions is not None and moves.action not in actions):
                continue
            found = space.diagrams.some(moves.must.forward(here) & goals, dict.fromkeys(variables))
            if found is not None:
                targets = self._states(layer, found)
                self._reach(layer, targets, child, after)
                return StrategyMove(targets, child, moves.action or None)
        raise AssertionError("the winner has a step that wins")

    def _all_steps(self, layer: _LayerSets, states: States, node: int, after: int) -> None:
        """All steps that may be there lead to positions that the winner wins."""
        child = self._form.left[node]
        covers = _WonByOnePart(layer, self._alone, child)
        names = actions_of(self._form, node)
        for targets in self._steps.targets(layer.parts, states, names, covers):
            self._check.tick()
            self._reach(layer, targets, child, after)
        for one, mine in covers.met:
            self._reach(one, mine, child, _NO_BOUND)


class _WonByOnePart:
    """See `Cover`: positions that one part alone wins need not be combined with the others'."""

    def __init__(self, layer: _LayerSets, alone: list[_LayerSets], node: int) -> None:
        self._node = node
        self._alone = {each.parts[0]: each for each in alone} if len(layer.parts) > 1 else {}
        self._parts = layer.parts
        self.met: dict[tuple[_LayerSets, States], None] = {}

    def alone(self, last: int, state: int) -> bool:
        one = self._alone.get(self._parts[last])
        if one is None or not one.wins((state,), self._node):
            return False
        self.met[one, (state,)] = None
        return True

    def together(self, states: States) -> bool:
        return False
