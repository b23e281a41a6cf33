"""What many exits cost: in programs, and where boxes permute them.

Three families. `forward`: generated programs whose components have more and more exits, with a
formula of nesting 2. `permuted`: boxes that permute the exits ([Dubslaff2024], section 6.4.1), so
that contexts really are exponentially many. `gap`: the same model with a formula that a label of
the first node decides, where computing contexts only as needed makes all the difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, confirmed
from benchmarks.curves import by_exits, curve, finish
from benchmarks.generators.models import EITHER, NESTED, call_graph, permutations, without_numpy
from benchmarks.suite import Plot, Suite
from benchmarks.tables import StudyTable, amount_of_memory, count, time_of
from benchmarks.worker import forget_peak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from benchmarks.case import Coordinate, Measurement
    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

RUNNERS = {
    "forward": ("demand", "exhaustive"),
    "permuted": ("demand",),
    "gap": ("demand", "lazy", "eager"),
}
EXITS = {
    "forward": (1, 2, 4, 8, 16, 32, 64),
    "permuted": (4, 8, 12, 16, 20, 40),
    "gap": (2, 4, 6, 8, 10, 12),
}
QUICK = {"forward": 64, "permuted": 16, "gap": 8}
"""The most exits for a first look."""
NODES, QUICK_NODES = 100_000, 10_000
"""Of `forward`."""
FORMULAS = {"forward": NESTED[2], "permuted": EITHER, "gap": f"{EITHER} | !p"}
VERDICTS = {"forward": "fails", "permuted": "holds", "gap": "holds"}


class Exits(Suite):
    """Families by exits."""

    name = "exits"
    about = "components with 1 to 64 exits, boxes that permute exits, and the gap of eager and lazy"

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Family by family."""
        for family, runners in RUNNERS.items():
            if family == "forward" and self.skipped(scope):
                continue
            for exits in EXITS[family]:
                if scope.quick and exits > QUICK[family]:
                    continue
                nodes = exits + 1
                if family == "forward":
                    nodes = QUICK_NODES if scope.quick else NODES
                for engine in runners:
                    yield Case.of(self.name, engine, family=family, exits=exits, nodes=nodes)

    def skipped(self, scope: StudyScope) -> list[str]:
        """The programs, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One engine on one model."""
        family, exits, nodes = case.text("family"), case.number("exits"), case.number("nodes")
        model, seconds = self._models.take(
            (family == "forward", exits, nodes),
            lambda: (
                call_graph(nodes, exits=(exits, exits))
                if family == "forward"
                else permutations(exits)
            ),
        )
        if seconds is not None:
            forget_peak()  # of the model before, and of making this one
        formula, word = FORMULAS[family], VERDICTS[family]
        return confirmed(case.runner, model, formula, word, scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each family."""
        return [_forward(found), _permuted(found), _gap(found)]

    def plots(self, found: ResultSet) -> list[Plot]:
        """Time by exits, and the gap."""
        return [
            Plot("exits", (8, 3.6), lambda figure: _draw_exits(figure, found)),
            Plot("gap", (8, 3.6), lambda figure: _draw_gap(figure, found)),
        ]


def largest(results: list[CaseResult]) -> int:
    """The size of the programs to tell of, if there was a first look at smaller ones."""
    return max((each.case.number("nodes") for each in results), default=0)


def per_component(result: CaseResult | None) -> str:
    """Time, and contexts for each component."""
    if result is None or not result.decided:
        return time_of(result)
    components = int(result.last.details["components"])
    return f"{time_of(result)}, {(result.last.contexts or 0) / components:.1f}"


def _forward(found: ResultSet) -> StudyTable:
    nodes = largest(found.where(family="forward"))
    rows = []
    for exits in EXITS["forward"]:
        place: dict[str, Coordinate] = {"family": "forward", "exits": exits, "nodes": nodes}
        results = found.where(None, **place)
        sizes = [int(each.last.details["nodes"]) for each in results if each.last.details]
        cells = [found.one(engine, **place) for engine in RUNNERS["forward"]]
        if results:
            rows.append((str(exits), count(sizes[0]) if sizes else "", *map(per_component, cells)))
    title = f"Exits of generated programs, {FORMULAS['forward']}: time, contexts for each component"
    return StudyTable("exits-forward", title, ("exits", "nodes", *RUNNERS["forward"]), tuple(rows))


def _permuted(found: ResultSet) -> StudyTable:
    rows = [
        (
            str(each.case["exits"]), each.word if each.decided else "", time_of(each),
            count(each.last.contexts), amount_of_memory(each.peak_memory),
        )
        for each in found.where("demand", family="permuted")
    ]  # fmt: skip
    columns = ("exits", "verdict", "time", "contexts", "peak memory")
    return StudyTable(
        "exits-permuted", f"Permuted exits, {EITHER}, by demand", columns, tuple(rows)
    )


def _gap(found: ResultSet) -> StudyTable:
    columns = [
        each for engine in RUNNERS["gap"] for each in (f"{engine}: contexts", f"{engine}: time")
    ]
    rows = []
    for exits in EXITS["gap"]:
        cells = [found.one(engine, family="gap", exits=exits) for engine in RUNNERS["gap"]]
        if any(cells):
            pairs = [(count(each.last.contexts) if each else "", time_of(each)) for each in cells]
            rows.append((str(exits), *(cell for pair in pairs for cell in pair)))
    title = f"Permuted exits, {FORMULAS['gap']}"
    return StudyTable("exits-gap", title, ("exits", *columns), tuple(rows))


def _draw_exits(figure: Figure, found: ResultSet) -> None:
    left, right = figure.subplots(1, 2)
    for colour, engine in enumerate(RUNNERS["forward"]):
        curve(left, _times(found, engine, "forward"), engine, colour=colour)
    by_exits(left, EXITS["forward"], "check time in s")
    left.set_ylim(bottom=0)
    left.set_title("generated programs")
    curve(right, _times(found, "demand", "permuted"), "demand")
    right.set_yscale("log")
    right.set_xticks(EXITS["permuted"])
    finish(right, "exits", "check time in s")
    right.set_title("permuted exits")


def _draw_gap(figure: Figure, found: ResultSet) -> None:
    left, right = figure.subplots(1, 2)
    for colour, engine in enumerate(RUNNERS["gap"]):
        results = [each for each in found.where(engine, family="gap") if each.decided]
        contexts = [(each.case.number("exits"), each.last.contexts) for each in results]
        curve(left, contexts, engine, colour=colour)
        curve(right, _times(found, engine, "gap"), engine, colour=colour)
    left.set_yscale("symlog", linthresh=1)  # demand needs none
    right.set_yscale("log")
    finish(left, "exits", "contexts")
    finish(right, "exits", "check time in s")


def _times(found: ResultSet, engine: str, family: str) -> list[tuple[float, float | None]]:
    results = found.where(engine, family=family)
    if family == "forward":
        results = found.where(engine, family=family, nodes=largest(results))
    return [(each.case.number("exits"), each.seconds) for each in results]
