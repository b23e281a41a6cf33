"""500 pushdown systems of growing size, after [Dubslaff2024], section 7.3.

The published experiment took the benchmark set of PuMoC [Song2012], numbered from 10 to 509. If the
folder of files has a folder `pumoc`, its systems are taken: `NAME.pds` with the formula in
`NAME.ctl`, numbered by the first number in the name. Otherwise they are Pigro's own: number i has
2 + i // 150 control states, 2 + i // 8 stack symbols, three rules for each pair of them, and a
formula of quantifier depth i % 4.

As published, each system is read as a single component. Pigro's own all have recursion.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from statistics import geometric_mean
from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, checked
from benchmarks.findings import slowest_of
from benchmarks.suite import Plot, Suite
from benchmarks.tables import StudyTable, amount_of_time, count, ratio, undecided
from pigro.formats import pds
from pigro.generate import FormulaShape, PushdownShape, random_formula, random_pushdown_system
from pigro.logic import existential_normal_form, read_formulas
from pigro.logic.normal import ATOM, EX

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM

ENGINES = ("demand", "lazy", "eager")
NUMBERS = range(10, 510)
QUICK = range(10, 510, 25)
PARTS = 5
"""Into so many parts of the same length tables divide the numbers."""
OWN = "single component with recursion"
"""Tells Pigro's systems from those of before, which had several components."""


class Pumoc(Suite):
    """Systems by engines."""

    name = "pumoc"
    about = "500 pushdown systems of one component, of growing size, by demand, lazy and eager"
    repeat = 1

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """System by system."""
        given = given_systems(scope)
        for number in given or (QUICK if scope.quick else NUMBERS):
            if scope.quick and number not in QUICK:
                continue
            depth, edition = number % 4, OWN
            if number in given:
                depth = depth_of(given_formula(given[number]))
                edition = hashlib.sha256(given[number].read_bytes()).hexdigest()[:12]
            for engine in ENGINES:
                at = (("system", number), ("depth", depth))
                yield Case(self.name, engine, at, edition)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Whether the systems are not the published ones."""
        return (
            [] if given_systems(scope) else ["the systems of PuMoC: random ones are used instead"]
        )

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One engine on one system."""
        number = case.number("system")
        path = given_systems(scope).get(number)
        model, seconds = self._models.take(
            (number, path), lambda: pushdown_model(number) if path is None else given_model(path)
        )
        formula = pushdown_formula(number) if path is None else given_formula(path)
        return checked(case.runner, model, formula, scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Engines by sizes."""
        rows = []
        step = len(NUMBERS) // PARTS
        for first in range(NUMBERS.start, NUMBERS.stop, step):
            for engine in ENGINES:
                part = [
                    each for each in found.where(engine)
                    if each.case.number("system") in range(first, first + step)
                ]  # fmt: skip
                if not part:
                    continue
                times = [each.seconds for each in part if each.seconds]
                rows.append((
                    f"{first} to {first + step - 1}", engine, count(len(part)),
                    count(sum(each.decided for each in part)),
                    amount_of_time(geometric_mean(times)) if times else "",
                    amount_of_time(max(times, default=None)),
                    count(sum(each.last.contexts or 0 for each in part)),
                ))  # fmt: skip
        columns = ("systems", "engine", "asked", "decided", "geometric mean", "slowest", "contexts")
        return [StudyTable("pumoc", "Random pushdown systems", columns, tuple(rows))]

    def plots(self, found: ResultSet) -> list[Plot]:
        """Time of each engine, system by system."""
        return [Plot("pumoc", (8, 4), lambda figure: _draw(figure, found))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What the text tells."""
        asked = min(len(found.where(engine)) for engine in ENGINES)
        return {
            "asked": f"{count(asked)} of the {count(len(NUMBERS))}",
            **{f"{engine}-undecided": undecided(found.where(engine)) for engine in ENGINES},
            "demand-slowest": amount_of_time(slowest_of(found.where("demand"))),
            "lazy-demand": _faster(found, "lazy", "demand"),
            "eager-lazy": _faster(found, "eager", "lazy"),
        }


def given_systems(scope: StudyScope) -> dict[int, Path]:
    """The systems in the folder of files that have a formula, by number."""
    folder = None if scope.files is None else scope.files / "pumoc"
    found: dict[int, Path] = {}
    for path in sorted(folder.rglob("*.pds")) if folder is not None else ():
        number = re.search(r"\d+", path.stem)
        if number is not None and path.with_suffix(".ctl").is_file():
            found.setdefault(int(number[0]), path)
    return dict(sorted(found.items()))


def given_model(path: Path) -> RSM:
    """A system of the folder, as a single component."""
    return pds.read(path.read_bytes(), source=str(path), translation="single")


def given_formula(path: Path) -> Formula:
    """The formula of a system of the folder."""
    formulas = path.with_suffix(".ctl")
    (_, formula), *_ = read_formulas(formulas.read_bytes(), source=str(formulas))
    return formula


def depth_of(formula: Formula) -> int:
    """How deep temporal operators are nested."""
    form = existential_normal_form(formula)
    depths: list[int] = []
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        below = [] if op == ATOM else [depths[at] for at in (left, right) if at >= 0]
        depths.append(max(below, default=0) + (op >= EX))
    return depths[-1]


def pushdown_model(number: int) -> RSM:
    """System `number`, as a single component: the first with recursion, seed by seed."""
    models = (
        pds.read(pushdown_system(number, again).encode(), translation="single")
        for again in itertools.count()
    )
    return next(model for model in models if model.statistics.recursive)


def pushdown_system(number: int, again: int = 0) -> str:
    """The text of system `number`. `again` gives others."""
    states, symbols = 2 + number // 150, 2 + number // 8
    shape = PushdownShape(states=states, symbols=symbols, rules=3 * states * symbols)
    return random_pushdown_system(shape, number + 1000 * again)


def pushdown_formula(number: int) -> Formula:
    """Formula `number`."""
    return random_formula(FormulaShape(depth=number % 4), number)


def _faster(found: ResultSet, slow: str, fast: str) -> str:
    """The geometric mean of the ratio, over systems whose formula has a temporal operator."""
    both = [times for at, times in found.ratios(slow, fast).items() if dict(at)["depth"]]
    return ratio(geometric_mean(both), 1) if both else ""


def _draw(figure: Figure, found: ResultSet) -> None:
    axes = figure.subplots()
    for engine, mark in zip(reversed(ENGINES), "x+.", strict=True):
        times = {each.case.number("system"): each.seconds for each in found.where(engine)}
        points = [(number, spent) for number, spent in times.items() if spent]
        numbers, seconds = [number for number, _ in points], [spent for _, spent in points]
        axes.plot(numbers, seconds, mark, markersize=4, label=engine)
    axes.set_yscale("log")
    axes.set_xlabel("system")
    axes.set_ylabel("check time in s")
    axes.grid(alpha=0.3)
    axes.legend()
