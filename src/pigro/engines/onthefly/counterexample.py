"""A run that shows why `A f` fails in a state: the way to where its proof failed.

When a proof fails, all assertions on its stack are false, and the last one on its path says why:
its set is empty, so that every run that comes here violates f, or a run ends here, with promises
that were not kept, or the last edge closes a component that is not successful ([Bhat1995], Lemma
A.5): in it there is a cycle on which each release formula is somewhere not valid, and the run goes
round it forever. The ways there and around have the fewest steps through assertions on the stack,
from one point to the next. Through others there may be shorter ones.

Only Bhat7 makes a step, so a run has one state for each of them.

Cost: two breadth-first searches through the stack, and for the cycle as many through the component
as there are release formulas. If the proof failed by assertions known before, it is searched for
once more, for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from pigro.engines.onthefly.search import OPTIMISTIC, PESSIMISTIC
from pigro.evidence.booleans import WRITTEN, BooleanOperators
from pigro.evidence.completion.ways import ComposedRun
from pigro.evidence.run.lasso import shortest
from pigro.evidence.run.runs import LABELS, is_some
from pigro.logic.fragments import state_formulas
from pigro.logic.positive import ALL, AND, NOT, OR

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from pigro.engines.onthefly.search import AssertionProof, Goal, ProofSearch, StackAssertion
    from pigro.engines.onthefly.system import ExploredSystem
    from pigro.logic import Formula

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """States by number. After the last one comes the one at `start` again."""

    states: tuple[int, ...]
    start: int | None
    """None if there is no loop."""
    reason: str
    """`loop`. `here`: however it goes on, the run is a counterexample. `stop`: it ends here."""


def counterexample(
    search: ProofSearch, node: int, state: int = 0, reading: int = OPTIMISTIC
) -> Counterexample:
    """A run from a state that violates f, for a node `A f` that is false there."""
    proof = search.failed_proof(node, state, reading)
    ways = _AssertionGraph(proof)
    first, last = proof.path[0], proof.path[-1]
    if proof.back_to is None:
        run = [first, *ways.shortest(first, lambda each: each is last)]
        return Counterexample(tuple(_states(run)), None, "stop" if last.rule.steps else "here")
    component = ways.component(last)
    run = [first, *ways.shortest(first, lambda each: each.goal in component)]
    cycle = [run[-1], *_round_trip(ways, run[-1], component)]
    beginning, loop = _states(run), _states(cycle)
    return _lasso(beginning[:-1], loop[:-1])


def _round_trip(
    ways: _AssertionGraph, home: StackAssertion, component: Container[Goal]
) -> list[StackAssertion]:
    """A way from an assertion back to it, on which no release formula is valid all the time."""
    way: list[StackAssertion] = []
    at = home
    valid = set(home.rule.releases)
    while valid:
        way += ways.onward(at, lambda each: not valid.issubset(each.rule.releases), component)
        at = way[-1]
        valid.intersection_update(at.rule.releases)
    return way + ways.onward(at, lambda each: each is home, component)


class _AssertionGraph:
    """The graph of the assertions on the stack of a proof that failed."""

    def __init__(self, proof: AssertionProof) -> None:
        self._poll = proof.search.poll
        self._explored = proof.search.explored
        self._assertions = {each.goal: each for each in proof.stack}

    def edges(self, at: StackAssertion) -> Iterator[StackAssertion]:
        """The subgoals of an assertion, as far as they are on the stack."""
        rule, state = at.rule, at.goal[0]
        goals = [(state, each) for each in rule.subgoals]
        if rule.steps:
            goals = [(each, rule.subgoals[0]) for each in self._explored.row(state)]
        for goal in goals:
            if goal in self._assertions:
                yield self._assertions[goal]

    def shortest(
        self, start: StackAssertion, wanted: Callable[[StackAssertion], bool]
    ) -> list[StackAssertion]:
        """What comes after `start` on the way to the first assertion that is wanted."""
        return [] if wanted(start) else self.onward(start, wanted, self._assertions)

    def onward(
        self,
        start: StackAssertion,
        wanted: Callable[[StackAssertion], bool],
        inside: Container[Goal],
    ) -> list[StackAssertion]:
        """The same, with at least one edge. Steps count, other rules do not."""
        came_from: dict[Goal, StackAssertion] = {}
        queue = deque((each, start) for each in self.edges(start))
        while True:  # one that is wanted can be reached
            self._poll()
            at, before = queue.popleft()
            if at.goal in came_from or at.goal not in inside:
                continue
            came_from[at.goal] = before
            if wanted(at):
                return _back(came_from, start, at)
            put = queue.append if at.rule.steps else queue.appendleft
            for each in self.edges(at):
                put((each, at))

    def component(self, member: StackAssertion) -> set[Goal]:
        """The strongly connected component of an assertion."""
        before: dict[Goal, list[StackAssertion]] = {}
        found = {member.goal}
        todo = [member]
        for at in todo:  # grows while we walk
            self._poll()
            for each in self.edges(at):
                before.setdefault(each.goal, []).append(at)
                if each.goal not in found:
                    found.add(each.goal)
                    todo.append(each)
        found = {member.goal}
        todo = [member]
        for at in todo:  # and now backwards
            self._poll()
            for each in before.get(at.goal, ()):
                if each.goal not in found:
                    found.add(each.goal)
                    todo.append(each)
        return found


def _back(
    came_from: dict[Goal, StackAssertion], start: StackAssertion, end: StackAssertion
) -> list[StackAssertion]:
    way = [end]
    while (before := came_from[way[-1].goal]) is not start:
        way.append(before)
    return way[::-1]


def _states(way: Sequence[StackAssertion]) -> list[int]:
    """The states of a way, one for its beginning and one for each step."""
    steps = [after.goal[0] for before, after in pairwise(way) if before.rule.steps]
    return [way[0].goal[0], *steps]


def _lasso(beginning: list[int], loop: list[int]) -> Counterexample:
    start, length = shortest(beginning, loop)
    return Counterexample((*beginning, *loop)[: start + length], start, "loop")


def run_of(
    search: ProofSearch, explored: ExploredSystem[S], formula: Formula, *, holds: bool
) -> ComposedRun[S] | None:
    """A run from the initial state that shows the verdict, if one is enough."""
    found = _deciding(search, holds=holds)
    if found is None:
        return (
            ComposedRun((explored.states[0],), "here") if _seen_at_once(search, formula) else None
        )
    shown = counterexample(search, *found)
    states = tuple(explored.states[each] for each in shown.states)
    if shown.reason != "here" and shown.states[-1] in explored.stuck:
        return ComposedRun(states, "stays")
    return ComposedRun(states, shown.reason, shown.start)


def _deciding(search: ProofSearch, *, holds: bool) -> tuple[int, int, int] | None:
    """The A that fails in the initial state and decides the formula, if there is one.

    Returns it with the state and the reading. In a system that is cut off, a formula is true for
    sure if the pessimistic reading says so. A negation turns both around.
    """
    ops, left, right = search.form.ops, search.form.left, search.form.right
    node = search.form.root
    reading = PESSIMISTIC if holds and search.met_cut else OPTIMISTIC
    while ops[node] != ALL:
        if ops[node] == NOT:
            node, holds, reading = left[node], not holds, search.turned(reading)
        elif ops[node] not in {AND, OR}:
            return None
        elif holds == (ops[node] == OR):
            first = search.holds(left[node], 0, reading) == holds
            node = left[node] if first else right[node]
        else:  # both sides count. One may be plain to see
            sides = [each for each in (left[node], right[node]) if search.rules.is_costly[each]]
            if len(sides) != 1:
                return None
            node = sides[0]
    return None if holds else (node, 0, reading)


def _seen_at_once(search: ProofSearch, formula: Formula) -> bool:
    """Whether the first state of a run shows the verdict: an A that fails, or an E that holds,
    says no more than a state formula without quantifiers (`E [p R p]` is `p`).
    """
    booleans, states = BooleanOperators(formula, WRITTEN), search.form.states
    root = len(formula) - 1

    def leaf(node: int) -> bool | None:
        return None if search.rules.is_costly[states[node]] else search.value(states[node])

    if not state_formulas(formula)[root]:
        return leaf(root) is False
    known = booleans.values(root, leaf)
    if known[root] is None:
        return False
    deciding = booleans.deciding(root, known)
    runs = [node for node in deciding if formula.ops[node] not in LABELS]
    return any(known[node] is is_some(formula, node) for node in runs)
