"""Whether parts refine others, as a document tells it, judged by the definition [Shoham2010].

`engines/simulation.py` has the three rules. Nothing is searched for here:

1. A relation must keep the rules in each of its pairs, and at the start.
2. A game must refute each of its positions: by a label that differs, or by a step that is there and
   all whose answers are positions of the game. No position may rest on itself.

Parts with hyper-steps have more rules, which are not judged here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.certificates import Mismatch
from pigro.engines.simulation import require_comparable
from pigro.evidence.data import WrongEvidence, converted, need
from pigro.model.part import UNKNOWN
from pigro.model.product import Product
from pigro.session.findings import Finding, wrong
from pigro.session.judging.refinement_data import RefinementData
from pigro.verdict.simulation import Pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model.composition import Composition
    from pigro.model.product import Move, States
    from pigro.session.judging.refinement_data import PairData, PositionData

_VALUES = ("false", "true", "unknown")


def judge_refinement(
    abstract: Composition, concrete: Composition, whole: dict[str, object]
) -> Finding:
    """What became of a document."""
    told = converted(whole, RefinementData)
    for side, names in ((abstract, told.abstract_parts), (concrete, told.concrete_parts)):
        if [part.name for part in side.parts] != names:
            raise Mismatch("the document is about other parts")
    require_comparable(abstract, concrete)
    about = "refines" if told.refines else "does not refine"
    about = f"{about}  {', '.join(told.abstract_parts)}"
    if any(part.hyper for side in (abstract, concrete) for part in side.parts):
        return Finding("not judged", f"{about}: parts have hyper-steps", counts_against=True)
    try:
        if told.refines:
            need(not told.game, "a game stands beside a relation")
            _Relation(abstract, concrete, told.relation).check()
        else:
            need(not told.relation, "a relation stands beside a game")
            _Game(abstract, concrete, told.game).check()
    except WrongEvidence as error:
        return wrong(about, str(error))
    return Finding("right", about)


class _Sides:
    """Both compositions, and the steps from a pair: at the start, those to initial states."""

    def __init__(self, abstract: Composition, concrete: Composition) -> None:
        self.abstract, self.concrete = Product(abstract), Product(concrete)

    def pair(self, told: PairData) -> Pair:
        return Pair(_states(self.concrete, told.concrete), _states(self.abstract, told.abstract))

    def moves(self, pair: Pair | None) -> tuple[list[Move], list[Move]]:
        """Of the concrete side, and of the abstract side."""
        if pair is None:
            ours, theirs = (
                [("", states, sure) for states, sure in side.initial]
                for side in (self.concrete, self.abstract)
            )
            return ours, theirs
        return self.concrete.moves(pair.concrete), self.abstract.moves(pair.abstract)

    def answers(self, pair: Pair | None, *, abstract: bool) -> list[tuple[str, States, set[Pair]]]:
        """Each step that must be answered, and all pairs that an answer to it leads to."""
        ours, theirs = self.moves(pair)
        if abstract:
            return [
                (action, to, {Pair(other, to) for by, other, sure in ours if sure and by == action})
                for action, to, must in theirs
                if must
            ]
        return [
            (action, to, {Pair(to, other) for by, other, _ in theirs if by == action})
            for action, to, _ in ours
        ]

    def differs(self, pair: Pair, label: str) -> bool:
        known = self.abstract.value(pair.abstract, label)
        return known not in (UNKNOWN, self.concrete.value(pair.concrete, label))


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
                need(not self.differs(pair, label), "a label differs in two states of the relation")
            for is_abstract in (False, True):
                for _, _, answers in self.answers(pair, abstract=is_abstract):
                    need(answers & self.pairs, "a step has no answer in the relation")


class _Game(_Sides):
    def __init__(
        self, abstract: Composition, concrete: Composition, told: Sequence[PositionData]
    ) -> None:
        super().__init__(abstract, concrete)
        self.told = told
        self.pairs = [None if each.pair is None else self.pair(each.pair) for each in told]

    def check(self) -> None:
        need(self.pairs and self.pairs[0] is None, "a game does not begin at the start")
        for at, each in enumerate(self.told):
            need(at == 0 or self.pairs[at] is not None, "a game has two starts")
            need(all(0 <= to < len(self.told) for to in each.answers), "an answer is not there")
            if each.kind == "label":
                self._label(self.pairs[at], each)
            else:
                self._step(self.pairs[at], each)
        self._well_founded()

    def _label(self, pair: Pair | None, told: PositionData) -> None:
        need(pair is not None and not told.answers, "a label needs two states, and no answer")
        assert pair is not None, "it was looked at"
        known = told.label in self.abstract.composition.atoms and told.target is None
        need(known and told.action is None, "a position is about no label")
        assert told.label is not None, "it is one of the labels"
        need(self.differs(pair, told.label), "a label does not differ")
        values = (
            _VALUES[self.concrete.value(pair.concrete, told.label)],
            _VALUES[self.abstract.value(pair.abstract, told.label)],
        )
        same = values == (told.concrete_value, told.abstract_value)
        need(same, "a label has other values")

    def _step(self, pair: Pair | None, told: PositionData) -> None:
        is_abstract = told.kind == "abstract step"
        side = self.abstract if is_abstract else self.concrete
        need(told.target is not None and told.label is None, "a position is about no step")
        assert told.target is not None, "it was looked at"
        need(told.concrete_value is told.abstract_value is None, "a step has the value of a label")
        step = (told.action or "", _states(side, told.target))
        found = [
            answers
            for action, to, answers in self.answers(pair, abstract=is_abstract)
            if (action, to) == step
        ]
        need(found, "a position is about a step that is not there")
        refuted = {self.pairs[to] for to in told.answers}
        need(found[0] == refuted, "the answers to a step are others")

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
        need(len(gone) == len(self.told), "a position of the game rests on itself")


def _states(side: Product, names: Sequence[str]) -> States:
    need(len(names) == len(side.parts), "a state has other parts")
    found = []
    for part, name in zip(side.parts, names, strict=True):
        need(name in part.states, "a state is not there")
        found.append(part.states.index(name))
    return tuple(found)
