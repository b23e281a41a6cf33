"""Does one composition refine another? The largest mixed simulation, [Shoham2010], definition 2.2.

A state `a` of the abstract composition *stands for* a state `c` of the concrete one if

    1  each label that is known in a has the same value in c.
    2  for each step c -> c' that may be there, a has one a -> a' that may, and a' stands for c';
    3  for each step a -> a' that must be there, c has one c -> c' that must, and a' stands for c'.
       A hyper-step leads to one of a set, and a must step to one of a set of one state. Then: for
       each set of a there is a set of c, such that some state of the first set stands for each
       state of the second.

The concrete composition refines the abstract one if each of its initial states has an abstract one
that stands for it, and each abstract one stands for a concrete one. The paper has one initial
state, and this is the same with a step to each. States that only may exist count for rule 2 and not
for rule 3, as steps to them do. Steps are matched by their actions.

Pairs are looked at from the initial ones on. Each rule that a pair has to keep is a *demand*: a set
of pairs of which one must be in the relation. When a pair leaves the relation, the demands that had
no other pair left make their own pairs leave. Where the concrete state answers by a hyper-step, the
answer is a *choice*: it stands between the pair and those that follow, and has a demand for each
state that the hyper-step can lead to. The order in which pairs leave is kept: a pair leaves
because of pairs that left before, so that their reasons are a game that the concrete one loses.

Cost: for each pair that is reached, the product of the steps of its two states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import CheckError
from pigro.model.mistakes import quoted
from pigro.model.part import UNKNOWN
from pigro.model.product import Product, StatePair
from pigro.verdict.simulation import Refuted, Simulation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.model.composition import Composition
    from pigro.model.product import States

_START = -1
"""The pair that has to keep the rule about initial states."""


class _HyperStepChoice(NamedTuple):
    """The concrete state of a pair answers by a hyper-step."""

    action: str
    concrete: tuple[States, ...]
    abstract: tuple[States, ...]
    """The set that it answers."""


class _DemandedPairs:
    """One of these pairs must be in the relation, or the pair that demands it is not."""

    __slots__ = ("alive", "answers", "pair", "why")

    def __init__(self, pair: int, why: Refuted, answers: list[int]) -> None:
        self.pair = pair
        self.why = why
        self.answers = answers
        self.alive = len(answers)


def simulate(
    abstract: Composition, concrete: Composition, tick: Callable[[], None] | None = None
) -> Simulation:
    """Whether the concrete composition refines the abstract one, and why.

    `CheckError` P413 if they are not about the same labels and actions. `tick` is called often, and
    may raise to stop.
    """
    require_comparable(abstract, concrete)
    search = _SimulationSearch(Product(abstract), Product(concrete), tick or _no_tick)
    search.explore()
    search.spread()
    return search.answer()


def _no_tick() -> None:
    pass


def require_comparable(abstract: Composition, concrete: Composition) -> None:
    """`CheckError` P413 if they are not about the same labels and actions."""
    for what, theirs, ours in (
        ("label", abstract.atoms, concrete.atoms),
        ("action", abstract.actions, concrete.actions),
    ):
        for name in sorted({*theirs} ^ {*ours}):
            who, other = ("abstract", "concrete") if name in theirs else ("concrete", "abstract")
            message = f"the {who} parts have the {what} {quoted(name)}, and the {other} ones do not"
            raise CheckError("P413", message, hint=f"give both the same {what}s")
    if abstract.has_actions != concrete.has_actions:
        raise CheckError("P413", "either both have parts with actions, or both have parts without")


class _SimulationSearch:
    """Pairs of states by number, and what they demand."""

    def __init__(self, abstract: Product, concrete: Product, tick: Callable[[], None]) -> None:
        self.abstract, self.concrete, self.tick = abstract, concrete, tick
        self.labels = abstract.composition.atoms
        self.numbers: dict[tuple[StatePair, _HyperStepChoice | None], int] = {}
        self.pairs: list[StatePair] = []
        self.choices: dict[int, _HyperStepChoice] = {}
        """Those of the pairs that are choices."""
        self.demands: list[_DemandedPairs] = []
        self.waiting: list[list[_DemandedPairs]] = []
        """Of each pair: the demands that it answers."""
        self.left: dict[int, Refuted] = {}
        """Why pairs are not in the relation, in the order in which they left."""

    def number(
        self, concrete: States, abstract: States, choice: _HyperStepChoice | None = None
    ) -> int:
        pair = StatePair(concrete, abstract)
        found = self.numbers.get((pair, choice))
        if found is None:
            found = self.numbers[pair, choice] = len(self.pairs)
            self.pairs.append(pair)
            self.waiting.append([])
            if choice is not None:
                self.choices[found] = choice
        return found

    def explore(self) -> None:
        """All pairs that the initial ones lead to, and all demands."""
        self._demand(_START, self._starts())
        at = 0
        while at < len(self.pairs):
            self.tick()
            pair = self.pairs[at]
            label = None if at in self.choices else self._differing(pair)
            if at in self.choices:
                self._demand(at, self._after(self.choices[at]))
            elif label is not None:
                self.left[at] = Refuted("label", label=label)
            else:
                self._demand(at, self._rules(pair))
            at += 1

    def _demand(self, pair: int, rules: Iterable[tuple[Refuted, list[int]]]) -> None:
        for why, answers in rules:
            demand = _DemandedPairs(pair, why, answers)
            self.demands.append(demand)
            for answer in answers:
                self.waiting[answer].append(demand)

    def _starts(self) -> Iterator[tuple[Refuted, list[int]]]:
        theirs, ours = list(self.abstract.initial), list(self.concrete.initial)
        for states, _ in ours:
            answers = [self.number(states, other) for other, _ in theirs]
            yield Refuted("concrete step", target=states), answers
        for states, is_sure in theirs:
            if is_sure:
                answers = [self.number(other, states) for other, sure in ours if sure]
                yield Refuted("abstract step", target=states), answers

    def _rules(self, pair: StatePair) -> Iterator[tuple[Refuted, list[int]]]:
        """Rules 2 and 3."""
        theirs, ours = self.abstract.moves(pair.abstract), self.concrete.moves(pair.concrete)
        for action, target, _ in ours:
            answers = [self.number(target, to) for by, to, _ in theirs if by == action]
            yield Refuted("concrete step", action=action, target=target), answers
        single = [(by, (to,)) for by, to, must in theirs if must]
        wide = self.concrete.hypers(pair.concrete)
        for action, targets in (*single, *self.abstract.hypers(pair.abstract)):
            answers = [
                self.number(to, target)
                for by, to, sure in ours
                if sure and by == action
                for target in targets
            ]
            answers += [
                self.number(*pair, _HyperStepChoice(action, goals, targets))
                for by, goals in wide
                if by == action
            ]
            first, *others = targets
            why = Refuted("abstract step", action=action, target=first, others=tuple(others))
            yield why, answers

    def _after(self, choice: _HyperStepChoice) -> Iterator[tuple[Refuted, list[int]]]:
        """Wherever the hyper-step leads, one of the abstract states must stand for it."""
        for goal in choice.concrete:
            answers = [self.number(goal, target) for target in choice.abstract]
            yield Refuted("concrete choice", action=choice.action, target=goal), answers

    def _differing(self, pair: StatePair) -> str | None:
        """A label that breaks rule 1."""
        for label in self.labels:
            known = self.abstract.value(pair.abstract, label)
            if known != UNKNOWN and known != self.concrete.value(pair.concrete, label):
                return label
        return None

    def spread(self) -> None:
        """Pairs leave until all demands of those that stay are kept."""
        for demand in self.demands:
            if not demand.alive:
                self._leave(demand)
        queue = [pair for pair in self.left if pair != _START]
        for pair in queue:  # it grows
            self.tick()
            for demand in self.waiting[pair]:
                demand.alive -= 1
                if not demand.alive and self._leave(demand):
                    queue.append(demand.pair)

    def _leave(self, demand: _DemandedPairs) -> bool:
        """Takes the demand's pair out, unless it is. At the start, only the first reason counts."""
        if demand.pair in self.left:
            return False
        self.left[demand.pair] = demand.why._replace(answers=tuple(demand.answers))
        return demand.pair != _START

    def answer(self) -> Simulation:
        if _START not in self.left:
            gone = {*self.left, *self.choices}
            related = [pair for at, pair in enumerate(self.pairs) if at not in gone]
            return Simulation(holds=True, relation=tuple(related), pairs=len(self.pairs))
        return Simulation(holds=False, game=self._game(), pairs=len(self.pairs))

    def _game(self) -> tuple[tuple[StatePair | None, Refuted], ...]:
        """The positions that the first one needs, each before those that it leads to."""
        order = [_START]
        place = {_START: 0}
        for at in order:  # it grows
            for answer in self.left[at].answers:
                if answer not in place:
                    place[answer] = len(order)
                    order.append(answer)
        return tuple(
            (None if at == _START else self.pairs[at], self._shown(at, place)) for at in order
        )

    def _shown(self, at: int, place: dict[int, int]) -> Refuted:
        why = self.left[at]
        if why.label is None:
            return why._replace(answers=tuple([place[each] for each in why.answers]))
        pair = self.pairs[at]
        values = (
            self.concrete.value(pair.concrete, why.label),
            self.abstract.value(pair.abstract, why.label),
        )
        return why._replace(values=values)
