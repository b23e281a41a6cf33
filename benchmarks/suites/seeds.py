"""Choices at random, after [Dubslaff2024], sections 7.4.1 and 8.1.1, on the Java programs.

`random` contextualizes any box that knows more: how much do its counts and times fluctuate? And
does it matter whether GetNextExpansion chooses leftmost first (`next`) or not (`next-random`)?
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache, outcome_of
from benchmarks.suite import Suite
from benchmarks.suites.java import missing_programs, program_places, read_program, requirement
from benchmarks.tables import StudyTable, amount_of_time, count
from pigro.engines import choose_engine, with_options
from pigro.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

HEURISTICS = ("next", "next-random", "random")
SEEDS = range(20)
QUICK = range(3)


class Seeds(Suite):
    """Programs by heuristics and seeds."""

    name = "seeds"
    about = "lazy with next, next-random and random on the Java programs, over 20 seeds"
    repeat = 1

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Program by program. `next` has no seed."""
        for place, edition in program_places(scope):
            if dict(place)["file"] != "rsm":
                continue
            for seed in QUICK if scope.quick else SEEDS:
                for heuristic in HEURISTICS if seed == 0 else HEURISTICS[1:]:
                    yield Case(self.name, heuristic, (*place, ("seed", seed)), edition)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Programs whose files are missing."""
        return missing_programs(scope)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One heuristic with one seed on one program."""
        assert scope.files is not None
        files, program, semantics = scope.files, case.text("program"), case.text("semantics")
        model, seconds = self._models.take(
            (program, semantics), lambda: read_program(files, program, "rsm", semantics)
        )
        lazy = choose_engine("lazy")
        engine = with_options(lazy, heuristic=case.runner, seed=case.number("seed"))
        formula = requirement(files, program, model)
        (verdict,) = engine.check_all(model, [formula], budget=Budget(scope.limits))
        return outcome_of(verdict, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Least, middle and most contexts and times over the seeds."""
        rows = []
        places = dict.fromkeys(
            (each.case.text("semantics"), each.case.text("program")) for each in found
        )
        for semantics, program in places:
            for heuristic in HEURISTICS:
                each = found.where(heuristic, semantics=semantics, program=program)
                done = [one for one in each if one.decided]
                if not each:
                    continue
                contexts = [one.last.contexts or 0 for one in done]
                times = [one.seconds or 0.0 for one in done]
                rows.append((
                    semantics, program, heuristic, count(len(each)), count(len(done)),
                    *(count(int(pick(contexts))) if done else "" for pick in (min, median, max)),
                    *(amount_of_time(pick(times)) if done else "" for pick in (min, median, max)),
                ))  # fmt: skip
        columns = (
            "semantics", "program", "heuristic", "seeds", "decided", "least contexts", "median",
            "most", "shortest", "median time", "longest",
        )  # fmt: skip
        return [StudyTable("seeds", "Choices at random, over seeds", columns, tuple(rows))]
