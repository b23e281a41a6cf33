"""Runs of recursive models for what the native engine decides, made from its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.native import DEMAND
from pigro.engines.recursion.deciding import StateTruths
from pigro.evidence import EMPTY, Path, State, run_evidence
from pigro.evidence.runs import NotShown, body_of, is_some
from pigro.limits import OVER, Budget
from pigro.logic.path_normal import run_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RunShower:
    """The engine `demand` with runs and claims, for formulas beyond CTL."""

    name: str = "demand"

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""
        return self.check_all(model, [formula])[0]

    def check_all(
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Evidence that is beyond the limits is left out."""
        budget = budget or Budget()
        verdicts = []
        for decided in DEMAND.check_all(model, formulas, jobs=jobs, budget=budget):
            verdict = decided
            if decided.holds is not None:
                verdict = replace(decided, evidence=_shown(decided, budget))
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
        return verdicts


def _shown(verdict: Verdict, budget: Budget) -> Evidence | None:
    """Why a formula has its truth at an initial node that decides. None if that is not told."""
    node = next(node for node, holds in verdict.holds_at if holds is verdict.holds)
    truths = StateTruths(verdict.model, verdict.formula, DEMAND, budget)
    for whole in (False, True):
        decider = _Decider(truths, whole)
        try:
            start = State(EMPTY, node)
            return run_evidence(verdict.model, verdict.formula, start, decider, truths.on_path)
        except (_TooLong, *OVER):
            break
        except NotShown:
            continue
    return None


class _TooLong(NotShown):
    """The run has more states than can be told."""


@dataclass(frozen=True, slots=True)
class _Decider:
    """See `pigro.evidence.Decider`."""

    truths: StateTruths
    whole: bool
    """Whether runs are given to their end. One that is cut short where the engine has simplified
    the formula may not show the original text."""

    def value(self, node: int, state: State) -> bool | None:
        """The truth of a state formula at an initial node."""
        return self.truths.value(node, state)

    def poll(self) -> None:
        """Ends at the limits of the check."""
        self.truths.budget.poll()

    def counterexample(self, node: int, state: State) -> Path:
        """A run for E, or against A. From a state with the empty stack."""
        model, formula = self.truths.model, self.truths.formula
        body = body_of(formula, node)
        form = run_form(formula, body, plain=is_some(formula, node), whole=self.whole)
        stop = model.dead_ends is DeadEnds.STOP
        found = _core.find_run(
            model.core,
            state.node,
            _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER,
            memoryview(form.ops),
            memoryview(form.left),
            memoryview(form.right),
            [model.label_ids.get(atom, -1) for atom in form.atoms],
            self.truths.budget.look,
        )
        if found is None:
            raise _TooLong
        nodes, numbers, rows, ends, start = found
        stacks = [EMPTY]
        for below, box in rows:
            stacks.append(stacks[below].push(box))
        states = [State(stacks[at], each) for at, each in zip(numbers, nodes, strict=True)]
        return Path(tuple(states), ends, start if ends in ("loop", "pump") else None)
