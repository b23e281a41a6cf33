"""Asks an engine, and ends honestly whatever happens."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from pigro.cli.exits import Exit, exit_of, interrupted
from pigro.limits import CUT_SHORT, OVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.inputs import Question
    from pigro.engines import Verdict
    from pigro.engines.proving import Proofs
    from pigro.engines.verdict import Answer
    from pigro.limits import Budget

V = TypeVar("V", bound="Answer")


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
            return interrupted(self.stopped_by)
        if self.stopped_by is not None and not isinstance(self.stopped_by, OVER):
            return Exit.INTERNAL
        found = exit_of(self.verdicts)
        is_short = len(self.verdicts) < self.asked
        return Exit.NO_VERDICT if found is Exit.HOLDS and is_short else found

    @property
    def is_fault(self) -> bool:
        """Whether a fault of Pigro's ended the run."""
        return self.stopped_by is not None and not isinstance(
            self.stopped_by, (KeyboardInterrupt, *OVER)
        )

    @property
    def warning(self) -> str | None:
        """What a reader of the results must know: that some are missing."""
        if self.stopped_by is None:
            return None
        why = "stopped by an internal error"
        if isinstance(self.stopped_by, KeyboardInterrupt):
            why = "interrupted"
        elif isinstance(self.stopped_by, OVER):
            why = "stopped at the limits"
        return f"{why}: {len(self.verdicts)} of {self.asked} {CUT_SHORT}"

    @property
    def unproved(self) -> list[str]:
        """That some verdicts have no certificate, or one that was not checked, if so."""
        if self.proofs is None:
            return []
        told = []
        why = "took more than the limits"
        if isinstance(self.stopped_by, KeyboardInterrupt):
            why = "was interrupted"
        if missing := self.proofs.missing:
            verdicts = "1 verdict has" if missing == 1 else f"{missing:,} verdicts have"
            told.append(f"{verdicts} no certificate: the proof {why}")
        if unverified := self.proofs.unverified:
            certificates = "1 certificate" if unverified == 1 else f"{unverified:,} certificates"
            told.append(f"not verified: {certificates}, because that {why}")
        return told


def check_formulas(
    question: Question,
    outcome: Outcome[Verdict],
    on_verdict: Callable[[Verdict], None],
    budget: Budget,
) -> None:
    """Checks all formulas; `on_verdict` gets each verdict as it is found, in order."""
    if question.certificate is not None or question.verify:
        from pigro.engines.proving import Proofs

        outcome.proofs = Proofs(
            question.model, verify=question.verify, shortest=question.shows, budget=budget
        )

    def work(take: Callable[[Verdict], None]) -> None:
        if outcome.proofs is None and not question.shows:
            for model, formulas in question.parts():
                question.engine.check_all(
                    model, formulas, jobs=question.jobs, budget=budget, on_verdict=take
                )
            return
        from pigro.engines.proving import check_and_prove

        check_and_prove(
            question.engine,
            question.parts(),
            shortest=question.shows,
            jobs=question.jobs,
            budget=budget,
            on_verdict=take,
        )

    proofs = outcome.proofs
    ask = work if proofs is None else lambda take: work(_proving(proofs, take))
    gather(outcome, ask, on_verdict)


def _proving(proofs: Proofs, take: Callable[[Verdict], None]) -> Callable[[Verdict], None]:
    def prove_and_take(verdict: Verdict) -> None:
        try:
            proved = proofs.take(verdict)
        except KeyboardInterrupt:  # what is decided is kept
            take(replace(verdict, certificate=None))
            raise
        take(proved)

    return prove_and_take


def gather(
    outcome: Outcome[V],
    work: Callable[[Callable[[V], None]], None],
    on_verdict: Callable[[V], None],
) -> None:
    """Lets `work` give verdicts to the outcome; what ends it before its time is told there."""
    mine: list[BaseException] = []

    def take(verdict: V) -> None:
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
    except Exception as error:  # noqa: BLE001 - told as an internal error, or as the limits
        if mine:
            raise mine[0] from None
        outcome.stopped_by = error
