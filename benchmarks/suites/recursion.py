"""LTL and CTL* on recursive programs: growth in nodes, exits and the automaton, and Java programs.

Four families. `nodes`: generated programs of growing size. `exits`: a quantifier inside another,
and components with more and more exits. `fairness`: strong fairness with one to six pairs, whose
automata grow. `java`: every definition of a variable is followed by a use, once as LTL and once as
CTL, which mean the same: different verdicts are an error. And definitions again and again lead to
uses again and again, which CTL can't say.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache, confirmed, why_none
from benchmarks.generators.models import call_graph, without_numpy
from benchmarks.suite import Suite
from benchmarks.suites.java import missing_programs, program_places, read_program
from benchmarks.tables import StudyTable, amount_of_memory, amount_of_time, count, ratio, time_of
from benchmarks.worker import forget_peak
from pigro.engines import ENGINES
from pigro.formats.use_def import use_def
from pigro.limits import Budget
from pigro.logic import parse
from pigro.logic.lexer import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM

SIZES = (10_000, 100_000, 1_000_000)
EXITS = (1, 2, 4, 8, 16)
NODES, QUICK_NODES = 100_000, 10_000
"""Of `exits` and `fairness`."""
FORMULAS = (
    "A [G (p -> F q)]",
    "A [(G F p -> G F a) -> F q]",
    "AG (p -> A [G F a -> G F q])",
    "AG (p -> E [G F a | F q])",
)
"""All hold on `call_graph`."""
NESTED = FORMULAS[-1]
_PAIRS = (("p", "a"), ("a", "b"), ("b", "p"), ("p", "b"), ("a", "p"), ("b", "a"))
JAVA = {
    "LTL": "A [G ({defined} -> F {used})]",
    "CTL": "AG ({defined} -> AF {used})",
    "fair": "A [G F {defined} -> G F {used}]",
}


def strong_fairness(pairs: int) -> str:
    """Under that many assumptions, `q` comes. It holds on `call_graph`."""
    told = " & ".join(f"(G F {one} -> G F {other})" for one, other in _PAIRS[:pairs])
    return f"A [{told} -> F q]"


class Recursion(Suite):
    """Families by what grows."""

    name = "recursion"
    about = "LTL and CTL* on recursive programs: nodes, exits, strong fairness, Java programs"

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Family by family."""
        nodes = QUICK_NODES if scope.quick else NODES
        if not without_numpy():
            for size in SIZES[:2] if scope.quick else SIZES:
                for formula in FORMULAS:
                    yield self._case("nodes", size, 0, formula)
            for exits in EXITS:
                yield self._case("exits", nodes, exits, NESTED)
            for pairs in range(1, len(_PAIRS) + 1):
                yield self._case("fairness", nodes, 0, strong_fairness(pairs))
        for at, edition in program_places(scope):
            if {("file", "rsm"), ("semantics", "standard")} <= set(at):
                for logic in JAVA:
                    place = (("family", "java"), *at, ("formula", logic))
                    yield Case(self.name, "demand", place, edition)

    def _case(self, family: str, nodes: int, exits: int, formula: str) -> Case:
        return Case.of(
            self.name, "demand", family=family, nodes=nodes, exits=exits, formula=formula
        )

    def skipped(self, scope: StudyScope) -> list[str]:
        """Generated programs without NumPy, and programs whose files are missing."""
        return [*without_numpy(), *missing_programs(scope)]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One formula on one model, or all variables of a Java program."""
        if case["family"] == "java":
            return self._java(case, scope)
        nodes, exits = case.number("nodes"), case.number("exits")
        span = (exits, exits) if exits else (1, 3)
        model, seconds = self._models.take((nodes, exits), lambda: call_graph(nodes, exits=span))
        if seconds is not None:
            forget_peak()  # of making the model
        formula = case.text("formula")
        return confirmed(case.runner, model, formula, "holds", scope.limits, seconds)

    def _java(self, case: Case, scope: StudyScope) -> Measurement:
        files, program = scope.files, case.text("program")
        assert files is not None
        model, load = self._models.take(
            program, lambda: read_program(files, program, "rsm", "standard")
        )
        found = {}
        logic = case.text("formula")
        for each in dict.fromkeys((logic, "CTL" if logic == "LTL" else logic)):
            asked = _requirements(model, JAVA[each])
            began = time.perf_counter()
            verdicts = ENGINES[case.runner].check_all(model, asked, budget=Budget(scope.limits))
            found[each] = time.perf_counter() - began, verdicts
        spent, verdicts = found[logic]
        undecided = [verdict for verdict in verdicts if verdict.holds is None]
        if undecided:
            why = undecided[0].remarks.gave_up
            return Measurement(why_none(why), spent, problem=why)
        wrong = [
            str(one.formula)
            for one, other in zip(verdicts, found.get("CTL", found[logic])[1], strict=True)
            if other.holds is not None and one.holds is not other.holds
        ]
        details: dict[str, str | int | float] = {
            "formulas": len(verdicts),
            "hold": sum(verdict.holds is True for verdict in verdicts),
            "slowest": max((each.stats.seconds for each in verdicts), default=0.0),
        }
        if wrong:
            return Measurement(
                "wrong", spent, load, details=details, problem=f"CTL differs: {wrong[0]}"
            )
        return Measurement("done", spent, load, details=details)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each family."""
        columns = ("nodes", "exits", "formula", "time", "growth", "contexts", "visited", "memory")
        made = [
            StudyTable(
                f"recursion-{family}",
                f"LTL and CTL* on generated programs: {family}",
                columns,
                tuple(_row(found, each) for each in found.where("demand", family=family)),
            )
            for family in ("nodes", "exits", "fairness")
        ]
        return [*made, _java_table(found)]


def _requirements(model: RSM, shape: str) -> list[Formula]:
    asked = []
    for each in use_def(model):
        kinds = ("def", "use", "usedef")
        defined, used, both = (quote(f"{kind}_{each.variable}") for kind in kinds)
        asked.append(
            parse(shape.format(defined=f"({defined} | {both})", used=f"({used} | {both})"))
        )
    return asked


def _row(found: ResultSet, result: CaseResult) -> tuple[str, ...]:
    case, last = result.case, result.last
    place = {name: case[name] for name in ("family", "exits", "formula")}
    before = found.one("demand", nodes=case.number("nodes") // 10, **place)
    exits = case.number("exits")
    nodes = int(last.details.get("nodes", case.number("nodes")))
    return (
        count(nodes), str(exits) if exits else "1 to 3", case.text("formula"), time_of(result),
        _growth(before, result),
        count(last.contexts), count(last.visited), amount_of_memory(result.peak_memory),
    )  # fmt: skip


def _growth(before: CaseResult | None, result: CaseResult) -> str:
    """Against a smaller program, if both runs visited half as many pairs as there are nodes."""
    both = [each for each in (before, result) if each is not None]
    if before is None or any(
        2 * (each.last.visited or 0) < each.case.number("nodes") for each in both
    ):
        return ""
    return ratio(result.seconds, before.seconds)


def _java_table(found: ResultSet) -> StudyTable:
    rows = []
    for ltl in found.where("demand", family="java", formula="LTL"):
        program = ltl.case.text("program")
        ctl = found.one("demand", family="java", program=program, formula="CTL")
        if ctl is None or not (ltl.decided and ctl.decided):
            continue
        slowest = [float(each.last.details["slowest"]) for each in (ltl, ctl)]
        times = (time_of(ltl), time_of(ctl), *map(amount_of_time, slowest))
        fair = found.one("demand", family="java", program=program, formula="fair")
        formulas = count(int(ltl.last.details["formulas"]))
        rows.append((program, formulas, *times, ratio(slowest[0], slowest[1]), time_of(fair)))
    columns = (
        "program", "formulas", "LTL", "CTL", "slowest, LTL", "slowest, CTL", "ratio", "fairness",
    )  # fmt: skip
    title = "All variables: A [G (def -> F use)], AG (def -> AF use), A [G F def -> G F use]"
    return StudyTable("recursion-java", title, columns, tuple(rows))
