"""The engines `eager`, `lazy`, `ternary` and `random`: one machinery, and a heuristic or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from pigro.diagnostics import UsageError, did_you_mean
from pigro.engines.python_engine import EngineAnswer, PythonEngine
from pigro.papers.dubslaff2024.eager import eager_check
from pigro.papers.dubslaff2024.finding import guarded
from pigro.papers.dubslaff2024.initialize import initialize
from pigro.papers.dubslaff2024.interpretation import CheckRequest
from pigro.papers.dubslaff2024.lazy import lazy_check
from pigro.papers.dubslaff2024.shape import shape_of
from pigro.papers.dubslaff2024.trace import StepNotes
from pigro.papers.dubslaff2024.variant import Variant
from pigro.papers.dubslaff2024.variant.printed import printed_check
from pigro.papers.dubslaff2024.variant.tool import ToolError, tool_check

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.papers.dubslaff2024.instances import InstanceStore


@dataclass(frozen=True, slots=True)
class ContextEngine(PythonEngine):
    """An engine of [Dubslaff2024]: EagerCheck, or LazyCheck with a heuristic."""

    name: str
    heuristic: str | None
    """By name. None: EagerCheck."""
    seed: int = 0
    """For heuristics that choose at random."""
    trace: bool = False
    """Whether verdicts tell the steps that were taken."""
    variant: Variant = Variant.IMPROVED

    def with_options(self, **options: Any) -> Self:
        """The engine, set up so. `UsageError` P006 for a variant or heuristic that is not there."""
        if "variant" in options:
            options["variant"] = _variant(options["variant"])
        if "heuristic" in options:  # so that a broken one is told before anything is checked
            guarded(options["heuristic"], options.get("seed", self.seed))
        return replace(self, **options)

    def decider(self, model: RSM) -> Callable[[Formula, Budget], EngineAnswer]:
        """See `PythonEngine.decider`."""

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            return self._decide(model, formula, budget)

        return decide

    def _decide(self, model: RSM, formula: Formula, budget: Budget) -> EngineAnswer:
        trace = StepNotes(self.trace)
        question = CheckRequest.of(shape_of(model), formula)
        instances = initialize(question, budget, trace, self.variant)
        gave_up = None
        try:
            self._run(instances)
        except ToolError as error:
            gave_up = str(error)
        truths = instances.answers()
        steps = tuple(trace.steps) if self.trace else None
        return EngineAnswer(
            truths,
            instances.contexts,
            instances.passes,
            steps,
            gave_up=gave_up,
            caveat=instances.caveat,
        )

    def _run(self, instances: InstanceStore) -> None:
        if self.heuristic is None:
            eager_check(instances)
            return
        choose = guarded(self.heuristic, self.seed)
        if self.variant is Variant.IMPROVED:
            lazy_check(instances, choose)
            assert instances.decided()
        else:
            run = printed_check if self.variant is Variant.PRINTED else tool_check
            run(instances, choose, guided=self.heuristic.startswith("next"))


def _variant(name: str) -> Variant:
    known = [str(each) for each in Variant]
    if name not in known:
        hint = did_you_mean(str(name), known) or f"variants: {', '.join(known)}"
        raise UsageError("P006", f"there is no variant {name!r}", hint=hint)
    return Variant(name)


EAGER = ContextEngine("eager", None)
LAZY = ContextEngine("lazy", "next")
TERNARY = ContextEngine("ternary", "all")
RANDOM = ContextEngine("random", "random")
