"""Asks an engine, and ends honestly whatever happens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from pigro.cli.exits import Exit, exit_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.inputs import Question
    from pigro.engines import Verdict
    from pigro.engines.proving import Proofs
    from pigro.engines.verdict import Answer

V = TypeVar("V", bound="Answer")
CUT_SHORT = "formulas were checked"
"""Stands in the warning of a run that ended before its time."""


@dataclass(slots=True)
class Outcome(Generic[V]):
    """The verdicts that were reached, and what ended the run before its time, if anything did."""

    asked: int
    verdicts: list[V] = field(default_factory=list)
    stopped_by: BaseException | None = None
    proofs: Proofs | None = None
    """The certificates of the verdicts, if they were asked for."""

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
        return f"{why}: {len(self.verdicts)} of {self.asked} {CUT_SHORT}"

    @property
    def unproved(self) -> str | None:
        """That some verdicts have no certificate, if so."""
        missing = 0 if self.proofs is None else self.proofs.missing
        if not missing:
            return None
        return f"{missing} verdicts have no certificate: to prove them took more than the limits"


def check_formulas(
    question: Question, on_verdict: Callable[[Verdict], None], tick: Callable[[], None]
) -> Outcome[Verdict]:
    """Checks all formulas; `on_verdict` gets each verdict as it is found, in order."""
    outcome: Outcome[Verdict] = Outcome(len(question.formulas))
    if question.certificate is not None or question.verify:
        from pigro.engines.proving import Proofs

        shown = question.witness != "none"
        outcome.proofs = Proofs(question.model, verify=question.verify, shortest=shown)

    def work(take: Callable[[Verdict], None]) -> None:
        began = time.perf_counter()
        for model, formulas in question.parts():
            question.engine.check_all(
                model,
                formulas,
                jobs=question.jobs,
                limits=question.limits.after(time.perf_counter() - began),
                on_verdict=take,
                tick=tick,
            )

    proofs = outcome.proofs
    gather(outcome, work, on_verdict, None if proofs is None else proofs.take)
    return outcome


def gather(
    outcome: Outcome[V],
    work: Callable[[Callable[[V], None]], None],
    on_verdict: Callable[[V], None],
    prove: Callable[[V], V] | None = None,
) -> None:
    """Lets `work` give verdicts to the outcome; what ends it before its time is told there."""
    mine: list[BaseException] = []

    def take(verdict: V) -> None:
        if prove is not None:
            verdict = prove(verdict)
        outcome.verdicts.append(verdict)
        try:
            on_verdict(verdict)
        except Exception as error:  # not the engine's fault: writing failed
            mine.append(error)
            raise

    try:
        work(take)
    except KeyboardInterrupt as interrupt:
        outcome.stopped_by = interrupt
    except Exception as error:  # noqa: BLE001 - told as an internal error
        if mine:
            raise mine[0] from None
        outcome.stopped_by = error
