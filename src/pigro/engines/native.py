"""The engines of the native core: `demand`, and its reference `exhaustive`.

Both are policies over the machinery of native/core/levels/level.hpp. `exhaustive` asks for every
reachable instance and every subformula and reads the verdict off the root. `demand` asks for the
verdict alone.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pigro import _core
from pigro.engines.engine import JobEngine, as_listed
from pigro.limits import OutOfMemory, OutOfTime
from pigro.logic.normal import existential_normal_form
from pigro.logic.operators import Op
from pigro.model import DeadEnds
from pigro.records import Record
from pigro.verdict import CheckStats, Remarks, Verdict

if TYPE_CHECKING:
    from pigro.engines.engine import CheckJob
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model


class NativeEngine(JobEngine, Record, frozen=True):
    """An engine of the native core."""

    name: str
    policy: _core.Engine
    certify: bool = False
    """Whether verdicts come with certificates,"""
    shortest: bool = False
    """with paths as short as can be, which takes longer."""
    certify_paths: bool = False
    """Whether formulas beyond CTL have certificates too: with `certify`."""
    only_paths: bool = False
    """Whether quantifiers of CTL are checked as those of CTL* are: to compare."""

    def run(self, model: Model, job: CheckJob) -> None:
        """See `JobEngine.run`."""
        budget, formulas = job.budget, job.formulas
        run = _NativeRun(self, as_listed(model, formulas, budget.poll), job)
        left = None if budget.deadline is None else budget.seconds_left
        each = budget.limits.seconds_each
        spent = 0.0 if each is None else budget.take_shared()

        def on_tick(_finished: int) -> None:
            run.deliver()
            if budget.tick is not None:
                budget.tick()

        threads = job.jobs
        if threads > len(formulas):  # the others are for operands of one formula
            threads = min(threads, max(len(formulas), os.cpu_count() or 1))
        try:  # 0 is "no limit" to the core
            run.batch.run(threads, left or 0.0, each or 0.0, budget.memory or 0, on_tick, spent)
        except BaseException:
            run.deliver_finished()
            raise
        run.deliver()


class _NativeRun:
    """A batch of formulas."""

    def __init__(self, engine: NativeEngine, model: RSM, job: CheckJob) -> None:
        self.engine = engine
        self.model = model
        self.job, self.formulas, self.budget = job, job.formulas, job.budget
        self.normalising: list[float] = []
        stop = model.dead_ends is DeadEnds.STOP
        proofs = _core.Proofs.NONE
        if engine.certify and any(map(self._is_proved, self.formulas)):
            proofs = _core.Proofs.SHORTEST if engine.shortest else _core.Proofs.ANY
        self.batch = _core.Batch(
            model.core,
            model.initial,
            _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER,
            engine.policy,
            proofs,
        )
        for formula in self.formulas:
            began = time.perf_counter()
            if formula.is_ctl and not engine.only_paths:
                normal = existential_normal_form(formula)
            else:
                from pigro.logic.path_normal import path_normal_form

                normal = path_normal_form(formula, only_paths=engine.only_paths)
            self.batch.add(
                memoryview(normal.ops),
                memoryview(normal.left),
                memoryview(normal.right),
                [model.label_ids.get(atom, -1) for atom in normal.atoms],
            )
            self.normalising.append(time.perf_counter() - began)

    def _is_proved(self, formula: Formula) -> bool:
        """Whether a certificate is wanted. A checker cuts formulas into quantifiers of CTL."""
        return not self.engine.only_paths and (formula.is_ctl or self.engine.certify_paths)

    def deliver(self) -> None:
        """Gives out finished verdicts, up to the first formula that is not finished."""
        given = self.job.verdicts
        while len(given) < len(self.formulas) and self.batch.finished(len(given)):
            self.job.deliver(self._verdict(len(given)))

    def deliver_finished(self) -> None:
        """After a stop: gives out all that is finished."""
        self.deliver()
        for index in range(len(self.job.verdicts) + 1, len(self.formulas)):
            if self.batch.finished(index):
                self.job.deliver(self._verdict(index))

    def _verdict(self, index: int) -> Verdict:
        formula = self.formulas[index]
        outcome = self.batch.outcome(index)
        seconds = outcome.seconds - outcome.certify_seconds + self.normalising[index]
        if outcome.status is not _core.Status.DECIDED:
            spent = CheckStats(seconds)
            why = self._why_none(outcome) + _what_grew(outcome, formula)
            remarks = Remarks(gave_up=why)
            return Verdict(self.model, formula, None, self.engine.name, spent, remarks=remarks)
        holds = all(outcome.holds)
        stats = CheckStats(seconds, outcome.contexts, outcome.visited, outcome.passes)
        certificate = None
        if outcome.certificate is not None and self._is_proved(formula):
            stats = replace(stats, certify_seconds=outcome.certify_seconds)
            from pigro.certificates.certificate import Certificate

            proof = outcome.certificate
            certificate = Certificate(
                self.model, formula, holds, self.engine.name, proof, self.engine.shortest
            )
        return Verdict(
            subject=self.model,
            formula=formula,
            holds=holds,
            engine=self.engine.name,
            stats=stats,
            starts=tuple(zip(self.model.initial, outcome.holds, strict=True)),
            certificate=certificate,
        )

    def _why_none(self, outcome: _core.Outcome) -> str:
        if outcome.status is _core.Status.TIMEOUT:
            return self.budget.why_none(OutOfTime(self.budget.time_limit))
        if outcome.status is _core.Status.TIMEOUT_EACH:
            return self.budget.why_none(OutOfTime(self.budget.time_limit_each))
        if self.budget.memory is not None:
            return self.budget.why_none(OutOfMemory(self.budget.memory_limit))
        return self.budget.why_none(MemoryError())


_MANY = 100
"""States of an automaton, or contexts, that are worth a word. The square of it of branches."""


_REGULAR = {Op.MATCH, Op.TRIGGER, Op.OMEGA, Op.ACCEPTS}


def _what_grew(outcome: _core.Outcome, formula: Formula) -> str:
    """What took the time or the memory, if that is plain to see."""
    if outcome.states >= _MANY and not _REGULAR.isdisjoint(formula.ops):
        return (
            f"; the automaton of the regular operators has {outcome.states:,} states so far, "
            "and it can be exponentially larger than they are"
        )
    if outcome.branches >= _MANY * _MANY and outcome.branches > outcome.states:
        return (
            f"; one state of the automaton of a path formula has {outcome.branches:,} branches so "
            "far, and each | beside others can double them"
        )
    if outcome.states >= _MANY:
        return (
            f"; the automaton of a path formula has {outcome.states:,} states so far, "
            "and each F, U or X beside others can double it"
        )
    if outcome.states and outcome.contexts >= _MANY:
        return (
            f"; {outcome.contexts:,} contexts were needed so far, "
            "and each exit under a quantifier inside another can double them"
        )
    return ""


DEMAND = NativeEngine("demand", _core.Engine.DEMAND)
EXHAUSTIVE = NativeEngine("exhaustive", _core.Engine.EXHAUSTIVE)
