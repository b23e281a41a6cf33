"""Tables and the plot of the suite `compose`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.generators.composed_families import FAMILIES
from benchmarks.generators.games import LADDER, RANDOM
from benchmarks.tables import StudyTable, amount_of_memory, count, ratio, time_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.generators.composed_families import Family

SHOWN = (10_000, 1_000_000)
"""Sizes in the tables, if they were measured. All of them are in the plot."""
_COLOURS = {"one": "C0", "few": "C2", "most": "C1", "everything": "C3"}
_MARKS = "osD^vPX*<>"


@dataclass(frozen=True, slots=True)
class _MeasuredFamily:
    """A family at one size, by all methods."""

    family: Family
    size: int
    results: dict[str, CaseResult]

    def number(self, method: str, name: str) -> int | None:
        """A detail of a method that gave a verdict."""
        result = self.results.get(method)
        found = result.last.details.get(name) if result is not None and result.decided else None
        return None if found is None else int(found)

    @property
    def states(self) -> int | None:
        """Composed ones, reachable or not. Any method may tell."""
        known = (each.last.details.get("states") for each in self.results.values())
        return next((int(each) for each in known if each is not None), None)

    @property
    def looked_at(self) -> float | None:
        """Positions of all games of the method `concrete`, of those of the full game."""
        parts, product = self.number("concrete", "parts"), self.number("concrete", "product")
        full = self.number("full", "full")
        if not full or parts is None or product is None:
            return None
        return (parts + product) / full

    @property
    def time(self) -> float | None:
        """Of the method `concrete`, of that of `full`."""
        concrete, full = (self.seconds(method) for method in ("concrete", "full"))
        return concrete / full if concrete and full else None

    def seconds(self, method: str) -> float | None:
        """Of a method that gave a verdict."""
        return self.results[method].seconds if method in self.results else None


def _systems(found: ResultSet) -> Iterator[_MeasuredFamily]:
    """All that were measured, in order."""
    for family in FAMILIES:
        by_size: dict[int, dict[str, CaseResult]] = {}
        for each in found.where(family=family.name):
            by_size.setdefault(each.case.number("size"), {})[each.case.runner] = each
        for size in sorted(by_size):
            yield _MeasuredFamily(family, size, by_size[size])


def all_tables(found: ResultSet) -> list[StudyTable]:
    """Positions, times, refinement, games."""
    systems = list(_systems(found))
    shown = [each for each in systems if each.size in SHOWN] or systems
    tables = [_positions(shown), _times(shown), _refinement(shown), _games(found)]
    compared = [each for each in systems if "refine, one cause" in each.results]
    return [*tables, _strategies(compared)] if compared else tables


def _positions(systems: list[_MeasuredFamily]) -> StudyTable:
    rows = [
        (
            each.family.kind, each.family.name, each.family.sharing, each.family.formula,
            "holds" if each.family.holds else "fails", count(each.states),
            *(count(each.number("concrete", name)) for name in ("parts", "undecided", "product")),
            count(each.number("full", "full")), _percent(each.looked_at),
        )
        for each in systems
    ]  # fmt: skip
    columns = (
        "depends on", "family", "parts share", "formula", "verdict", "composed states",
        "parts alone", "undecided", "product", "full game", "looked at",
    )  # fmt: skip
    return StudyTable("compose-positions", "Compositions: positions of games", columns, tuple(rows))


def _percent(share: float | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.2g}%" if share < 0.995 else f"{100 * share:.0f}%"


def _times(systems: list[_MeasuredFamily]) -> StudyTable:
    rows = [
        (
            each.family.kind, each.family.name, count(each.states),
            *(time_of(each.results.get(method)) for method in ("concrete", "full")),
            ratio(each.seconds("full"), each.seconds("concrete")),
            *(time_of(each.results.get(name)) for name in ("refine", "refine-one", "symbolic")),
            *(
                amount_of_memory(result.peak_memory if result else None)
                for result in map(each.results.get, ("concrete", "full"))
            ),
        )
        for each in systems
    ]  # fmt: skip
    columns = (
        "depends on", "family", "composed states", "concrete", "full", "full / concrete",
        "refine", "refine-one", "symbolic", "memory, concrete", "memory, full",
    )  # fmt: skip
    return StudyTable("compose-time", "Compositions: time by methods", columns, tuple(rows))


def _refinement(systems: list[_MeasuredFamily]) -> StudyTable:
    rows = [
        (
            each.family.kind, each.family.name, count(each.states),
            *(
                text
                for method in ("refine", "refine-one")
                for text in (count(each.number(method, "rounds")), _blocks(each, method))
            ),
        )
        for each in systems
    ]  # fmt: skip
    columns = (
        "depends on", "family", "composed states", "refine: rounds", "blocks of parts",
        "refine-one: rounds", "blocks of parts",
    )  # fmt: skip
    return StudyTable("compose-refinement", "Compositions: refinement", columns, tuple(rows))


def _strategies(systems: list[_MeasuredFamily]) -> StudyTable:
    """One cause in a round against many, and hyper-steps against none."""
    rows = [
        (
            each.family.name, count(each.states), runner, count(each.number(runner, "rounds")),
            _blocks(each, runner), time_of(each.results.get(runner)),
        )
        for each in systems
        for runner in sorted(each.results)
        if runner.startswith("refine")
    ]  # fmt: skip
    columns = ("family", "composed states", "strategy", "rounds", "blocks of parts", "time")
    title = "Compositions: strategies of refinement"
    return StudyTable("compose-strategies", title, columns, tuple(rows))


def _blocks(system: _MeasuredFamily, method: str) -> str:
    result = system.results.get(method)
    return str(result.last.details.get("blocks", "")) if result and result.decided else ""


def _games(found: ResultSet) -> StudyTable:
    known = [*RANDOM, LADDER]
    games = [each for name in known for each in found.where("solver", family=name)]
    rows = []
    for each in sorted(games, key=lambda each: each.case.number("size")):
        details = each.last.details
        told = [details.get(name) for name in ("nodes", "edges", "priorities", "undecided")]
        numbers = [None if value is None else int(value) for value in told]
        speed = numbers[0] / each.seconds if numbers[0] and each.seconds else None
        rows.append((
            each.case.text("family"), count(each.case.number("size")), *map(count, numbers),
            time_of(each), count(speed),
        ))  # fmt: skip
    columns = (
        "game", "size", "nodes", "edges", "priorities", "undecided", "time", "nodes per second",
    )  # fmt: skip
    return StudyTable("compose-games", "Parity games", columns, tuple(rows))


def worth(found: ResultSet) -> dict[str, str]:
    """At the largest size: where one part or few joint states decide, and where most of them do."""
    systems = list(_systems(found))
    largest = max((each.size for each in systems), default=0)
    facts = {"largest": count(largest)}
    for name, kinds in (("local", ("one", "few")), ("most", ("most",))):
        mine = [each for each in systems if each.size == largest and each.family.kind in kinds]
        times = [1 / each.time for each in mine if each.time]
        shares = [each.looked_at for each in mine if each.looked_at]
        facts[f"{name}-least"] = ratio(min(times, default=None), 1)
        facts[f"{name}-most"] = ratio(max(times, default=None), 1)
        facts[f"{name}-looked-at"] = _percent(max(shares, default=None))
    return facts


def draw(figure: Figure, found: ResultSet) -> None:
    """How much of the full game is looked at, and how long it takes, by composed states."""
    left, right = figure.subplots(1, 2)
    marks = {kind: iter(_MARKS) for kind in _COLOURS}
    systems = list(_systems(found))
    for family in FAMILIES:
        kind = family.kind
        style = {
            "color": _COLOURS[kind],
            "marker": next(marks[kind]),
            "label": f"{kind}: {family.name}",
        }
        mine = [each for each in systems if each.family == family and each.states]
        for axes, values in (
            (left, [(each.states, each.looked_at) for each in mine if each.looked_at]),
            (right, [(each.states, each.time) for each in mine if each.time]),
        ):
            if values:
                axes.plot(*zip(*values, strict=True), markersize=4, linewidth=1, **style)
    for axes, what in ((left, "positions looked at"), (right, "time")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("composed states")
        axes.set_ylabel(f"{what}, of those of the full game")
        axes.axhline(1, color="grey", linewidth=0.7, linestyle="--")
        axes.grid(alpha=0.3)
    if len(left.lines) > 1:
        figure.legend(
            *left.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=8
        )
