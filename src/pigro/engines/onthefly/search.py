"""Does a state satisfy a state formula? Searched for a proof, one assertion after the other.

[Bhat1995], figures 2 to 4. `AssertionProof` is `modchkLTL`: it builds the graph of assertions that
the rules make of `s |- A Phi` depth first, and finds its strongly connected components on the way
[Tarjan1972]. The assertion holds if every leaf is true and every component that has a cycle is
*successful*: some f R g is alive in all of it while g never comes up, so that runs in it satisfy f
R g. `ProofSearch` is `modchkCTL*`: it decides booleans lazily from left to right, and begins a
proof at each A.

    paper                       here
    V, F                        ProofSearch.visited: the truth of assertions. While an assertion is
                                on a stack, its record
    sigma.dfsn, low, valid      StackAssertion
    stack, inStack              AssertionProof.stack, a record in `visited`
    the recursion of dfs        AssertionProof.path
    init                        AssertionProof._enter
    subgoals                    AssertionProof._subgoal, by rules.py
    modchkCTL*, update          ProofSearch.holds

Deviations:
 - Correction: after the search of a subgoal, figure 3 takes over its valid set if `sigma'.low <=
   sigma.dfsn`. That is not the same as being in one component: a cross edge can leave a low number
   between the two, and then a component counts as successful that is not. Here it is taken over
   if the subgoal is still on the stack. tests/unit/engines/onthefly/test_proof.py has a case.
 - When an assertion is false, all on the stack are: figure 3 finds that out one by one.
 - Recursion is a list of work, for states and for quantifiers.

Invariants:
 SE1  f R g is in the valid set of an assertion on the path, with starting point n, if and only if
      it is valid on the path from number n on and in all that hangs on it in the same component.
 SE2  A proof never meets assertions of a proof that waits for it: their sets hold formulas in which
     the quantifier that it decides is nested.

Systems that are cut off are read in two ways: where the successors of a state are not known, what
is asked of them is taken to hold (OPTIMISTIC) or to fail (PESSIMISTIC). A negation turns the
reading around. What both readings say is true of the whole system.

Cost: each assertion is visited once, with as much work as it has subgoals and release formulas. A
CTL formula makes at most six assertions for each of its subformulas and each state.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pigro.engines.onthefly.rules import ProofRule, ProofRules
from pigro.logic.positive import ALL, ATOM, NOT, OR, TRUE
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pigro.engines.onthefly.system import ExploredSystem
    from pigro.logic.positive import PositiveForm

PESSIMISTIC: Final = 0
OPTIMISTIC: Final = 1

_NOTHING: Mapping[int, int] = MappingProxyType({})

Goal = tuple[int, int]
"""A state, and a set of path formulas: what an assertion says."""
Question = tuple[int, int, int]
"""A state formula, a state and a reading."""


@dataclass(slots=True, eq=False)
class StackAssertion:
    """What a proof notes about an assertion on its stack."""

    goal: Goal
    rule: ProofRule
    dfsn: int
    low: int
    valid: Mapping[int, int]
    """The release formulas that may prove the component, each with its starting point."""
    tried: int = 0
    """Subgoals that were looked at."""


Visited = dict[Goal, StackAssertion | bool]


class ProofSearch:
    """All that is asked about one formula in one system."""

    def __init__(
        self, explored: ExploredSystem[Any], form: PositiveForm, poll: Callable[[], None]
    ) -> None:
        self.explored, self.form, self.poll = explored, form, poll
        self.rules = ProofRules(form, stops=explored.dead_ends is DeadEnds.STOP)
        self.visited: tuple[Visited, Visited] = ({}, {})
        """By reading."""
        self.met_cut = False
        """Whether an answer may depend on the reading."""
        self.last_failed: AssertionProof | None = None
        self._decided: tuple[dict[Goal, bool], dict[Goal, bool]] = ({}, {})
        """By reading: the truth of `&` and `|`, by state and node."""

    @property
    def assertions(self) -> int:
        """The number of assertions that were visited."""
        return sum(map(len, self.visited))

    def holds(self, node: int, state: int = 0, reading: int = OPTIMISTIC) -> bool:
        """Whether a state satisfies a state formula. Raises what `poll` and the system raise."""
        work: list[Question | AssertionProof] = [(node, state, reading)]
        while work:
            self.poll()
            top = work[-1]
            wanted = top.advance() if isinstance(top, AssertionProof) else self._look(top)
            if wanted is None:
                work.pop()
            else:
                work.append(wanted)
        truth = self.known(node, state, reading)
        assert truth is not None, "it was decided"
        return truth

    def value(self, node: int, state: int = 0) -> bool | None:
        """The same whatever comes where the system is cut off. None if it depends on that."""
        if not self.holds(node, state, OPTIMISTIC):
            return False  # false even in the optimistic reading
        certain = not self.met_cut or self.holds(node, state, PESSIMISTIC)
        return True if certain else None

    def known(self, node: int, state: int, reading: int) -> bool | None:
        """The truth of a state formula, if it takes no search to tell."""
        op = self.form.ops[node]
        if op == ATOM:
            return self.form.atoms[self.form.left[node]] in self.explored.labels(state)
        if op == NOT:
            truth = self.known(self.form.left[node], state, self.turned(reading))
            return None if truth is None else not truth
        if op == TRUE:
            return True
        if op != ALL:
            return self._decided[reading].get((state, node))
        found = self.visited[reading].get((state, self.rules.body(node)))
        assert not isinstance(found, StackAssertion), "SE2"
        return found

    def turned(self, reading: int) -> int:
        """The reading below a negation. The same if nothing can be cut."""
        return reading ^ 1 if self.explored.can_be_cut else reading

    def failed_proof(self, node: int, state: int, reading: int) -> AssertionProof:
        """How the proof of `A f` fails, which is false there. Searched for anew if need be."""
        goal = (state, self.rules.body(node))
        last = self.last_failed
        if last is not None and (last.goal, last.reading, last.by_known) == (goal, reading, False):
            return last
        proof = AssertionProof(self, goal, reading, {})
        while (question := proof.advance()) is not None:
            self.holds(*question)
        assert proof.path, "it fails"
        return proof

    def _look(self, question: Question) -> Question | AssertionProof | None:
        """What must be known first. None when it is decided."""
        node, state, reading = question
        if self.known(node, state, reading) is not None:
            return None
        op, left, right = self.form.ops[node], self.form.left[node], self.form.right[node]
        if op == ALL:
            goal = (state, self.rules.body(node))
            return AssertionProof(self, goal, reading, self.visited[reading])
        if op == NOT:
            return left, state, self.turned(reading)
        truth = self.known(left, state, reading)
        if truth is None:
            return left, state, reading
        if truth != (op == OR):
            truth = self.known(right, state, reading)
            if truth is None:
                return right, state, reading
        self._decided[reading][state, node] = truth
        return None


class AssertionProof:
    """The search for a proof of one assertion."""

    def __init__(self, search: ProofSearch, goal: Goal, reading: int, visited: Visited) -> None:
        self.search, self.goal, self.reading, self.visited = search, goal, reading, visited
        self.stack: list[StackAssertion] = []
        """Components that are not complete. The false assertions, when the proof has failed."""
        self.path: list[StackAssertion] = []
        """From the goal to the assertion that is looked at. They are on the stack too."""
        self.back_to: StackAssertion | None = None
        """If it failed by a cycle, the assertion to which the last of the path leads."""
        self.by_known = False
        """Whether it failed by a subgoal that was known to be false."""
        self._entered = 0
        self._enter(goal, _NOTHING)

    def advance(self) -> Question | None:
        """Goes on until it is decided, or a state formula must be known first."""
        search, path = self.search, self.path
        while path:
            search.poll()
            top = path[-1]
            found: Goal | bool
            if top.rule.formula >= 0 and not top.tried:  # Bhat1, Bhat2
                question = (top.rule.formula, top.goal[0], self.reading)
                truth = search.known(*question)
                if truth is None:
                    return question
                found = truth or (top.goal[0], top.rule.subgoals[0])
            else:
                found = self._subgoal(top)
            top.tried += 1
            if found is True:
                self._leave()
            elif found is False or not self._follow(top, found):
                self._fail()
                break
        return None

    def _enter(self, goal: Goal, inherited: Mapping[int, int]) -> None:
        """Figure 2, `init`, and the beginning of figure 3."""
        rule = self.search.rules.rule(goal[1])
        self._entered = number = self._entered + 1
        valid = _NOTHING
        if rule.releases:
            valid = {each: inherited.get(each, number) for each in rule.releases}
        made = StackAssertion(goal, rule, number, number, valid)
        self.stack.append(made)
        self.path.append(made)
        self.visited[goal] = made

    def _subgoal(self, top: StackAssertion) -> Goal | bool:
        """The next subgoal, or the truth of the assertion if there is no other."""
        rule, state, at = top.rule, top.goal[0], top.tried
        if not rule.steps:
            return (state, rule.subgoals[at]) if at < len(rule.subgoals) else rule.name != "none"
        explored = self.search.explored
        if not at and explored.is_cut(state):
            self.search.met_cut = True
            return self.reading == OPTIMISTIC
        target = explored.successor(state, at)
        if target is None:
            return at > 0 or rule.weak
        return target, rule.subgoals[0]

    def _follow(self, top: StackAssertion, goal: Goal) -> bool:
        """Looks at a subgoal. False if it refutes the assertion `top`."""
        before = self.visited.get(goal)
        if before is None:
            self._enter(goal, top.valid)
            return True
        if isinstance(before, bool):
            self.by_known = not before
            return before
        top.low = min(top.low, before.low)
        top.valid = {each: start for each, start in top.valid.items() if start <= before.dfsn}
        if not top.valid:
            self.back_to = before
        return bool(top.valid)

    def _leave(self) -> None:
        """All subgoals of the last assertion on the path hold."""
        done = self.path.pop()
        if done.low < done.dfsn:  # it stays on the stack, in the component of the one before
            parent = self.path[-1]
            parent.low = min(parent.low, done.low)
            parent.valid = done.valid
            return
        while True:
            proved = self.stack.pop()
            self.visited[proved.goal] = True
            if proved is done:
                return

    def _fail(self) -> None:
        self.search.last_failed = self
        for each in self.stack:
            self.visited[each.goal] = False
