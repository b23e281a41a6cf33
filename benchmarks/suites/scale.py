"""Generated programs of growing size: does time grow with the size of the program?

Their formulas need all that runs can reach, and their verdicts are known. Growth is told where both
sizes had at least half as many visits as nodes: below that, a run is about a part of the program.

The yardstick is a bare search over the same arrays, with one bit for a node. It takes turns with
the engines. The column *searches* says how many times as long a check takes. The last table
says how many times as fast a check is that may use two threads.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.case import Measurement
from benchmarks.checking import sizes_of, steady
from benchmarks.curves import curve, finish
from benchmarks.findings import slowest_of
from benchmarks.generators.models import FORMULAS
from benchmarks.suite import Plot
from benchmarks.suites.programs import Programs, nodes_of
from benchmarks.tables import StudyTable, amount_of_memory, amount_of_time, count, ratio, time_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from benchmarks.case import Case
    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

ENGINES = ("demand", "exhaustive")
YARDSTICK = "search"
TWO_THREADS = "demand x 2"


class Scale(Programs):
    """Sizes by formulas."""

    name = "scale"
    about = "generated programs of 10^4 to 10^7 nodes, by demand and exhaustive"
    engines = (YARDSTICK, *ENGINES, TWO_THREADS)
    sizes = (10_000, 100_000, 1_000_000, 10_000_000)
    quick = sizes[:2]
    formulas = FORMULAS

    def measured(
        self, case: Case, model: RSM, scope: StudyScope, seconds: float | None
    ) -> Measurement:
        """One engine on one formula, or the yardstick."""
        if case.runner != YARDSTICK:
            return super().measured(case, model, scope, seconds)
        took, visited = _searched(model)
        outcome = Measurement("done", took, seconds, visited=visited, details=sizes_of(model))
        return steady(outcome, lambda: _searched(model)[0])

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each engine."""
        columns = (
            "nodes", "formula", "verdict", "make", "time", "searches", "growth", "contexts",
            "visited", "peak memory",
        )  # fmt: skip
        alone = [
            StudyTable(
                f"scale-{engine}",
                f"Generated programs by {engine}",
                columns,
                tuple(_row(found, result) for result in found.where(engine)),
            )
            for engine in ENGINES
        ]
        return [*alone, _threads(found)]

    def plots(self, found: ResultSet) -> list[Plot]:
        """Time by size."""
        return [Plot("scale", (6.4, 4.4), lambda figure: _draw(figure, found))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """The largest size that all formulas were checked at, and the slowest of them."""
        sizes = [
            int(size)
            for size in found.values("nodes")
            if len([each for each in found.where("demand", nodes=size) if each.decided])
            == len(FORMULAS)
        ]
        if not sizes:
            return {}
        last = found.where("demand", nodes=max(sizes))
        bare = slowest_of(found.where(YARDSTICK, nodes=max(sizes)))
        return {
            "largest": count(max(map(nodes_of, last))),
            "largest-search": amount_of_time(bare),
            "largest-slowest": amount_of_time(max(each.seconds or 0.0 for each in last)),
            "largest-memory": amount_of_memory(max(each.peak_memory or 0 for each in last)),
        }


def _row(found: ResultSet, result: CaseResult) -> tuple[str, ...]:
    nodes, visited = nodes_of(result), result.last.visited
    making = [each.load_seconds for each in found.where(nodes=result.case["nodes"])]
    return (
        count(nodes), result.case.text("formula"), result.word if result.decided else "",
        amount_of_time(next((each for each in making if each is not None), None)),
        time_of(result), _searches(found, result), _growth(found, result),
        count(result.last.contexts),
        "" if visited is None else f"{visited:,} ({visited / nodes:.0%})",
        amount_of_memory(result.peak_memory),
    )  # fmt: skip


def _threads(found: ResultSet) -> StudyTable:
    """What a second thread gains, where a check takes long enough for one."""
    rows = []
    for two in found.where(TWO_THREADS):
        one = found.one("demand", **dict(two.case.at))
        if one is not None and _thorough(one):
            rows.append((
                count(nodes_of(two)), two.case.text("formula"), time_of(one), time_of(two),
                ratio(one.seconds, two.seconds),
            ))  # fmt: skip
    columns = ("nodes", "formula", "one thread", "two threads", "times as fast")
    return StudyTable("scale-threads", "One formula on two threads", columns, tuple(rows))


def _searched(model: RSM) -> tuple[float, int]:
    """The seconds that a bare search takes, and the nodes that it reaches."""
    began = time.perf_counter()
    visited = model.core.count_reachable(list(model.initial))
    return time.perf_counter() - began, visited


def _searches(found: ResultSet, result: CaseResult) -> str:
    """Against the yardstick, if the check went through the program."""
    bare = found.one(YARDSTICK, **dict(result.case.at))
    return ratio(result.seconds, bare.seconds) if bare is not None and _thorough(result) else ""


def _growth(found: ResultSet, result: CaseResult) -> str:
    """Against the size before, if both runs went through the program."""
    case = result.case
    before = found.one(case.runner, nodes=case.number("nodes") // 10, formula=case["formula"])
    if before is None or not (_thorough(before) and _thorough(result)):
        return ""
    return ratio(result.seconds, before.seconds)


def _thorough(result: CaseResult) -> bool:
    return 2 * (result.last.visited or 0) >= nodes_of(result)


def _draw(figure: Figure, found: ResultSet) -> None:
    axes = figure.subplots()
    for engine, line in zip(ENGINES, ("-", ":"), strict=True):
        for colour, formula in enumerate(FORMULAS):
            points = [
                (nodes_of(each), each.seconds) for each in found.where(engine, formula=formula)
            ]
            curve(axes, points, f"{formula}, {engine}", line, colour)
    axes.set_xscale("log")
    axes.set_yscale("log")
    finish(axes, "nodes", "check time in s")
