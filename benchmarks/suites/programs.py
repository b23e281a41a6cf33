"""What suites on generated programs share: sizes by formulas, whose verdicts are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, confirmed
from benchmarks.generators.models import call_graph, without_numpy
from benchmarks.suite import Suite
from benchmarks.worker import forget_peak

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from benchmarks.case import Measurement
    from benchmarks.findings import CaseResult
    from benchmarks.suite import StudyScope
    from pigro.model import RSM


class Programs(Suite):
    """Sizes by formulas."""

    engines: tuple[str, ...]
    sizes: tuple[int, ...]
    quick: tuple[int, ...]
    """The sizes for a first look."""
    formulas: Mapping[str, str]
    """With their verdicts on `call_graph`."""

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Size by size."""
        if self.skipped(scope):
            return
        for size in self.quick if scope.quick else self.sizes:
            for formula in self.formulas:
                for engine in self.engines:
                    yield Case.of(self.name, engine, nodes=size, formula=formula)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Everything, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One engine on one formula."""
        size = case.number("nodes")
        model, seconds = self._models.take(size, lambda: call_graph(size))
        if seconds is not None:
            forget_peak()  # of making the model
        return self.measured(case, model, scope, seconds)

    def measured(
        self, case: Case, model: RSM, scope: StudyScope, seconds: float | None
    ) -> Measurement:
        """One engine on one formula. `seconds` is how long making the model took, if it was now."""
        formula = case.text("formula")
        word = self.formulas[formula]
        engine, jobs = threads_of(case.runner)
        return confirmed(engine, model, formula, word, scope.limits, seconds, jobs)


def threads_of(runner: str) -> tuple[str, int]:
    """The engine of a runner, and on how many threads it checks: `demand`, or `demand x 2`."""
    engine, _, jobs = runner.partition(" x ")
    return engine, int(jobs or 1)


def nodes_of(result: CaseResult) -> int:
    """The real number, or about that many if the model was not made."""
    return int(result.last.details.get("nodes", result.case["nodes"]))
