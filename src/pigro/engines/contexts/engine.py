"""The engines `eager`, `lazy`, `ternary` and `random`: one machinery, and a heuristic or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.contexts.eager import eager_check
from pigro.engines.contexts.heuristics import heuristic_called
from pigro.engines.contexts.initialize import initialize
from pigro.engines.contexts.interpretation import Question
from pigro.engines.contexts.lazy import lazy_check
from pigro.engines.contexts.shape import shape_of
from pigro.engines.contexts.trace import Trace
from pigro.engines.python_engine import Decision, PythonEngine

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class ContextEngine(PythonEngine):
    """An engine of [Dubslaff2024]: EagerCheck, or LazyCheck with a heuristic."""

    name: str
    heuristic: str | None
    """By name; None: EagerCheck."""
    seed: int = 0
    """For heuristics that choose at random."""
    trace: bool = False
    """Whether verdicts tell the steps that were taken."""

    def decider(self, model: RSM) -> Callable[[Formula, Budget], Decision]:
        """See `PythonEngine.decider`."""

        def decide(formula: Formula, budget: Budget) -> Decision:
            return self._decide(model, formula, budget)

        return decide

    def _decide(self, model: RSM, formula: Formula, budget: Budget) -> Decision:
        trace = Trace(self.trace)
        instances = initialize(Question.of(shape_of(model), formula), budget, trace)
        if self.heuristic is None:
            eager_check(instances)
        else:
            lazy_check(instances, heuristic_called(self.heuristic)(self.seed))
        truths = [truth is True for truth in instances.answers()]
        assert instances.decided()
        steps = tuple(trace.steps) if self.trace else None
        return Decision(truths, instances.contexts, instances.passes, steps)


EAGER = ContextEngine("eager", None)
LAZY = ContextEngine("lazy", "next")
TERNARY = ContextEngine("ternary", "all")
RANDOM = ContextEngine("random", "random")
