"""Does a formula of CTL* hold in a system that a program gives? `check_system` says, and shows why.

The question is decided by `ProofSearch`. A system that is cut off is asked twice, in two readings
(search.py). The answer is unknown where they differ.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pigro.engines.engine import AsFunction
from pigro.engines.onthefly.counterexample import counterexample
from pigro.engines.onthefly.search import OPTIMISTIC, PESSIMISTIC, ProofSearch
from pigro.engines.onthefly.system import Explored
from pigro.engines.python_engine import within
from pigro.evidence.booleans import WRITTEN, Booleans
from pigro.evidence.completion.ways import Completions, Finished, Run
from pigro.evidence.run.runs import LABELS, is_some
from pigro.limits import NO_LIMITS, Budget, Limits
from pigro.logic import parse
from pigro.logic.fragments import state_formulas
from pigro.logic.positive import ALL, AND, NOT, OR, positive_form
from pigro.verdict import CheckStats, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.onthefly.system import System
    from pigro.logic import Formula

S = TypeVar("S", bound=Hashable)
ENGINE = "onthefly"
"""What verdicts say, as those of the same search on models."""
_CUT = "no verdict: it depends on what comes where the system is cut off"


def check_system(
    system: System[S],
    formula: Formula | str,
    *,
    limits: Limits = NO_LIMITS,
    tick: Callable[[], None] | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Does a formula of CTL, LTL or CTL* hold in the initial state of a system?

    Only states that the answer depends on are looked at. The system may be infinite, but then there
    may be no end. Beyond the limits the verdict is unknown. `tick` is called every few milliseconds
    and may raise to stop. A `budget` says both. Raises `CheckError` P407 for an object that is not
    a system, `FormulaError` for text that is no formula, and whatever the system's own methods
    raise.

    >>> class Counter:
    ...     initial = 0
    ...     def successors(self, state):
    ...         return [state + 1, 2 * state]
    ...     def labels(self, state):
    ...         return ["big"] if state > 100 else []
    >>> verdict = check_system(Counter(), "AG !big")
    >>> verdict.holds, verdict.reason, verdict.trace()[-1].name
    (False, 'some reachable state violates !big', '101')
    """
    formula = parse(formula) if isinstance(formula, str) else formula
    refuse_mu_on_systems(formula)
    budget = (budget or Budget(limits, tick)).each()
    explored = Explored(system)
    search = ProofSearch(explored, positive_form(formula), budget.poll)
    root = search.form.root
    answer, seconds, gave_up = within(budget, lambda: (search.value(root),))  # None is one
    stats = CheckStats(seconds, visited=search.assertions, states=explored.asked)
    if answer is None:
        return Verdict(system, formula, None, ENGINE, stats, gave_up=gave_up)
    (holds,) = answer
    if holds is None:
        return Verdict(system, formula, None, ENGINE, stats, gave_up=_CUT)
    run, _, _ = within(budget, lambda: run_of(search, explored, formula, holds=holds))
    evidence = None if run is None else Completions((Finished(holds, run=run),))
    return Verdict(system, formula, holds, ENGINE, stats, evidence=evidence)


@dataclass(frozen=True, slots=True)
class SystemSearch(AsFunction):
    """The search on systems as an engine."""

    name: str = "search"

    def check_all(
        self,
        system: System[Any],
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`."""
        verdicts = []
        for formula in formulas:
            verdict = check_system(system, formula, budget=budget)
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
        return verdicts


SEARCH = SystemSearch()


def refuse_mu_on_systems(formula: Formula) -> Formula:
    """The formula itself. CheckError P408 if it is one of the mu-calculus."""
    return formula.refuse_mu(", which can't be checked on states that a program computes", _INSTEAD)


_INSTEAD = (
    "write it in CTL, LTL or CTL*; or list the states: the mu-calculus is checked on models, as "
    "`pigro.load` and `pigro.kripke` make them"
)


def run_of(
    search: ProofSearch, explored: Explored[S], formula: Formula, *, holds: bool
) -> Run[S] | None:
    """A run from the initial state that shows the verdict, if one is enough."""
    found = _deciding(search, holds=holds)
    if found is None:
        return Run((explored.states[0],), "here") if _seen_at_once(search, formula) else None
    shown = counterexample(search, *found)
    states = tuple(explored.states[each] for each in shown.states)
    if shown.reason != "here" and shown.states[-1] in explored.stuck:
        return Run(states, "stays")
    return Run(states, shown.reason, shown.start)


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
    booleans, states = Booleans(formula, WRITTEN), search.form.states
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
