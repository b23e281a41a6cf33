"""Whether parts refine others, as a document tells it, judged by the definition [Shoham2010].

`engines/simulation.py` has the three rules. Nothing is searched for here:

1. A relation must keep the rules in each of its pairs, and at the start.
2. A game must refute each of its positions: by a label that differs, or by a step that is there and
   all whose answers are positions of the game. No position may rest on itself.
3. A position of kind `concrete choice` refutes no pair, but one hyper-step of the concrete state as
   an answer to an abstract step. So only the position about this abstract step may rest on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import numbered_states, require
from pigro.model.part import UNKNOWN
from pigro.model.product import Product, StatePair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.refinement.data import PairData, PositionData, RefinementData
    from pigro.model.composition import Composition
    from pigro.model.product import Move, States

_Set = tuple[str, frozenset["States"]]
"""An action, and states of which there must be a step to one."""
_VALUES = ("false", "true", "unknown")


def replay_refinement(abstract: Composition, concrete: Composition, told: RefinementData) -> None:
    """`WrongEvidence` unless a relation or a game shows what a document says."""
    if told.refines:
        require(not told.game, "a game stands beside a relation")
        _Relation(abstract, concrete, told.relation).check()
    else:
        require(not told.relation, "a relation stands beside a game")
        _Game(abstract, concrete, told.game).check()


class _Sides:
    """Both compositions, and the steps from a pair: at the start, those to initial states."""

    def __init__(self, abstract: Composition, concrete: Composition) -> None:
        self.abstract, self.concrete = Product(abstract), Product(concrete)

    def pair(self, told: PairData) -> StatePair:
        return StatePair(
            numbered_states(self.concrete.parts, told.concrete),
            numbered_states(self.abstract.parts, told.abstract),
        )

    def may(self, pair: StatePair | None) -> list[tuple[str, States, set[StatePair]]]:
        """Each step of the concrete side, and all pairs that an answer to it leads to."""
        ours, theirs = (_moves(side, at) for side, at in self._both(pair))
        return [
            (action, to, {StatePair(to, other) for by, other, _ in theirs if by == action})
            for action, to, _ in ours
        ]

    def must(self, pair: StatePair | None) -> tuple[list[_Set], list[_Set]]:
        """The sets that each side must step to, the concrete one first."""
        ours, theirs = (_must_sets(side, at) for side, at in self._both(pair))
        return ours, theirs

    def _both(self, pair: StatePair | None) -> tuple[tuple[Product, States | None], ...]:
        if pair is None:
            return (self.concrete, None), (self.abstract, None)
        return (self.concrete, pair.concrete), (self.abstract, pair.abstract)

    def differs(self, pair: StatePair, label: str) -> bool:
        known = self.abstract.value(pair.abstract, label)
        return known not in (UNKNOWN, self.concrete.value(pair.concrete, label))


def _moves(side: Product, states: States | None) -> list[Move]:
    if states is None:
        return [("", each, sure) for each, sure in side.initial]
    return side.moves(states)


def _must_sets(side: Product, states: States | None) -> list[_Set]:
    single = [(action, frozenset({to})) for action, to, must in _moves(side, states) if must]
    wide = [] if states is None else side.hypers(states)
    return [*single, *((action, frozenset(targets)) for action, targets in wide)]


class _Relation(_Sides):
    def __init__(
        self, abstract: Composition, concrete: Composition, told: Sequence[PairData]
    ) -> None:
        super().__init__(abstract, concrete)
        self.pairs = {self.pair(each) for each in told}

    def check(self) -> None:
        for pair in (None, *self.pairs):
            for label in self.abstract.composition.atoms if pair is not None else ():
                assert pair is not None, "the start has no labels"
                require(
                    not self.differs(pair, label), "a label differs in two states of the relation"
                )
            answered = all(answers & self.pairs for _, _, answers in self.may(pair))
            require(answered, "a step has no answer in the relation")
            ours, theirs = self.must(pair)
            for action, goals in theirs:
                found = any(by == action and self._match(own, goals) for by, own in ours)
                require(found, "a step has no answer in the relation")

    def _match(self, own: frozenset[States], goals: frozenset[States]) -> bool:
        """Whether one of the goals stands for each of the own states."""
        return all(any(StatePair(each, goal) in self.pairs for goal in goals) for each in own)


class _Game(_Sides):
    def __init__(
        self, abstract: Composition, concrete: Composition, told: Sequence[PositionData]
    ) -> None:
        super().__init__(abstract, concrete)
        self.told = told
        self.pairs = [None if each.pair is None else self.pair(each.pair) for each in told]
        self.choices = {at for at, each in enumerate(told) if each.kind == "concrete choice"}
        self.used: set[int] = set()
        """The choices that were checked with their abstract steps."""

    def check(self) -> None:
        require(self.pairs and self.pairs[0] is None, "a game does not begin at the start")
        rules = {
            "label": self._label,
            "concrete step": self._concrete_step,
            "abstract step": self._abstract_step,
        }
        for at, each in enumerate(self.told):
            require(at == 0 or self.pairs[at] is not None, "a game has two starts")
            require(all(0 <= to < len(self.told) for to in each.answers), "an answer is not there")
            require(
                each.kind == "abstract step" or not each.others, "a step leads to one state only"
            )
        for pair, each in zip(self.pairs, self.told, strict=True):
            if each.kind != "concrete choice":
                rules[each.kind](pair, each)
        require(self.used == self.choices, "a choice is no answer to a step")
        self._well_founded()

    def _label(self, pair: StatePair | None, told: PositionData) -> None:
        require(pair is not None and not told.answers, "a label needs two states, and no answer")
        assert pair is not None, "it was looked at"
        known = told.label in self.abstract.composition.atoms and told.target is None
        require(known and told.action is None, "a position is about no label")
        assert told.label is not None, "it is one of the labels"
        require(self.differs(pair, told.label), "a label does not differ")
        values = (
            _VALUES[self.concrete.value(pair.concrete, told.label)],
            _VALUES[self.abstract.value(pair.abstract, told.label)],
        )
        same = values == (told.concrete_value, told.abstract_value)
        require(same, "a label has other values")

    def _concrete_step(self, pair: StatePair | None, told: PositionData) -> None:
        (goal,) = self._goals(self.concrete, told)
        found = [
            answers
            for action, to, answers in self.may(pair)
            if (action, to) == (_action(told), goal)
        ]
        require(found, "a position is about a step that is not there")
        require(self._refuted(told.answers) == found[0], "the answers to a step are others")

    def _abstract_step(self, pair: StatePair | None, told: PositionData) -> None:
        """Answers are steps to one state, and choices."""
        action, goals = _action(told), frozenset(self._goals(self.abstract, told))
        ours, theirs = self.must(pair)
        require((action, goals) in theirs, "a position is about a step that is not there")
        own = [targets for by, targets in ours if by == action]
        choices = [to for to in told.answers if to in self.choices]
        single = {
            StatePair(one, goal) for each in own if len(each) == 1 for one in each for goal in goals
        }
        right = self._refuted([to for to in told.answers if to not in self.choices]) == single
        require(right, "the answers to a step are others")
        met = {self._refutes(to, pair, action, goals) for to in choices}
        for each in own:
            require(
                len(each) == 1 or not met.isdisjoint(each),
                "a hyper-step that answers a step is not refuted",
            )

    def _refutes(
        self, at: int, pair: StatePair | None, action: str, goals: frozenset[States]
    ) -> States:
        """The state that makes a choice wrong as an answer to an abstract step to the goals."""
        self.used.add(at)
        told = self.told[at]
        (to,) = self._goals(self.concrete, told)
        same = self.pairs[at] == pair and _action(told) == action
        require(same, "a choice is about another step than the position before it")
        right = self._refuted(told.answers) == {StatePair(to, goal) for goal in goals}
        require(right, "the answers to a choice are others")
        return to

    def _refuted(self, answers: Sequence[int]) -> set[StatePair | None]:
        """The pairs that positions refute."""
        require(
            self.choices.isdisjoint(answers), "a position rests on a choice that is no answer to it"
        )
        return {self.pairs[to] for to in answers}

    def _goals(self, side: Product, told: PositionData) -> list[States]:
        """Where the step of a position leads."""
        require(told.target is not None and told.label is None, "a position is about no step")
        assert told.target is not None, "it was looked at"
        require(
            told.concrete_value is told.abstract_value is None, "a step has the value of a label"
        )
        goals = [numbered_states(side.parts, each) for each in (told.target, *told.others)]
        require(len({*goals}) == len(goals), "a step leads to a state twice")
        return goals

    def _well_founded(self) -> None:
        """Takes away positions whose answers are all gone, until none is left."""
        waiting = [set(each.answers) for each in self.told]
        asking: list[list[int]] = [[] for _ in self.told]
        for at, answers in enumerate(waiting):
            for to in answers:
                asking[to].append(at)
        gone = [at for at, answers in enumerate(waiting) if not answers]
        for at in gone:  # grows while we walk
            for before in asking[at]:
                waiting[before].discard(at)
                if not waiting[before]:
                    gone.append(before)
        require(len(gone) == len(self.told), "a position of the game rests on itself")


def _action(told: PositionData) -> str:
    return told.action or ""
