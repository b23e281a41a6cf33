"""What `python -m benchmarks` does: runs or shows, and writes the findings."""

from __future__ import annotations

import gzip
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import facts, report
from benchmarks.against import compare
from benchmarks.findings import ResultSet
from benchmarks.judging import keep
from benchmarks.request import document
from benchmarks.running import run_suite
from benchmarks.store import Session, StudyStore, run_of
from benchmarks.suites import SUITES
from benchmarks.tables import amount_of_memory, amount_of_time
from pigro import __version__
from pigro.cli.destination import write_output, write_stdout
from pigro.cli.failures import ExitCode, interrupted, show, warn
from pigro.cli.progress import Progress
from pigro.diagnostics import UsageError, printable
from pigro.render.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.case import Case, Measurement
    from benchmarks.request import StudyRequest
    from benchmarks.store import Row, Settings
    from benchmarks.suite import StudyScope, Suite

_BETWEEN_LINES = 60.0
"""Seconds between lines about progress where no terminal shows it."""


def list_suites() -> ExitCode:
    """Prints the suites."""
    write_stdout(table([(suite.name, suite.about) for suite in SUITES.values()]))
    return ExitCode.HOLDS


def measure(request: StudyRequest) -> ExitCode:
    """Runs the cases that are not in the store yet, and reports all."""
    suites = request.named_suites()
    request.check()
    if request.show:
        request.make_folders()
        return _show(request, suites)
    scope = request.scope()
    plan = request.plan(suites, scope)
    request.make_folders()
    limits = scope.limits
    settings: Settings = {
        "timeout": limits.seconds,
        "memory": limits.memory,
        "repeat": request.times,
    }
    session = Session(__version__, facts.build(), facts.machine(), settings)
    stopped_by: KeyboardInterrupt | None = None
    then = _elsewhere(request, session, list(plan))
    with StudyStore(Path(request.store)) as store:
        number = store.session(session, again=request.again)
        if request.against is not None and then is None:
            then = _earlier(request.store, session, store, list(plan), but=number)
        try:
            _run(suites, plan, scope, store, number, request.times)
        except KeyboardInterrupt as interrupt:
            stopped_by = interrupt
        rows = store.rows(number, plan)
    asked = {case.key for cases in plan.values() for case in cases}
    if not asked:
        warn("nothing was left to measure")
    told = _StudyReport(suites, session, [each for each in _runs(rows) if each.case.key in asked])
    if stopped_by is not None:
        _print(request, told)
        same = "the same command without --again" if request.again else "the same command"
        show(f"interrupted; finished runs are in {request.store}: {same} goes on")
        return interrupted(stopped_by)
    compared = None if then is None else compare(told.found, then)
    if compared is not None:
        told.tables += compared.tables()
    _write(request, told)
    _print(request, told)
    if compared is not None:
        show(compared.summary)
    wrong = _judge(request, scope, told.found) or _is_wrong(told.found)
    return ExitCode.FAILS if wrong or (compared and compared.slower) else ExitCode.HOLDS


def _elsewhere(request: StudyRequest, session: Session, names: Sequence[str]) -> ResultSet | None:
    """The runs to compare with, if another store has them."""
    if request.against is None or _is_same(request.against, request.store):
        return None
    with StudyStore(Path(request.against)) as store:
        return _earlier(request.against, session, store, names)


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _earlier(
    path: str, session: Session, store: StudyStore, names: Sequence[str], but: int | None = None
) -> ResultSet:
    """The newest runs of these suites, which must be from this machine."""
    known = store.newest(names, but=but)
    if known is None:
        message = f"nothing of {', '.join(names)} to compare with is in {printable(path)}"
        raise UsageError("P012", message)
    number, then = known
    if then.machine != session.machine:
        message = f"the runs in {printable(path)} are from another machine or Python"
        hint = f"they are from {_about(then)['run-machine']}, {then.machine['python']}"
        raise UsageError("P012", message, hint=hint)
    return ResultSet(store.runs(number, names))


def _show(request: StudyRequest, suites: Sequence[Suite]) -> ExitCode:
    """Reports the last measurements."""
    names = [suite.name for suite in suites]
    with StudyStore(Path(request.store)) as store:
        known = store.newest(names)
        rows = [] if known is None else store.rows(known[0], names)
    if known is None:
        message = f"nothing of {', '.join(names)} was measured in {printable(request.store)}"
        raise UsageError("P012", message)
    runs = _runs(rows)
    newest = {each.case.at_runner: each.case.edition for each in runs}
    last = [each for each in runs if newest[each.case.at_runner] == each.case.edition]
    told = _StudyReport(suites, known[1], last)
    _write(request, told)
    _print(request, told)
    return ExitCode.FAILS if _is_wrong(told.found) else ExitCode.HOLDS


# Running.


def _run(
    suites: Sequence[Suite],
    plan: dict[str, list[Case]],
    scope: StudyScope,
    store: StudyStore,
    session: int,
    repeat: int | None,
) -> None:
    for suite in suites:
        for line in suite.skipped(scope):
            show(f"{suite.name}: left out: {line}")
        if plan[suite.name]:
            telling = _StudyProgress(len(plan[suite.name]))
            try:
                run_suite(suite, plan[suite.name], scope, store, session, telling, repeat)
            finally:
                telling.end()


class _StudyProgress:
    """Tells how far a suite has come: a line on a terminal that changes, or some lines."""

    def __init__(self, cases: int) -> None:
        self._cases = cases
        self._done = 0
        self._ran = 0
        self._began = self._told = time.monotonic()
        self._name = ""
        self._progress = Progress(cases, sys.stderr, verb="measured")

    def begin(self, suite: Suite, cases: int) -> None:
        self._name = suite.name
        show(f"{suite.name}: {cases:,} cases")

    def tick(self, case: Case) -> None:
        self._progress.now = str(case)
        self._progress.tick()
        now = time.monotonic()
        if now - self._told > _BETWEEN_LINES and not (sys.stderr and sys.stderr.isatty()):
            self._told = now
            show(f"{self._name}: {self._done:,} of {self._cases:,} cases, now {case}")

    def ran(self, case: Case, outcome: Measurement) -> None:
        self._ran += 1
        if outcome.word in {"error", "wrong"}:
            self._progress.clear()
            warn(f"{case}: {outcome.word}: {outcome.problem}")

    def finished(self, case: Case) -> None:
        self._done += 1
        self._progress.advance()

    def end(self) -> None:
        self._progress.clear()
        spent = amount_of_time(time.monotonic() - self._began)
        done = f"{self._done:,} of {self._cases:,} cases done"
        show(f"{self._name}: {done}, {self._ran:,} runs in {spent}")


# Telling.


class _StoredRun(NamedTuple):
    """A run, as it is written down and as it is meant."""

    row: Row
    case: Case
    outcome: Measurement


def _runs(rows: Sequence[Row]) -> list[_StoredRun]:
    return [_StoredRun(row, *run_of(row)) for row in rows]


class _StudyReport:
    """What there is to tell of some runs, made once for all who write it."""

    def __init__(
        self, suites: Sequence[Suite], session: Session, runs: Sequence[_StoredRun]
    ) -> None:
        self.suites = suites
        self.session = session
        self.rows = [each.row for each in runs]
        self.found = ResultSet((each.case, each.outcome) for each in runs)
        self.tables, facts_found = report.tell(suites, self.found)
        about = _about(session)
        each_ran = f"{about['run-pigro']}, within {about['run-limits']}"
        measured = {each.case.suite: each_ran for each in runs}
        of_suites = {f"{suite}-run": text for suite, text in measured.items()}
        self.numbers = facts_found | of_suites | about

    @property
    def json(self) -> str:
        """All of it, for programs."""
        return report.as_json(self.session, self.rows, self.tables, self.numbers)


def _print(request: StudyRequest, told: _StudyReport) -> None:
    if request.form == "json":
        write_stdout(told.json)
        return
    about = told.numbers
    head = f"{about['run-pigro']}, {about['run-machine']}; limits {about['run-limits']}\n"
    texts = [
        f"### {each.title}\n\n{each.markdown}" if request.form == "markdown" else each.text
        for each in told.tables
    ]
    write_stdout("\n".join([head, *texts]))


def _write(request: StudyRequest, told: _StudyReport) -> None:
    """All files that were asked for."""
    if request.csv is not None:
        runs = report.as_csv(told.rows).encode()
        packed = request.csv.endswith(".gz")
        write_output(request.csv, gzip.compress(runs, mtime=0) if packed else runs)
    if request.json is not None:
        write_output(request.json, told.json.encode())
    if request.plots is not None:
        for suite in told.suites:
            found = told.found.of(suite.name)
            for plot in suite.plots(found) if len(found) else []:
                write_output(str(Path(request.plots, f"{plot.name}.svg")), report.draw(plot))
    if request.tables is not None:
        for each in told.tables:
            write_output(str(Path(request.tables, f"{each.name}.csv")), each.csv.encode())
    for page in request.fill:
        _fill(page, told)


def _fill(page: str, told: _StudyReport) -> None:
    """Fills in a document. Marks `run-...` are about all of it, and stay if it has other suites."""
    text = document(page)
    measured = {each.case.suite for each in told.found}
    parts = {each.name: each.markdown for each in told.tables} | told.numbers
    empty = [name for name in report.fill(text, parts)[1] if name.partition("-")[0] not in measured]
    if empty:
        parts = {name: each for name, each in parts.items() if not name.startswith("run-")}
    filled, empty = report.fill(text, parts)
    write_output(page, filled.encode())
    for name in dict.fromkeys(empty):
        suite = name.partition("-")[0]
        if suite != "run":
            known = suite in measured
            warn(f"{'nothing is called' if known else 'nothing was measured for'} {name}")


def _about(session: Session) -> dict[str, str]:
    machine, settings = session.machine, session.settings
    seconds, memory = float(settings["timeout"] or 0), int(settings["memory"] or 0)
    cores = f"{machine['cores']} cores of {machine['processor']}"
    return {
        "run-pigro": f"Pigro {session.pigro} (build {session.build}), {machine['python']}",
        "run-machine": f"{cores}, {amount_of_memory(int(machine['memory']))}, {machine['system']}",
        "run-limits": f"{amount_of_time(seconds)} and {amount_of_memory(memory)}",
    }


def _is_wrong(found: ResultSet) -> bool:
    """Whether Pigro contradicts itself, or a known verdict."""
    known = any(outcome.word == "wrong" for each in found for outcome in each.runs)
    return known or any(each.place[0] != "peers" for each in found.disagreements())


def _judge(request: StudyRequest, scope: StudyScope, found: ResultSet) -> bool:
    """Reports disagreements, and keeps answers of other tools. Returns whether Pigro is wrong."""
    wrong = False
    for each in found.disagreements():
        suite, at = each.place
        where = ", ".join(f"{name} {value}" for name, value in at)
        answers = ", ".join(f"{runner} says {word}" for runner, word in each.answers)
        show(f"disagreement: {suite}, {where}: {answers}")
        if suite == "peers":
            judgement = keep(each, scope, Path(f"{request.store}.disagreements"))
            for line in (*judgement.lines, f"kept in {judgement.folder}"):
                show(f"  {line}")
            wrong = wrong or judgement.pigro_is_wrong
    return wrong
