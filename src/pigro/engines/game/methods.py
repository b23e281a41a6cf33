"""The methods for compositions as engines: each has a row in the table of engines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.engine import AsFunction
from pigro.engines.game import checking
from pigro.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.verdict import Verdict


@dataclass(frozen=True, slots=True)
class CompositionEngine(AsFunction):
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

    def check_all(
        self,
        composition: Composition,
        formulas: Sequence[Formula],
        *,
        jobs: int = 1,
        budget: Budget | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> list[Verdict]:
        """See `Engine.check_all`. Needs: `require_checkable` accepts the formulas."""
        budget = budget or Budget()
        verdicts = []
        for formula in formulas:
            verdict = checking.decide(
                composition,
                formula,
                method=self.name,
                refine=self.refine,
                hyper=self.hyper,
                dead_ends=self.dead_ends,
                budget=budget,
                witness=self.show,
                assumption=self.assumption,
            )
            verdicts.append(verdict)
            if on_verdict is not None:
                on_verdict(verdict)
        return verdicts


CONCRETE = CompositionEngine("concrete")
REFINE = CompositionEngine("refine")
REFINE_ONE = CompositionEngine("refine-one")
PREDICATES = CompositionEngine("predicates")
SYMBOLIC = CompositionEngine("symbolic")
FULL = CompositionEngine("full")
