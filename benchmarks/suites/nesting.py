"""What deep nesting of temporal operators costs, in generated programs with few and many exits.

A context says for each exit and each temporal subformula whether it holds behind the return: in the
worst case their number is exponential in exits times nesting. Programs are far from that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, confirmed
from benchmarks.curves import by_exits, curve
from benchmarks.generators.models import NESTED, call_graph, without_numpy
from benchmarks.suite import Plot, Suite
from benchmarks.suites.exits import largest, per_component
from benchmarks.tables import StudyTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

EXITS = (1, 4, 16, 64)
NODES, QUICK_NODES = 100_000, 10_000


class Nesting(Suite):
    """Depths by exits."""

    name = "nesting"
    about = "formulas of nesting 1 to 6 on generated programs with 1 to 64 exits, by demand"

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Model by model."""
        if self.skipped(scope):
            return
        nodes = QUICK_NODES if scope.quick else NODES
        for exits in EXITS:
            for depth in NESTED:
                yield Case.of(self.name, "demand", nodes=nodes, exits=exits, depth=depth)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Everything, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One formula on one model."""
        nodes, exits = case.number("nodes"), case.number("exits")
        model, seconds = self._models.take(
            (nodes, exits), lambda: call_graph(nodes, exits=(exits, exits))
        )
        formula = NESTED[case.number("depth")]
        return confirmed(case.runner, model, formula, "fails", scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Nesting by exits."""
        nodes = largest(found.where())
        rows = []
        for depth, formula in NESTED.items():
            cells = [found.one("demand", nodes=nodes, exits=exits, depth=depth) for exits in EXITS]
            if any(cells):
                rows.append((f"{depth}: {formula}", *map(per_component, cells)))
        columns = ("nesting", *(f"{exits} exit{'s' if exits > 1 else ''}" for exits in EXITS))
        title = "Nesting by exits of each component: time, contexts for each component"
        return [StudyTable("nesting", title, columns, tuple(rows))]

    def plots(self, found: ResultSet) -> list[Plot]:
        """Time by exits, a line for each depth."""
        return [Plot("nesting", (6.4, 4), lambda figure: _draw(figure, found))]


def _draw(figure: Figure, found: ResultSet) -> None:
    axes = figure.subplots()
    for depth in NESTED:
        results = found.where("demand", depth=depth, nodes=largest(found.where()))
        points = [(each.case.number("exits"), each.seconds) for each in results]
        curve(axes, points, f"nesting {depth}", colour=depth - 1)
    by_exits(axes, EXITS, "check time in s")
    axes.set_ylim(bottom=0)
