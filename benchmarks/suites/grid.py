"""The scalability experiment of [Dubslaff2024], section 7.2: 50 random models times 50 formulas.

Model i has i components with i // 3 boxes and 3 i nodes each, 5 % entries and exits, edges with the
probability 20 %, and labels a, b, c on 40, 60 and 50 % of the nodes. The 50 published models are
not available: these are Pigro's own, with the published parameters. Formula j is the published one
if its file is there, and otherwise one of quantifier depth j // 9 with branching 2.

The published limits were 30 min and 4 GB: `--timeout 30m --memory 4G`.
"""

from __future__ import annotations

import hashlib
from statistics import geometric_mean
from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, checked
from benchmarks.findings import slowest_of
from benchmarks.suite import Plot, Suite
from benchmarks.tables import (
    StudyTable,
    amount_of_memory,
    amount_of_time,
    count,
    ratio,
    undecided,
)
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.logic import read_formulas

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from benchmarks.case import At, Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM

ENGINES = ("demand", "lazy", "eager")
SIDE = 50
QUICK = range(5, SIDE + 1, 5)
SEED = 1


class Grid(Suite):
    """Models by formulas, both growing."""

    name = "grid"
    about = "50 random models by 50 random formulas of growing size, by demand, lazy and eager"
    repeat = 1

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Model by model."""
        steps = QUICK if scope.quick else range(1, SIDE + 1)
        for model in steps:
            for formula in steps:
                edition = formula_edition(scope, formula)
                for engine in ENGINES:
                    at: At = (("model", model), ("formula", formula))
                    yield Case(self.name, engine, at, edition)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Whether the formulas are not the published ones."""
        if formula_file(scope, 1) is not None:
            return []
        return ["the published formulas: random ones of the same shape are used instead"]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One engine on one pair."""
        size = case.number("model")
        model, seconds = self._models.take(size, lambda: grid_model(size))
        formula = scope_formula(scope, case.number("formula"))
        return checked(case.runner, model, formula, scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """A summary of each engine, and how they compare."""
        rows = [
            (
                engine, count(len(each)), count(sum(one.decided for one in each)),
                count(sum(one.word == "timeout" for one in each)),
                count(sum(one.word == "memout" for one in each)),
                amount_of_time(sum(one.last.seconds or 0.0 for one in each)),
                amount_of_time(slowest_of(each)),
                amount_of_memory(max((one.peak_memory or 0 for one in each), default=None)),
                count(sum(one.last.contexts or 0 for one in each)),
            )
            for engine in ENGINES
            if (each := found.where(engine))
        ]  # fmt: skip
        columns = (
            "engine", "pairs", "decided", "out of time", "out of memory", "all checks",
            "slowest check", "peak memory", "contexts",
        )  # fmt: skip
        compared = [
            (
                f"{slow} / {fast}", count(len(pairs)), ratio(geometric_mean(pairs), 1),
                ratio(sum(pairs) / len(pairs), 1), ratio(max(pairs), 1), ratio(min(pairs), 1),
            )
            for slow, fast in (("eager", "lazy"), ("lazy", "demand"), ("eager", "demand"))
            if (pairs := ratios(found, slow, fast))
        ]  # fmt: skip
        return [
            StudyTable("grid", "Random models by random formulas", columns, tuple(rows)),
            StudyTable(
                "grid-ratios",
                "One engine's time in times of another's, on formulas with a temporal operator",
                ("engines", "pairs", "geometric mean", "mean", "largest", "smallest"),
                tuple(compared),
            ),
        ]

    def plots(self, found: ResultSet) -> list[Plot]:
        """A heat map for each engine, and one for the ratio of eager to lazy."""
        return [Plot("grid", (10, 8.4), lambda figure: _draw(figure, found))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What the text tells."""
        pairs = ratios(found, "eager", "lazy")
        demand = found.where("demand")
        asked = min(len(found.where(engine)) for engine in ENGINES)
        return {
            "asked": f"{count(asked)} of the {count(SIDE**2)}",
            "pairs": count(len(demand)),
            "demand": amount_of_time(sum(each.whole_seconds or 0.0 for each in demand)),
            "eager-lazy": ratio(sum(pairs) / len(pairs), 1) if pairs else "",
            **{f"{engine}-undecided": undecided(found.where(engine)) for engine in ENGINES},
        }


def grid_model(size: int) -> RSM:
    """Model number `size`."""
    return random_model(ModelShape.of_grid(size), SEED)


def grid_formula(size: int) -> Formula:
    """Formula number `size`."""
    return random_formula(FormulaShape.of_grid(size), SEED, size)


def formula_file(scope: StudyScope, size: int) -> Path | None:
    """The published formula number `size`, if it is there."""
    if scope.files is None:
        return None
    path = scope.files / "rsmcheck" / "random" / f"{size}.ctl"
    return path if path.is_file() else None


def formula_edition(scope: StudyScope, size: int) -> str:
    """Tells the published formula from Pigro's own, and both from those of before."""
    path = formula_file(scope, size)
    if path is None:
        return "own formula, published parameters"
    return f"published formula {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"


def scope_formula(scope: StudyScope, size: int) -> Formula:
    """The published formula, or one like it."""
    path = formula_file(scope, size)
    if path is None:
        return grid_formula(size)
    (_, formula), *_ = read_formulas(path.read_bytes())
    return formula


def ratios(found: ResultSet, slow: str, fast: str) -> list[float]:
    """How many times as long one engine takes as another, pair by pair.

    Pairs whose formula has no temporal operator say nothing about engines and are left out.
    """
    pairs = found.ratios(slow, fast)
    return [times for at, times in pairs.items() if int(dict(at)["formula"]) >= 9]


def _draw(figure: Figure, found: ResultSet) -> None:
    times = {
        engine: {each.case.at: each.seconds for each in found.where(engine) if each.seconds}
        for engine in ENGINES
    }
    known = [value for each in times.values() for value in each.values()] or [1.0]
    maps = figure.subplots(2, 2).flat
    for axes, engine in zip(maps, ENGINES, strict=False):
        _heat(figure, axes, times[engine], (min(known), max(known)), "viridis")
        over = [each.case for each in found.where(engine) if not each.decided]
        axes.plot(
            [case.number("formula") for case in over], [case.number("model") for case in over], "k."
        )
        axes.set_title(f"{engine}: check time in s")
    both = found.ratios("eager", "lazy")
    far = max([1.0, *both.values(), *(1 / each for each in both.values())])
    _heat(figure, maps[-1], both, (1 / far, far), "coolwarm")
    maps[-1].set_title("eager / lazy")


def _heat(
    figure: Figure, axes: Axes, values: dict[At, float], ends: tuple[float, float], colours: str
) -> None:
    """Values by formula and model, as colours on a logarithmic scale."""
    from matplotlib.colors import LogNorm

    points = {
        (int(dict(at)["formula"]), int(dict(at)["model"])): each for at, each in values.items()
    }
    across, up = (sorted({point[axis] for point in points}) for axis in (0, 1))
    if points:
        rows = [[points.get((x, y), float("nan")) for x in across] for y in up]
        mesh = axes.pcolormesh(
            across, up, rows, norm=LogNorm(*ends), cmap=colours, shading="nearest", rasterized=True
        )
        figure.colorbar(mesh, ax=axes)
    axes.set_xlabel("formula")
    axes.set_ylabel("model")
