"""All use-def requirements of all Java programs: one for each variable, checked together.

And in how many of them the published reading of calls of entry-exit nodes gives another verdict.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache, packed, why_none
from benchmarks.suite import Suite
from benchmarks.suites.java import (
    PROGRAMS,
    READINGS,
    missing_programs,
    program_places,
    read_member,
    read_program,
)
from benchmarks.tables import StudyTable, amount_of_memory, amount_of_time, count, time_of
from pigro.engines import ENGINES
from pigro.formats.use_def import use_def
from pigro.limits import Budget
from pigro.logic import read_formulas

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM

RUNNERS = ("demand", "exhaustive")


class UseDefSuite(Suite):
    """Programs by files, semantics and engines."""

    name = "usedef"
    about = "the use-def requirements of all variables of the Java programs, all at once"

    def __init__(self) -> None:
        self._models: LastValueCache[tuple[RSM, list[Formula]]] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Program by program."""
        for at, edition in program_places(scope):
            yield Case(self.name, "demand", at, edition)
            if {("file", "rsm"), ("semantics", "standard")} <= set(at):
                yield Case(self.name, "exhaustive", at, edition)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Programs whose files are missing."""
        return missing_programs(scope)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """All requirements of one program."""
        files = scope.files
        assert files is not None
        (model, formulas), load = self._models.take(case.at, lambda: _read(files, case))
        began = time.perf_counter()
        verdicts = ENGINES[case.runner].check_all(model, formulas, budget=Budget(scope.limits))
        spent = time.perf_counter() - began
        undecided = [verdict for verdict in verdicts if verdict.holds is None]
        if undecided:
            why = undecided[0].remarks.gave_up
            return Measurement(why_none(why), spent, problem=why)
        return Measurement(
            "done",
            spent,
            load,
            details={
                "formulas": len(formulas),
                "hold": sum(verdict.holds is True for verdict in verdicts),
                "slowest": max((each.stats.seconds for each in verdicts), default=0.0),
                "verdicts": packed([verdict.holds is True for verdict in verdicts]),
            },
        )

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One for each kind of file, and one about readings."""
        columns = (
            "program", "formulas", "hold", "load", "demand", "slowest formula", "exhaustive",
            "peak memory",
        )  # fmt: skip
        tables = [
            StudyTable(
                f"usedef-{kind}",
                f"All use-def requirements of the Java programs as .{kind}",
                columns,
                tuple(_row(program, found, kind) for program in _programs(found, kind)),
            )
            for kind in ("rsm", "pds")
            if _programs(found, kind)
        ]
        rows = [
            (program, *map(count, differences(found, program)))
            for program in _programs(found, "rsm")
            if _in_both_readings(found, program)
        ]
        if rows:
            title = "Verdicts that the published reading gets wrong, on the .rsm files"
            names = ("program", "formulas", "wrong", "holds, truth fails", "fails, truth holds")
            tables.append(StudyTable("usedef-readings", title, names, tuple(rows)))
        return tables

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What the text tells."""
        programs = [each for each in _programs(found, "rsm") if _in_both_readings(found, each)]
        if not programs:
            return {}
        all_of_them = [differences(found, program) for program in programs]
        demand = found.where("demand", file="rsm", semantics="standard")
        return {
            "formulas": count(sum(each[0] for each in all_of_them)),
            "wrong": count(sum(each[1] for each in all_of_them)),
            "time": amount_of_time(sum(each.seconds or 0.0 for each in demand)),
        }


def _in_both_readings(found: ResultSet, program: str) -> bool:
    results = (
        found.one("demand", program=program, file="rsm", semantics=semantics)
        for semantics in READINGS
    )
    return all(each is not None and each.decided for each in results)


def differences(found: ResultSet, program: str) -> tuple[int, int, int, int]:
    """Requirements of a program. Wrong verdicts in the published reading, and of both kinds."""
    ours, theirs = (
        _verdicts(found.one("demand", program=program, file="rsm", semantics=semantics))
        for semantics in READINGS
    )
    pairs = list(zip(ours, theirs, strict=True))
    too_good = sum(published and not truth for truth, published in pairs)
    too_bad = sum(truth and not published for truth, published in pairs)
    return len(ours), too_good + too_bad, too_good, too_bad


def _read(files: Path, case: Case) -> tuple[RSM, list[Formula]]:
    program, kind = case.text("program"), case.text("file")
    model = read_program(files, program, kind, case.text("semantics"))
    if kind == "rsm":
        text = read_member(files, program, f"{program}_usedef.ctl")
        return model, [formula for _, formula in read_formulas(text)]
    return model, [each.formula for each in use_def(model)]


def _verdicts(result: CaseResult | None) -> list[bool]:
    if result is None or not result.decided:
        return []
    details = result.last.details
    bits = int(str(details["verdicts"]), 16)
    return [bool(bits >> place & 1) for place in range(int(details["formulas"]))]


def _programs(found: ResultSet, kind: str) -> list[str]:
    there = {each.case.text("program") for each in found.where(file=kind, semantics="standard")}
    return [program for program in PROGRAMS if program in there]


def _row(program: str, found: ResultSet, kind: str) -> tuple[str, ...]:
    place = {"program": program, "file": kind, "semantics": "standard"}
    demand, exhaustive = (found.one(engine, **place) for engine in RUNNERS)
    details = demand.last.details if demand is not None else {}
    counts = (f"{details[name]:,}" if name in details else "" for name in ("formulas", "hold"))
    return (
        program, *counts, amount_of_time(demand.load_seconds) if demand else "", time_of(demand),
        amount_of_time(float(details["slowest"])) if "slowest" in details else "",
        time_of(exhaustive), amount_of_memory(demand.peak_memory if demand else None),
    )  # fmt: skip
