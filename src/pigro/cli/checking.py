"""Asks an engine one formula after the other, and ends honestly whatever happens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.cli.exits import Exit, exit_of
from pigro.engines import CheckStats, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.inputs import Question
    from pigro.logic import Formula


@dataclass(slots=True)
class Outcome:
    """The verdicts that were reached, and what ended the run before its time, if anything did."""

    asked: int
    verdicts: list[Verdict] = field(default_factory=list)
    stopped_by: BaseException | None = None

    @property
    def exit(self) -> Exit:
        """Interrupted outranks an internal error, which outranks every verdict."""
        if isinstance(self.stopped_by, KeyboardInterrupt):
            return Exit.INTERRUPTED
        return exit_of(self.verdicts) if self.stopped_by is None else Exit.INTERNAL

    @property
    def warning(self) -> str | None:
        """What a reader of the results must know: that some are missing."""
        if self.stopped_by is None:
            return None
        interrupted = isinstance(self.stopped_by, KeyboardInterrupt)
        why = "interrupted" if interrupted else "stopped by an internal error"
        return f"{why}: {len(self.verdicts)} of {self.asked} formulas were checked"


class _EngineFault(Exception):  # noqa: N818 - private, never shown
    """Wraps what an engine raised, to tell it from faults of whoever takes the verdicts."""


def check_formulas(
    question: Question, on_verdict: Callable[[Verdict], None], tick: Callable[[], None]
) -> Outcome:
    """Checks all formulas in order; `on_verdict` gets each verdict as it is found."""
    outcome = Outcome(len(question.formulas))
    try:
        for formula in question.formulas:
            verdict = _decide(question, formula, tick)
            outcome.verdicts.append(verdict)
            on_verdict(verdict)
    except KeyboardInterrupt as interrupt:
        outcome.stopped_by = interrupt
    except _EngineFault as fault:
        outcome.stopped_by = fault.__cause__
    return outcome


def _decide(question: Question, formula: Formula, tick: Callable[[], None]) -> Verdict:
    began = time.perf_counter()
    try:
        return question.engine(question.model, formula, tick=tick)
    except MemoryError:
        return Verdict(
            formula=formula,
            holds=None,
            reason="the check needs more memory than there is",
            engine=question.engine_name,
            stats=CheckStats(time.perf_counter() - began),
        )
    except Exception as error:
        raise _EngineFault from error
