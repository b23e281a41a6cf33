"""What the engines written in Python share: formula by formula, within limits, watched.

An engine makes a function that answers one formula and polls a `Watch` while it works. Formulas are
checked one after the other: `jobs` is accepted and ignored, for threads don't speed Python up.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pigro import _core
from pigro.engines.engine import NO_LIMITS, Limits, require_fit
from pigro.engines.verdict import CheckStats, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.verdict import Step
    from pigro.evidence import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

_Answer = TypeVar("_Answer")
_BETWEEN_LOOKS = 0.004
"""Seconds between two looks at the limits."""


class OutOfTime(Exception):  # noqa: N818 - the end of a check, not an error
    """The time limit has passed."""


class OutOfMemory(Exception):  # noqa: N818 - same
    """The process uses more memory than it may."""


class Watch:
    """Polled by an engine while it works: tells the caller, and ends the work at its limits."""

    def __init__(self, limits: Limits = NO_LIMITS, tick: Callable[[], None] | None = None) -> None:
        self._limits = limits
        self._tick = tick
        began = time.perf_counter()
        self._deadline = None if limits.seconds_left is None else began + limits.seconds_left
        self._next = began

    def poll(self) -> None:
        """Cheap: looks at the limits every few milliseconds only. Raises to end the work."""
        if time.perf_counter() >= self._next:
            self.look()

    def look(self, about_to_take: int = 0) -> None:
        """Ticks, and raises `OutOfTime` or `OutOfMemory` beyond the limits.

        `about_to_take` is memory in bytes that the work needs next.
        """
        if self._tick is not None:
            self._tick()
        now = time.perf_counter()
        self._next = now + _BETWEEN_LOOKS
        if self._deadline is not None and now >= self._deadline:
            raise OutOfTime
        memory = self._limits.memory
        if memory is not None and _core.resident_memory() + about_to_take > memory:
            raise OutOfMemory


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
    shown: Evidence | None = None
    depth: int | None = None
    """Of evidence: see `Verdict`."""
    show_seconds: float = 0.0
    """What the evidence took."""


class PythonEngine(ABC):
    """An engine that is written in Python: it says how to decide a formula, the rest is here."""

    __slots__ = ()
    name: str

    @abstractmethod
    def decider(self, model: RSM) -> Callable[[Formula, Watch], Decision]:
        """What decides one formula after the other; work for all of them is done before."""

    def __call__(self, model: RSM, formula: Formula) -> Verdict:
        """The verdict on one formula, without limits."""
        return self.check_all(model, [formula])[0]

    def check_all(  # noqa: PLR0913 - how to run is said by name
        self,
        model: RSM,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,  # noqa: ARG002 - one at a time
        limits: Limits = NO_LIMITS,
        on_verdict: Callable[[Verdict], None] | None = None,
        tick: Callable[[], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Raises `CheckError` P404 if the model does not fit."""
        require_fit(self, model)
        decide = self.decider(model)
        watch = Watch(limits, tick)
        verdicts = []
        for formula in formulas:
            verdict = _verdict(self.name, model, formula, decide, watch, limits)
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
        return verdicts


def _verdict(  # noqa: PLR0913 - the parts of a run
    name: str,
    model: RSM,
    formula: Formula,
    decide: Callable[[Formula, Watch], Decision],
    watch: Watch,
    limits: Limits,
) -> Verdict:
    decision, seconds, gave_up = within(limits, watch, lambda: decide(formula, watch))
    if decision is None:
        return Verdict(model, formula, None, name, CheckStats(seconds), gave_up=gave_up)
    holds = kleene_all(decision.truths)
    pairs = zip(model.initial, decision.truths, strict=True)
    return Verdict(
        model=model,
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
        shown=decision.shown,
        depth=decision.depth,
    )


def kleene_all(truths: Sequence[bool | None]) -> bool | None:
    """Whether all are true; None if that is not known.

    >>> kleene_all([True, None]), kleene_all([None, False]), kleene_all([True])
    (None, False, True)
    """
    return False if False in truths else None if None in truths else True


def within(
    limits: Limits, watch: Watch, decide: Callable[[], _Answer]
) -> tuple[_Answer | None, float, str | None]:
    """An answer and its seconds; beyond the limits that `watch` guards, None and why."""
    began = time.perf_counter()
    try:
        watch.look()
        answer = decide()
    except (OutOfTime, OutOfMemory, MemoryError) as end:
        return None, time.perf_counter() - began, _why_none(end, limits)
    return answer, time.perf_counter() - began, None


def _why_none(end: Exception, limits: Limits) -> str:
    if isinstance(end, OutOfTime):
        return f"no verdict within the time limit of {limits.seconds:g} s"
    if limits.memory is not None:
        return f"no verdict within the memory limit of {limits.memory_text}"
    return "no verdict: the check needs more memory than there is"
