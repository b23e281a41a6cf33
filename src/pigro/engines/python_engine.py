"""What the engines written in Python share: formula by formula, within limits, watched.

An engine makes a function that answers one formula and polls a `Budget` while it works. Formulas
are checked one after the other: `jobs` is accepted and ignored, for threads don't speed Python up.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pigro.engines.engine import AsFunction, as_taken, require_fit
from pigro.limits import OVER, Budget
from pigro.verdict import CheckStats, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence import Evidence, GameStrategy
    from pigro.logic import Formula
    from pigro.model.space import Model
    from pigro.verdict import Step

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Decision:
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
    """See `Verdict`."""
    show_seconds: float = 0.0
    """What the evidence took."""
    initial: Sequence[int] | None = None
    """The initial nodes that the truths are about. None: those of the model."""


class PythonEngine(AsFunction, ABC):
    """An engine that is written in Python: it says how to decide a formula, the rest is here."""

    __slots__ = ()
    name: str

    @abstractmethod
    def decider(self, model: Any) -> Callable[[Formula, Budget], Decision]:
        """What decides one formula after the other. Work for all of them is done before."""

    def check_all(
        self,
        model: Model,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Raises `CheckError` P404 if the model does not fit."""
        budget = budget or Budget()
        model = as_taken(self, model, formulas, budget.poll)
        require_fit(self, model)
        decide: Callable[[Formula, Budget], Decision] | None = None

        def decided(formula: Formula, budget: Budget) -> Decision:
            nonlocal decide
            decide = decide or self.decider(model)
            return decide(formula, budget)

        verdicts = []
        for formula in formulas:
            verdict = _verdict(self.name, model, formula, decided, budget.each())
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
        return verdicts


def _verdict(
    name: str,
    model: Model,
    formula: Formula,
    decide: Callable[[Formula, Budget], Decision],
    budget: Budget,
) -> Verdict:
    decision, seconds, gave_up = within(budget, lambda: decide(formula, budget))
    if decision is None:
        return Verdict(model, formula, None, name, CheckStats(seconds), gave_up=gave_up)
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
        holds_at=tuple((node, truth) for node, truth in pairs if truth is not None),
        steps=decision.steps,
        gave_up=decision.gave_up if holds is None else None,
        caveat=decision.caveat if holds is not None else None,
        evidence=decision.evidence,
        note=decision.note,
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
    except OVER as end:
        return None, time.perf_counter() - began, budget.why_none(end)
    return answer, time.perf_counter() - began, None
