"""Runs of recursive models for what the native engine decides, made from its tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.engine import JobEngine
from pigro.engines.labelling import LabellingTruths
from pigro.engines.native import DEMAND
from pigro.engines.recursion.probe_model import back_to, probe_model
from pigro.evidence import EMPTY, Path, State, run_evidence
from pigro.evidence.run.runs import NotShown, body_of, is_some
from pigro.limits import LIMIT_ERRORS, Budget
from pigro.logic import X
from pigro.logic.construct import part_of
from pigro.logic.path_normal import run_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.engines.engine import CheckJob
    from pigro.evidence import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict


@dataclass(frozen=True, slots=True)
class RunEvidenceEngine(JobEngine):
    """The engine `demand` with runs and claims, for formulas beyond CTL."""

    name: str = "demand"

    def run(self, model: RSM, job: CheckJob) -> None:
        """See `JobEngine.run`. Evidence that is beyond the limits is left out."""
        for decided in DEMAND.check_all(model, job.formulas, jobs=job.jobs, budget=job.budget):
            verdict = decided
            if decided.holds is not None:
                verdict = replace(decided, evidence=_shown(decided, job.budget))
            job.deliver(verdict)


def _shown(verdict: Verdict, budget: Budget) -> Evidence | None:
    """Why a formula has its truth at an initial node that decides. None if that is not told."""
    node = next(node for node, holds in verdict.starts if holds is verdict.holds)
    return shown_from(verdict.subject.listed(), verdict.formula, State(EMPTY, node), budget)


def shown_from(model: RSM, formula: Formula, state: State, budget: Budget) -> Evidence | None:
    """Why a formula beyond CTL has its truth in a state, also under calls. None if not told.

    Needs: the limits are enough to decide it.
    """
    truths = LabellingTruths(model, formula, budget)
    for whole in (False, True):
        decider = _TableDecider(truths, whole)
        try:
            return run_evidence(model, formula, state, decider, truths.on_path)
        except (_TooLong, *LIMIT_ERRORS):
            break
        except NotShown:
            continue
    return None


class _TooLong(NotShown):
    """The run has more states than can be told."""


@dataclass(frozen=True, slots=True)
class _TableDecider:
    """See `pigro.evidence.Decider`."""

    truths: LabellingTruths
    whole: bool
    """Whether runs are given to their end. One that is cut short where the engine has simplified
    the formula may not show the original text."""

    def value(self, node: int, state: State) -> bool | None:
        """The truth of a state formula in a state."""
        return self.truths.value(node, state)

    def poll(self) -> None:
        """Ends at the limits of the check."""
        self.truths.budget.poll()

    def counterexample(self, node: int, state: State) -> Path:
        """A run for E, or against A."""
        model, formula = self.truths.model, self.truths.formula
        plain = is_some(formula, node)
        if not state.stack:
            return self._run(model, formula, body_of(formula, node), state.node, plain=plain)
        probed = probe_model(model, Path((state,)))
        before = state.stack.depth + 2  # states before it: one for each stack, and the probe
        later = part_of(formula, body_of(formula, node))
        for _ in range(before):
            later = X(later)
        [start] = probed.model.initial
        path = self._run(probed.model, later, len(later) - 1, start, plain=plain)
        if len(path.states) <= before:
            raise NotShown  # it is cut short before the state
        return back_to(model, probed.model, path, before)

    def _run(self, model: RSM, formula: Formula, body: int, node: int, *, plain: bool) -> Path:
        """A run from an initial node with a path formula, or against it if not `plain`."""
        form = run_form(formula, body, plain=plain, whole=self.whole)
        stop = model.dead_ends is DeadEnds.STOP
        found = _core.find_run(
            model.core,
            node,
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
