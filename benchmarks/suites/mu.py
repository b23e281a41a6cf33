"""The mu-calculus with recursion: does time grow with the program, with exits, with alternation?

There are two families. One is generated programs of growing size. The other is boxes that permute
exits, with formulas in which fixpoints alternate. These were chosen among random ones because they
need many instances.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import confirmed
from benchmarks.generators.models import permutations
from benchmarks.suites.programs import Programs, nodes_of
from benchmarks.tables import StudyTable, amount_of_time, count, time_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import Measurement
    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope

FORMULAS = {
    "nu X. (p -> mu Y. q | <> Y) & [] X": "holds",
    "nu X. mu Y. <> (q & X | Y)": "holds",
}
"""With their verdicts on `call_graph`."""
EXITS = (2, 4, 6, 8, 10)
QUICK_EXITS = EXITS[:4]
ALTERNATING = {
    1: ("mu X. <> X & [] (<> (p & X) | X) | p", "fails"),
    2: ("nu X. mu Y. p & [] X | !p & <> Y | [] Y", "holds"),
    3: ("mu Z. nu X. mu Y. (<> Y | p) & ([] Z | [] X)", "fails"),
    4: ("nu W. mu Z. nu X. mu Y. [] (<> <> X | Z) & ([] Y & [] W)", "fails"),
}
"""By alternation depth, with their verdicts on `permutations`."""


class MuCalculus(Programs):
    """Sizes by formulas, and exits by alternation depth."""

    name = "mu"
    about = "the mu-calculus by game: programs of 10^4 to 10^6 nodes, exits, alternation"
    engines = ("game",)
    sizes = (10_000, 100_000, 1_000_000)
    quick = sizes[:2]
    formulas = FORMULAS

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Size by size, then exits by exits."""
        yield from super().cases(scope)
        for exits in QUICK_EXITS if scope.quick else EXITS:
            for depth in ALTERNATING:
                yield Case.of(self.name, "game", exits=exits, alternation=depth)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One formula."""
        if not _is_permuted(case):
            return super().run(case, scope)
        formula, word = ALTERNATING[case.number("alternation")]
        model = permutations(case.number("exits"))
        return confirmed(case.runner, model, formula, word, scope.limits)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each family."""
        columns = ("nodes", "formula", "verdict", "time", "instances", "claims", "time a claim")
        sizes = [each for each in found.where("game") if not _is_permuted(each.case)]
        told = tuple(_row(each) for each in sizes)
        heads = ("exits", *(f"alternation depth {depth}" for depth in ALTERNATING))
        exits = [int(each) for each in found.values("exits")]
        rows = tuple((str(each), *_by_depth(found, each)) for each in exits)
        return [
            StudyTable("mu", "The mu-calculus with recursion", columns, told),
            StudyTable(
                "mu-exits", "Instances and time of games by exits and alternation", heads, rows
            ),
        ]


def _is_permuted(case: Case) -> bool:
    return any(name == "exits" for name, _ in case.at)


def _row(result: CaseResult) -> tuple[str, ...]:
    nodes, claims = nodes_of(result), result.last.visited
    seconds = result.seconds
    each = None if not claims or seconds is None else seconds / claims
    return (
        count(nodes), result.case.text("formula"), result.word if result.decided else "",
        time_of(result), count(result.last.contexts),
        "" if claims is None else f"{claims:,} ({claims / nodes:.0%} of the nodes)",
        amount_of_time(each),
    )  # fmt: skip


def _by_depth(found: ResultSet, exits: int) -> Iterator[str]:
    for depth in ALTERNATING:
        result = found.one("game", exits=exits, alternation=depth)
        if result is None or not result.decided:
            yield time_of(result)
        else:
            yield f"{count(result.last.contexts)}, {time_of(result)}"
