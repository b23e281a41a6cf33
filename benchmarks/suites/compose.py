"""The mu-calculus on systems of parts, after [Shoham2010]: how much does composing less save?

Families of compositions from 10^2 to 10^6 composed states, by all methods that fit, and the solver
of parity games, on random games and on ladders. What comes out is known of most of them.
"""

from __future__ import annotations

import time
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache, judged, steady, why_none
from benchmarks.composed_tables import all_tables, draw, worth
from benchmarks.generators.composed_families import FAMILIES
from benchmarks.generators.games import LADDER, RANDOM, ladder
from benchmarks.suite import Plot, Suite
from pigro.diagnostics import UsageError
from pigro.engines.game.diagrams import package
from pigro.engines.game.solver import MAYBE, solve
from pigro.limits import NO_LIMITS
from pigro.session.api import compose_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.findings import ResultSet
    from benchmarks.generators.composed_families import Family
    from benchmarks.generators.games import FlatGame
    from benchmarks.suite import StudyScope
    from benchmarks.tables import StudyTable
    from pigro.limits import Limits
    from pigro.model.composition import Composition
    from pigro.verdict import Verdict
    from pigro.verdict.composition_details import CompositionDetails

METHODS = ("concrete", "full", "refine", "refine-one")
"""Those for all families. The symbolic one is for some."""
STRATEGIES: dict[str, tuple[str, str, bool]] = {
    "refine, no hyper-steps": ("refine", "many", False),
    "refine, one cause": ("refine", "one", True),
    "refine, one cause, no hyper-steps": ("refine", "one", False),
    "refine-one, no hyper-steps": ("refine-one", "many", False),
    "refine-one, one cause": ("refine-one", "one", True),
    "refine-one, one cause, no hyper-steps": ("refine-one", "one", False),
}
"""Other ways to refine than the default: the method, how it takes causes, and whether with
hyper-steps. Those by one cause are for small systems only."""
STATES = (100, 1_000, 10_000, 100_000, 1_000_000)
RUNGS = (5, 10, 15, 20, 25)


class Compose(Suite):
    """Families by methods, and games."""

    name = "compose"
    about = "systems of parts: composing undecided positions or all of them, and parity games"
    repeat = 3

    def __init__(self) -> None:
        self._systems: LastValueCache[Composition] = LastValueCache()
        self._games: LastValueCache[FlatGame] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Compositions, then games."""
        for family in FAMILIES:
            symbolic = family.is_symbolic and _no_diagrams() is None
            for states in STATES[:2] if scope.quick else STATES:
                for method in (*METHODS, "symbolic") if symbolic else METHODS:
                    yield Case.of(self.name, method, family=family.name, size=states)
            for runner, (_, refine, _) in STRATEGIES.items():
                most = 1 if scope.quick else 2 if refine == "one" else 3
                for states in STATES[:most]:
                    yield Case.of(self.name, runner, family=family.name, size=states)
        if find_spec("numpy") is not None:
            for nodes in STATES[1:2] if scope.quick else STATES[1:]:
                for name in RANDOM:
                    yield Case.of(self.name, "solver", family=name, size=nodes)
        for rungs in RUNGS[:3] if scope.quick else RUNGS:
            yield Case.of(self.name, "solver", family=LADDER, size=rungs)

    def skipped(self, scope: StudyScope) -> list[str]:
        """What needs packages that are not there."""
        lines = []
        missing = _no_diagrams()
        if missing is not None:
            lines.append(f"symbolic: {missing}")
        if find_spec("numpy") is None:
            missing = "package numpy is not installed (pip install numpy)"
            lines.append(f"random games: {missing}")
        return lines

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One method on one system, or a game."""
        name, size = case.text("family"), case.number("size")
        if case.runner == "solver":
            make = ladder if name == LADDER else RANDOM[name]
            game, seconds = self._games.take(case.at, lambda: make(size))
            return replace(solved(game, name, size), load_seconds=seconds)
        family = next(each for each in FAMILIES if each.name == name)
        system, seconds = self._systems.take(case.at, lambda: family.make(size))
        return replace(checked_parts(family, system, case.runner, scope), load_seconds=seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Positions, times, refinement, games."""
        return all_tables(found)

    def plots(self, found: ResultSet) -> list[Plot]:
        """How much of the full game, and of its time."""
        return [Plot("compositions", (10, 5.4), lambda figure: draw(figure, found))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What composing less is worth at the largest size."""
        return worth(found)


def _no_diagrams() -> str | None:
    """Why there are no decision diagrams, if there are none."""
    try:
        package()
    except UsageError as error:
        return f"{error.message}: {error.hint}"
    return None


def checked_parts(
    family: Family, system: Composition, runner: str, scope: StudyScope
) -> Measurement:
    """The verdict of a method."""
    method, refine, hyper = STRATEGIES.get(runner, (runner, None, True))

    def check(limits: Limits) -> Verdict:
        return compose_check(
            system, family.formula, method=method, refine=refine, hyper=hyper, limits=limits
        )

    verdict = check(scope.limits)
    word: str = verdict.outcome
    problem = None
    if verdict.holds is None:
        word = why_none(verdict.remarks.gave_up) if verdict.remarks.gave_up else "error"
        problem = verdict.reason
    details: CompositionDetails = verdict.details
    games = [layer for each in details.rounds for layer in each.layers] or details.layers
    outcome = Measurement(
        word,
        seconds=verdict.seconds,
        visited=sum(layer.nodes for layer in games) or None,
        details=_details(system, details),
        problem=problem,
    )
    return judged(
        steady(outcome, lambda: check(NO_LIMITS).seconds),
        holds=family.holds,
    )


def _details(system: Composition, details: CompositionDetails) -> dict[str, str | int | float]:
    """Composed states, and what the method counts."""
    found: dict[str, str | int | float] = {"states": system.states}
    alone = [layer for layer in details.layers if len(layer.parts) == 1]
    if details.method == "concrete" and details.layers:
        found["parts"] = sum(layer.nodes for layer in alone)
        found["undecided"] = sum(layer.open_nodes for layer in alone)
        found["product"] = sum(layer.nodes for layer in details.layers) - int(found["parts"])
    elif details.method == "full" and details.layers:
        found["full"] = details.layers[-1].nodes
    elif details.rounds:
        found["rounds"] = len(details.rounds)
        found["blocks"] = ", ".join(f"{blocks:,}" for blocks in details.rounds[-1].blocks)
    elif details.symbolic is not None:
        found["rounds"] = details.symbolic.rounds_alone + details.symbolic.rounds
        found["diagram nodes"] = details.symbolic.nodes
        found["package"] = details.symbolic.package
    return found


def solved(game: FlatGame, name: str, size: int) -> Measurement:
    """A parity game. An error if what came out can't be."""

    def timed() -> tuple[bytes, float]:
        began = time.perf_counter()
        colours = solve(*game)
        return colours, time.perf_counter() - began

    colours, seconds = timed()
    undecided = colours.count(MAYBE)
    outcome = Measurement(
        "done",
        seconds=seconds,
        details={
            "nodes": len(game.owner),
            "edges": len(game.targets),
            "priorities": len(set(game.priority)),
            "undecided": undecided,
        },
    )
    if name == LADDER and set(colours) != {size % 2}:
        return replace(outcome, word="wrong", problem="one player wins a ladder everywhere")
    if undecided and all(game.must):
        return replace(outcome, word="wrong", problem="nothing is undecided in this game")
    return steady(outcome, lambda: timed()[1])
