"""Modules in SMV: many states and many formulas, and modules that call each other.

The evaluation of [Finis2012], section 5.5, is one random module with 5,000 states and 4,500
formulas, which XMV and NuSMV read and check on a laptop of 2012. The module itself was not
published. `control_flow` makes one of that size. The recursive algorithms of the thesis were not
evaluated there at all: here they check modules with calls, one entry and one exit each.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import packed, why_none
from benchmarks.drivers.nusmv import check_file
from benchmarks.drivers.peers import NUSMV
from benchmarks.generators.modules import control_flow, procedures
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, amount_of_memory, amount_of_time, count, time_of
from pigro.engines import ENGINES
from pigro.formats import smv
from pigro.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope

RUNNERS = {
    "module": ("demand", "exhaustive"),
    "procedures": ("demand", "exhaustive", "incremental", "knowledge", "basic"),
}
HOLD = {
    "module": {500: 241, 1_000: 464, 2_000: 1120, 5_000: 2714},
    "procedures": {10: 8, 20: 12, 50: 9, 100: 8},
}
"""By size (states, or modules): how many formulas hold."""
QUICK = {"module": 1_000, "procedures": 20}
"""The largest for a first look."""
PUBLISHED = {"XMV": 0.372, "NuSMV": 9.57}
"""Seconds for everything, 5,000 states and 4,500 formulas."""


class Smv(Suite):
    """Files by size."""

    name = "smv"
    about = "modules in SMV with up to 5,000 states and 4,500 formulas, and modules with calls"
    tools = (NUSMV,)

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """File by file."""
        for file, runners in RUNNERS.items():
            for size in HOLD[file]:
                if scope.quick and size > QUICK[file]:
                    continue
                for engine in runners:
                    yield Case.of(self.name, engine, file=file, size=size)
                if file == "module" and scope.peer(NUSMV) is not None:
                    case = Case.of(self.name, NUSMV, file=file, size=size)
                    yield replace(case, edition=dict(scope.versions).get(NUSMV, ""))

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """Reads a file and checks all its formulas, from nothing."""
        file, size = case.text("file"), case.number("size")
        program = scope.peer(NUSMV)
        if case.runner == NUSMV and program is not None:
            found = check_file(program, text_of(file, size), formulas_of(size), scope.limits)
            hold = found.details.get("hold", HOLD[file][size])
            wrong = f"{hold} formulas hold, not {HOLD[file][size]}"
            return (
                found if hold == HOLD[file][size] else replace(found, word="wrong", problem=wrong)
            )
        data = text_of(file, size).encode()
        began = time.perf_counter()
        document = smv.SmvDocument(data)
        model = document.model()
        formulas = [each.formula for each in document.requirements(model)]
        loaded = time.perf_counter()
        verdicts = ENGINES[case.runner].check_all(model, formulas, budget=Budget(scope.limits))
        ended = time.perf_counter()
        hold = sum(each.holds is True for each in verdicts)
        gave_up = next((each.remarks.gave_up for each in verdicts if each.holds is None), None)
        word, problem = "done", gave_up
        if gave_up is not None:
            word = why_none(gave_up)
        elif hold != HOLD[file][size]:
            word, problem = "wrong", f"{hold} formulas hold, not {HOLD[file][size]}"
        return Measurement(
            word=word,
            seconds=ended - loaded,
            load_seconds=loaded - began,
            contexts=sum(each.stats.contexts or 0 for each in verdicts),
            details={
                "nodes": model.listed().core.declared_nodes,
                "formulas": len(formulas),
                "hold": hold,
                "verdicts": packed([each.holds is True for each in verdicts]),
                "slowest": max(each.stats.seconds for each in verdicts),
            },
            problem=problem,
        )

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Modules without calls beside the published numbers, and those with calls."""
        return [_modules(found), _procedures(found)]


def formulas_of(states: int) -> int:
    """Nine formulas for ten states, as published."""
    return 9 * states // 10


def text_of(file: str, size: int) -> str:
    """The file, with questions. Modules with calls have twenty."""
    if file == "module":
        return control_flow(size, formulas_of(size), 3 * size // 10)
    return procedures(size)


def _modules(found: ResultSet) -> StudyTable:
    rows = []
    for each in found.where(file="module"):
        details = each.last.details
        together = each.seconds and each.load_seconds and each.seconds + each.load_seconds
        rows.append((
            each.case.runner, count(each.case.number("size")), count_of(each, "formulas"),
            count_of(each, "hold"), amount_of_time(each.load_seconds), time_of(each),
            amount_of_time(together),
            amount_of_time(float(details["slowest"])) if each.decided else "",
            amount_of_memory(each.peak_memory),
        ))  # fmt: skip
    for tool, seconds in PUBLISHED.items():
        cells = ("5,000", "4,500", "", "", "", amount_of_time(seconds), "", "")
        rows.append((f"{tool}, published", *cells))
    columns = (
        "by", "states", "formulas", "hold", "load", "check", "together", "slowest formula",
        "peak memory",
    )  # fmt: skip
    return StudyTable("smv", "Modules without calls, all formulas together", columns, tuple(rows))


def _procedures(found: ResultSet) -> StudyTable:
    engines = RUNNERS["procedures"]
    rows = []
    for size in HOLD["procedures"]:
        cells = [found.one(engine, file="procedures", size=size) for engine in engines]
        first = next((each for each in cells if each and each.decided), None)
        if any(cells):
            rows.append((
                str(size), count_of(first, "nodes"), count_of(first, "formulas"),
                count_of(first, "hold"), amount_of_time(first.load_seconds if first else None),
                *(contexts_and_time(each) for each in cells),
            ))  # fmt: skip
    columns = ("modules", "nodes", "formulas", "hold", "load", *engines)
    title = "Modules with calls, all formulas together: contexts, time"
    return StudyTable("smv-procedures", title, columns, tuple(rows))


def count_of(result: CaseResult | None, name: str) -> str:
    """A detail of a result, if it is known."""
    known = result is not None and result.decided
    return count(float(result.last.details[name])) if result and known else ""


def contexts_and_time(result: CaseResult | None) -> str:
    """For a cell of a table."""
    if result is None or not result.decided:
        return time_of(result)
    return f"{count(result.last.contexts)}, {time_of(result)}"
