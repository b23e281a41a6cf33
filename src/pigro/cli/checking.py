"""Asks an engine, and ends honestly whatever happens."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.cli.exits import Exit, exit_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.cli.inputs import Question
    from pigro.engines import Verdict
    from pigro.engines.proving import Proofs


@dataclass(slots=True)
class Outcome:
    """The verdicts that were reached, and what ended the run before its time, if anything did."""

    asked: int
    verdicts: list[Verdict] = field(default_factory=list)
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
        return f"{why}: {len(self.verdicts)} of {self.asked} formulas were checked"

    @property
    def unproved(self) -> str | None:
        """That some verdicts have no certificate, if so."""
        missing = 0 if self.proofs is None else self.proofs.missing
        if not missing:
            return None
        return f"{missing} verdicts have no certificate: to prove them took more than the limits"


def check_formulas(
    question: Question, on_verdict: Callable[[Verdict], None], tick: Callable[[], None]
) -> Outcome:
    """Checks all formulas; `on_verdict` gets each verdict as it is found, in order."""
    outcome = Outcome(len(question.formulas))
    mine: list[BaseException] = []
    if question.certificate is not None or question.verify:
        from pigro.engines.proving import Proofs

        shown = question.witness != "none"
        outcome.proofs = Proofs(question.model, verify=question.verify, shortest=shown)

    def take(verdict: Verdict) -> None:
        if outcome.proofs is not None:
            verdict = outcome.proofs.take(verdict)
        outcome.verdicts.append(verdict)
        try:
            on_verdict(verdict)
        except Exception as error:  # not the engine's fault: writing failed
            mine.append(error)
            raise

    try:
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
    except KeyboardInterrupt as interrupt:
        outcome.stopped_by = interrupt
    except Exception as error:  # noqa: BLE001 - told as an internal error
        if mine:
            raise mine[0] from None
        outcome.stopped_by = error
    return outcome
