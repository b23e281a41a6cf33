"""What the engines written in Python share: formula by formula, within limits, watched.

An engine makes a function that answers one formula and polls a `Budget` while it works. Formulas
are checked one after the other: `jobs` is accepted and ignored, for threads don't speed Python up.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pigro.engines.engine import JobEngine, as_taken, require_fit
from pigro.limits import LIMIT_ERRORS, Budget
from pigro.verdict import CheckStats, Remarks, StepLog, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.engine import CheckJob
    from pigro.evidence import Evidence, GameStrategy
    from pigro.logic import Formula
    from pigro.model.space import Model
    from pigro.verdict import Step

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """An answer: the truth at each initial node (None: not known), and what it took."""

    truths: Sequence[bool | None]
    contexts: int | None = None
    passes: int | None = None
    steps: tuple[Step, ...] | None = None
    visited: int | None = None
    states: int | None = None
    gave_up: str | None = None
    """Why the truth is not known, if it is not."""
    caveat: str | None = None
    """Why it may be wrong, if the engine is one that can be."""
    evidence: Evidence | GameStrategy | None = None
    note: str | None = None
    """See `Remarks`."""
    show_seconds: float = 0.0
    """What the evidence took."""
    initial: Sequence[int] | None = None
    """The initial nodes that the truths are about. None: those of the model."""


class PythonEngine(JobEngine, ABC):
    """An engine that is written in Python: it says how to decide a formula, the rest is here."""

    __slots__ = ()
    name: str

    @abstractmethod
    def decider(self, model: Any) -> Callable[[Formula, Budget], EngineAnswer]:
        """What decides one formula after the other. Work for all of them is done before."""

    def run(self, model: Model, job: CheckJob) -> None:
        """See `JobEngine.run`. Raises `CheckError` P404 if the model does not fit."""
        model = as_taken(self, model, job.formulas, job.budget.poll)
        require_fit(self, model)
        decide: Callable[[Formula, Budget], EngineAnswer] | None = None

        def decided(formula: Formula, budget: Budget) -> EngineAnswer:
            nonlocal decide
            decide = decide or self.decider(model)
            return decide(formula, budget)

        for formula in job.formulas:
            job.deliver(_verdict(self.name, model, formula, decided, job.budget.each()))


def _verdict(
    name: str,
    model: Model,
    formula: Formula,
    decide: Callable[[Formula, Budget], EngineAnswer],
    budget: Budget,
) -> Verdict:
    decision, seconds, gave_up = within(budget, lambda: decide(formula, budget))
    if decision is None:
        remarks = Remarks(gave_up=gave_up)
        return Verdict(model, formula, None, name, CheckStats(seconds), remarks=remarks)
    holds = kleene_all(decision.truths)
    initial = decision.initial
    if initial is None:
        assert model.is_listed, "else the decision says where it starts"
        initial = model.initial
    pairs = zip(initial, decision.truths, strict=decision.initial is None)
    return Verdict(
        subject=model,
        formula=formula,
        holds=holds,
        engine=name,
        stats=CheckStats(
            seconds - decision.show_seconds,
            decision.contexts,
            decision.visited,
            decision.passes,
            decision.states,
        ),
        starts=tuple((node, truth) for node, truth in pairs if truth is not None),
        details=None if decision.steps is None else StepLog(decision.steps),
        evidence=decision.evidence,
        remarks=Remarks(
            gave_up=decision.gave_up if holds is None else None,
            caveat=decision.caveat if holds is not None else None,
            note=decision.note,
        ),
    )


def kleene_all(truths: Sequence[bool | None]) -> bool | None:
    """Whether all are true. None if that is not known.

    >>> kleene_all([True, None]), kleene_all([None, False]), kleene_all([True])
    (None, False, True)
    """
    return False if False in truths else None if None in truths else True


def within(
    budget: Budget, decide: Callable[[], _Answer]
) -> tuple[_Answer | None, float, str | None]:
    """An answer and its seconds. Beyond the budget, None and why."""
    began = time.perf_counter()
    try:
        budget.look()
        answer = decide()
    except LIMIT_ERRORS as end:
        return None, time.perf_counter() - began, budget.why_none(end)
    return answer, time.perf_counter() - began, None
