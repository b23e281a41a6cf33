"""Does a formula of LTL or CTL* hold in a composition, for every way to finish its parts?

A composition of concrete parts is one system. The search of `onthefly` decides it, and composed
states are made when the search asks for them (`model/product.py`).

Parts that are not finished stand for many systems: each unknown label is true or false, and each
step that only may be there is there or not. Of a hyper-step, one of its steps at least is there. So
the last one is no open point if the others are not there. The question is decided for all of them:

    holds     for every way to finish the parts
    fails     for every way
    depends   some way satisfies the formula and another one does not

The search is run for one way at a time, and only what it asks about is decided. Its verdict is then
that of all ways that have the same in these points. The last point that was not turned yet is
turned, and so on, until all ways are covered or two verdicts differ. So the answer is exact: there
is no fourth case, as there is for the mu-calculus, which is decided operator by operator.

A way to finish the parts in which they can't start together satisfies every formula.

Cost: a search for each set of points that is asked about, which can be two to the number of points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.onthefly.counterexample import run_of
from pigro.engines.onthefly.search import ProofSearch
from pigro.engines.onthefly.system import ExploredSystem
from pigro.evidence.completion.ways import Completion, OpenChoice
from pigro.logic.positive import positive_form
from pigro.model.part import UNKNOWN
from pigro.model.product import Product

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pigro.evidence.completion.ways import ComposedRun
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.product import States


class CompletionCheck:
    """A formula on a composition, and what it took to decide it."""

    def __init__(
        self,
        composition: Composition,
        formula: Formula,
        dead_ends: str,
        poll: Callable[[], None],
    ) -> None:
        self.product = Product(composition)
        self.formula = formula
        self.form = positive_form(formula)
        self.dead_ends = dead_ends
        self.poll = poll
        self.states = 0
        """States that were looked at, in all searches."""
        self.assertions = 0
        self.ways = 0
        """How many searches there were."""

    def answers(self) -> tuple[Completion, ...]:
        """One way to finish the parts if all have the same verdict. Two if they differ."""
        first = self._decide(_OpenPoints({}, default=True))
        if first.points:
            for each in self._others(first):
                if each.holds is not first.holds:
                    return self._shown(first), self._shown(each)
        return (self._shown(first),)

    def decide(self, points: Mapping[OpenChoice, bool]) -> Completion:
        """The verdict of a way in which these points are given."""
        return self._decide(_OpenPoints(dict(points), default=True))

    def way(self, points: Mapping[OpenChoice, bool]) -> PartialCompletion:
        """The way in which these points are given."""
        return PartialCompletion(self, points)

    def _others(self, first: Completion) -> Iterator[Completion]:
        """All ways but the first, as far as they differ in points that are asked about."""
        yield self._decide(
            _OpenPoints({}, default=False)
        )  # one that is far from it may differ soon
        way = [(point, value, False) for point, value in first.points]
        while way:
            point, value, is_turned = way.pop()
            if is_turned:
                continue
            way.append((point, not value, True))
            found = self._decide(_OpenPoints({each: sign for each, sign, _ in way}, default=True))
            yield found
            way += [(new, sign, False) for new, sign in found.points[len(way) :]]

    def _decide(self, points: _OpenPoints, *, shows: bool = False) -> Completion:
        """The verdict of one way."""
        self.ways += 1
        run = None
        holds = True
        for states in self.product.composition.initial:
            self.poll()
            if points.exists(self.product, states):
                holds, run = self._search(points, states, shows=shows)
                if not holds:
                    break
        return Completion(holds, tuple(points.asked.items()), run)

    def _shown(self, found: Completion) -> Completion:
        """The same with a run that shows it, where one is enough."""
        before = (self.ways, self.states, self.assertions)
        shown = self._decide(_OpenPoints(dict(found.points), default=True), shows=True)
        self.ways, self.states, self.assertions = before
        return shown

    def _search(
        self, points: _OpenPoints, states: States, *, shows: bool
    ) -> tuple[bool, ComposedRun[States] | None]:
        system = _CompletedSystem(self.product, points, states, self.form.atoms, self.dead_ends)
        explored = ExploredSystem(system)
        search = ProofSearch(explored, self.form, self.poll)
        holds = search.holds(self.form.root)
        run = run_of(search, explored, self.formula, holds=holds) if shows else None
        self.states += explored.asked
        self.assertions += search.assertions
        return holds, run


class PartialCompletion:
    """A way to finish the parts, as far as its points are given. None: that depends on others."""

    def __init__(self, question: CompletionCheck, points: Mapping[OpenChoice, bool]) -> None:
        self._question, self._product = question, question.product
        self._given = points
        self._asked = _OpenPoints(dict(points), default=True)
        self._explored: ExploredSystem[States] | None = None
        self._search: ProofSearch | None = None

    def exists(self, states: States) -> bool | None:
        """Whether states agree on all joint labels."""
        if self._product.composition.is_sure(states):
            return True
        found: list[bool | None] = []
        for label, seen in self._product.doubtful(states):
            values = {self._label(at, states[at], label, column) for at, column in seen}
            found.append(None if None in values else len(values) == 1)
        return _all(found)

    def label(self, states: States, name: str) -> bool | None:
        """Whether a composed state has a label."""
        if self._product.value(states, name) != UNKNOWN:
            return bool(self._product.value(states, name))
        at, column = self._product.seers(name)[0]
        return self._label(at, states[at], name, column)

    def steps(self, states: States) -> dict[States, bool | None]:
        """The states that may come next, and whether they do."""
        found: dict[States, bool | None] = {}
        for action, target, movers in self._product.candidates(states):
            parts = [self._step(at, states[at], action, target[at]) for at in movers]
            here, before = _all([*parts, self.exists(target)]), found.get(target, False)
            found[target] = not_none if (not_none := here or before) else _all([here, before])
        return found

    def value(self, node: int, states: States) -> bool | None:
        """The truth of a state formula, by its number in the formula."""
        question = self._question
        if self._search is None or self._explored is None:
            atoms, dead_ends = question.form.atoms, question.dead_ends
            system = _CompletedSystem(self._product, self._asked, states, atoms, dead_ends)
            self._explored = ExploredSystem(system)
            self._search = ProofSearch(self._explored, question.form, question.poll)
        found = self._search.value(question.form.states[node], self._explored.number(states))
        return found if self._asked.asked.keys() <= self._given.keys() else None

    def _label(self, at: int, state: int, label: str, column: int) -> bool | None:
        value = self._product.parts[at].value(state, column)
        return (
            self._given.get(OpenChoice(at, state, label=label)) if value == UNKNOWN else bool(value)
        )

    def _step(self, at: int, state: int, action: str, target: int) -> bool | None:
        if self._product.must(at, state, action, target):
            return True
        return self._given.get(OpenChoice(at, state, action=action, target=target))


def _all(values: Sequence[bool | None]) -> bool | None:
    return False if False in values else None if None in values else True


class _OpenPoints:
    """Unknown labels and steps of the parts, each decided when the search asks for it."""

    def __init__(self, given: dict[OpenChoice, bool], *, default: bool) -> None:
        self._given, self._default = given, default
        self.asked: dict[OpenChoice, bool] = {}
        """In the order in which they were asked about. Those that are given come first."""

    def ask(self, point: OpenChoice) -> bool:
        if point not in self.asked:
            self.asked[point] = self._given.get(point, self._default)
        return self.asked[point]

    def label(self, product: Product, at: int, state: int, label: str, column: int) -> bool:
        """A label in a state of a part."""
        value = product.parts[at].value(state, column)
        return self.ask(OpenChoice(at, state, label=label)) if value == UNKNOWN else bool(value)

    def exists(self, product: Product, states: States) -> bool:
        """Whether states agree on all joint labels. Needs: they can."""
        if product.composition.is_sure(states):
            return True
        return all(
            len({self.label(product, at, states[at], label, column) for at, column in seen}) == 1
            for label, seen in product.doubtful(states)
        )

    def has_step(
        self, product: Product, states: States, action: str, target: States, movers: Sequence[int]
    ) -> bool:
        """Whether all parts that move can make their steps."""
        return all(
            product.must(at, states[at], action, target[at])
            or self._is_last(product, at, states[at], action, target[at])
            or self.ask(OpenChoice(at, states[at], action=action, target=target[at]))
            for at in movers
        )

    def _is_last(self, product: Product, at: int, state: int, action: str, target: int) -> bool:
        """Whether a step belongs to a hyper-step, and no other step of it is there."""
        return any(
            all(
                self.asked.get(OpenChoice(at, state, action=action, target=to)) is False
                for to in others
            )
            for others in product.alternatives(at, state, action, target)
        )


class _CompletedSystem:
    """One way to finish the parts, as `onthefly` takes systems."""

    def __init__(
        self,
        product: Product,
        points: _OpenPoints,
        initial: States,
        atoms: Sequence[str],
        dead_ends: str,
    ) -> None:
        self._product, self._points, self._atoms = product, points, atoms
        self.initial = initial
        self.dead_ends = dead_ends

    def successors(self, states: States) -> Iterator[States]:
        product, points = self._product, self._points
        for action, target, movers in product.candidates(states):
            if points.has_step(product, states, action, target, movers) and points.exists(
                product, target
            ):
                yield target

    def labels(self, states: States) -> list[str]:
        product, points = self._product, self._points
        found = []
        for label in self._atoms:
            value = product.value(states, label)
            if value == UNKNOWN:
                at, column = product.seers(label)[0]
                value = points.label(product, at, states[at], label, column)
            if value:
                found.append(label)
        return found
