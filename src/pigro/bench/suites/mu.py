"""The mu-calculus with recursion: does time grow with the size of the program?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.bench.case import Case
from pigro.bench.checking import Shelf, confirmed
from pigro.bench.generators.models import call_graph, without_numpy
from pigro.bench.suite import Suite
from pigro.bench.tables import Table, count, time_of
from pigro.bench.worker import forget_peak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.bench.case import Outcome
    from pigro.bench.findings import Findings, Result
    from pigro.bench.suite import Scope
    from pigro.model import RSM

SIZES = (10_000, 100_000, 1_000_000)
QUICK = SIZES[:1]
FORMULAS = {
    "nu X. (p -> mu Y. q | <> Y) & [] X": "holds",
    "nu X. mu Y. <> (q & X | Y)": "holds",
}
"""With their verdicts on `call_graph`."""


class MuCalculus(Suite):
    """Sizes by formulas."""

    name = "mu"
    about = "the mu-calculus on generated programs of 10^4 to 10^6 nodes, by game"

    def __init__(self) -> None:
        self._models: Shelf[RSM] = Shelf()

    def cases(self, scope: Scope) -> Iterator[Case]:
        """Size by size."""
        if self.skipped(scope):
            return
        for size in QUICK if scope.quick else SIZES:
            for formula in FORMULAS:
                yield Case.of(self.name, "game", nodes=size, formula=formula)

    def skipped(self, scope: Scope) -> list[str]:  # noqa: ARG002 - whatever the scope
        """Everything, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: Scope) -> Outcome:
        """One formula."""
        size, formula = case.number("nodes"), case.text("formula")
        model, seconds = self._models.take(size, lambda: call_graph(size))
        if seconds is not None:
            forget_peak()  # of making the model
        return confirmed(case.runner, model, formula, FORMULAS[formula], scope.limits, seconds)

    def tables(self, found: Findings) -> list[Table]:
        """One for all."""
        columns = ("nodes", "formula", "verdict", "time", "instances", "claims")
        rows = tuple(_row(result) for result in found.where("game"))
        return [Table("mu", "The mu-calculus with recursion", columns, rows)]


def _row(result: Result) -> tuple[str, ...]:
    nodes = int(result.last.details.get("nodes", result.case["nodes"]))
    return (
        count(nodes), result.case.text("formula"), result.word if result.decided else "",
        time_of(result), count(result.last.contexts), count(result.last.visited),
    )  # fmt: skip
