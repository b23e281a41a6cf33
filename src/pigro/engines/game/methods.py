"""The methods for compositions as engines: each has a row in the table of engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, did_you_mean
from pigro.engines.engine import JobEngine
from pigro.engines.game import checking

if TYPE_CHECKING:
    from pigro.engines.engine import CheckJob
    from pigro.model.composition import Composition


@dataclass(frozen=True, slots=True)
class CompositionEngine(JobEngine):
    """Decides formulas on a composition by one method. See `pigro.compose_check`."""

    name: str
    refine: str | None = None
    hyper: bool = True
    assumption: bool = False
    dead_ends: str = "stutter"
    trace: bool = False
    """Whether to show rounds of refinement. Verdicts have them anyhow."""
    show: bool = False
    """Also find strategies."""

    def __post_init__(self) -> None:
        """The values of options are known ones, and `trace` has rounds to show."""
        if self.refine is not None and self.refine not in checking.STRATEGIES:
            hint = did_you_mean(str(self.refine), checking.STRATEGIES) or "choose many or one"
            raise UsageError("P006", f"refine can't be {self.refine!r}", hint=hint)
        if self.dead_ends not in {"stutter", "stop"}:
            message = f"dead ends of a composition can't be {self.dead_ends!r}"
            raise UsageError("P006", message, hint="choose stutter or stop")
        if self.trace and self.name == "symbolic" and self.refine is None:
            hint = "add --refine many or one, or leave it out"
            raise UsageError("P006", "method symbolic has no --trace without --refine", hint=hint)

    def run(self, composition: Composition, job: CheckJob) -> None:
        """See `JobEngine.run`. Needs: `require_formula` accepts the formulas."""
        for formula in job.formulas:
            verdict = checking.decide(
                composition,
                formula,
                method=self.name,
                refine=self.refine,
                hyper=self.hyper,
                dead_ends=self.dead_ends,
                budget=job.budget,
                witness=self.show,
                assumption=self.assumption,
            )
            job.deliver(verdict)


CONCRETE = CompositionEngine("concrete")
REFINE = CompositionEngine("refine")
REFINE_ONE = CompositionEngine("refine-one")
PREDICATES = CompositionEngine("predicates")
SYMBOLIC = CompositionEngine("symbolic")
FULL = CompositionEngine("full")
