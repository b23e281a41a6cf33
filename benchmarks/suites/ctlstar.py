"""CTL* on the fly, after [Bhat1995]: what does it cost, and how much is looked at?

The whole state space of structures from 10^3 to 10^6 states. CTL formulas and LTL patterns that
grow, and a system of 10^9 states given by a function, of which few are looked at. Structures and
CTL formulas are also asked of demand.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, checked, judged, outcome_of
from benchmarks.generators.star_formulas import CTL, LOCAL, LTL
from benchmarks.generators.structures import WHOLE, Billion, colourful, tangle
from benchmarks.suite import Plot, Suite
from benchmarks.tables import StudyTable, amount_of_time, count, ratio, time_of
from pigro.engines.onthefly.native import ONTHEFLY
from pigro.engines.onthefly.program import space_of
from pigro.limits import Budget
from pigro.logic import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from benchmarks.case import Measurement
    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

STATES = (1_000, 10_000, 100_000, 1_000_000)
OF_CTL = 10_000
OF_LTL = 2_000
"""States of the structures about which formulas that grow are asked."""
BILLION = 10**9


class CTLStar(Suite):
    """Families of questions, by formula and size."""

    name = "ctlstar"
    about = "CTL* on the fly: by states, by length of formulas, and on 10^9 states of a function"
    repeat = 3

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Family by family. All but the last needs numpy."""
        if find_spec("numpy") is not None:
            for question in WHOLE:
                for states in STATES[:2] if scope.quick else STATES:
                    yield from self._both("whole", question.formula, states)
            for pattern in CTL:
                for size in pattern.sizes[:2] if scope.quick else pattern.sizes:
                    yield from self._both("length", pattern.name, size)
            for pattern in LTL:
                for size in pattern.sizes[:3] if scope.quick else pattern.sizes:
                    yield self._case("onthefly", "pattern", pattern.name, size)
        for formula in LOCAL:
            yield self._case("onthefly", "function", formula, BILLION)

    def _both(self, family: str, formula: str, size: int) -> Iterator[Case]:
        yield self._case("onthefly", family, formula, size)
        yield self._case("demand", family, formula, size)

    def _case(self, runner: str, family: str, formula: str, size: int) -> Case:
        return Case.of(self.name, runner, family=family, formula=formula, size=size)

    def skipped(self, scope: StudyScope) -> list[str]:
        """All that numpy makes, without it."""
        if find_spec("numpy") is not None:
            return []
        return ["all structures: package numpy is not installed (pip install numpy)"]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One question."""
        family, formula, size = case.text("family"), case.text("formula"), case.number("size")
        if family == "function":
            [verdict] = ONTHEFLY.check_all(
                space_of(Billion()), [parse(formula)], budget=Budget(scope.limits)
            )
            return judged(outcome_of(verdict), holds=LOCAL[formula])
        if family == "whole":
            return self._whole(case, scope)
        pattern = {each.name: each for each in (*CTL, *LTL)}[formula]
        if family == "length":
            asked = parse(pattern.make(size))
            model, seconds = self._models.take(family, lambda: tangle(OF_CTL))
        else:
            asked = parse(f"A [{pattern.make(size)}]")
            labels = max(2, size)
            model, seconds = self._models.take(labels, lambda: colourful(OF_LTL, labels))
        return judged(checked(case.runner, model, asked, scope.limits, seconds), holds=True)

    def _whole(self, case: Case, scope: StudyScope) -> Measurement:
        question = next(each for each in WHOLE if each.formula == case["formula"])
        states = case.number("size")
        model, seconds = self._models.take(case.at, lambda: question.model(states))
        asked = parse(question.formula)
        outcome = checked(case.runner, model, asked, scope.limits, seconds)
        seen = outcome.details.get("states", states)
        if outcome.decided and seen != states:
            return replace(outcome, word="wrong", problem=f"{seen} of {states} states looked at")
        return judged(outcome, holds=question.holds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each family."""
        patterns = [
            (formula, count(size), each.word, count(each.last.visited), time_of(each))
            for formula, size, each in _rows(found, "pattern")
        ]
        local = [
            (formula, each.word, count(_states(each)), count(each.last.visited), time_of(each))
            for formula, _, each in _rows(found, "function")
        ]
        costs = ("verdict", "assertions", "time")
        beside = ("demand", "onthefly / demand")
        return [
            StudyTable(
                "ctlstar-states", "The whole state space, with three edges a state",
                ("formula", "states", *costs, "per state", *beside), _beside_demand(found, "whole"),
            ),
            StudyTable(
                "ctlstar-length", f"CTL formulas that grow, on {count(OF_CTL)} states",
                ("formula", "operators", *costs, "per operator", *beside),
                _beside_demand(found, "length"),
            ),
            StudyTable(
                "ctlstar-patterns", f"LTL patterns that grow, on {count(OF_LTL)} states",
                ("formula", "n", *costs), tuple(patterns),
            ),
            StudyTable(
                "ctlstar-function", "10^9 states, given by a function",
                ("formula", "verdict", "states looked at", "assertions", "time"), tuple(local),
            ),
        ]  # fmt: skip

    def plots(self, found: ResultSet) -> list[Plot]:
        """Time against states."""
        return [Plot("ctlstar", (7, 4.6), lambda figure: _draw(figure, found))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """Of the largest structures, and of 10^9 states."""
        largest = max([each[1] for each in _rows(found, "whole")], default=0)
        times = [each.seconds for _, size, each in _rows(found, "whole") if size == largest]
        known = [each for each in times if each is not None]
        seen = [_states(each) or 0 for _, _, each in _rows(found, "function")]
        return {
            "largest": count(largest),
            "slowest": amount_of_time(max(known, default=None)),
            "fastest": amount_of_time(min(known, default=None)),
            "looked-at": count(max(seen, default=None)),
        }


def _rows(found: ResultSet, family: str) -> list[tuple[str, int, CaseResult]]:
    """Formulas, sizes and results on the fly, in order."""
    known = [*(each.formula for each in WHOLE), *(each.name for each in (*CTL, *LTL)), *LOCAL]
    return [
        (formula, each.case.number("size"), each)
        for formula in known
        for each in _by_size(found.where("onthefly", family=family, formula=formula))
    ]


def _by_size(results: list[CaseResult]) -> list[CaseResult]:
    return sorted(results, key=lambda each: each.case.number("size"))


def _beside_demand(found: ResultSet, family: str) -> tuple[tuple[str, ...], ...]:
    rows = []
    for formula, size, each in _rows(found, family):
        demand = found.one("demand", family=family, formula=formula, size=size)
        rows.append((
            formula, count(size), each.word, count(each.last.visited), time_of(each),
            amount_of_time(None if each.seconds is None else each.seconds / size),
            time_of(demand), ratio(each.seconds, demand.seconds if demand else None),
        ))  # fmt: skip
    return tuple(rows)


def _states(result: CaseResult) -> int | None:
    states = result.last.details.get("states")
    return None if states is None else int(states)


def _draw(figure: Figure, found: ResultSet) -> None:
    axes = figure.subplots()
    for at, question in enumerate(WHOLE):
        for runner, line in (("onthefly", "-"), ("demand", ":")):
            results = _by_size(found.where(runner, family="whole", formula=question.formula))
            points = [(each.case.number("size"), each.seconds) for each in results if each.seconds]
            if points:
                name = question.formula + (" by demand" if runner == "demand" else "")
                axes.plot(*zip(*points, strict=True), line, marker="o", color=f"C{at}", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("states")
    axes.set_ylabel("check time in s")
    axes.grid(alpha=0.3)
    if axes.lines:
        axes.legend()
