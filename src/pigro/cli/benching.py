"""What `pigro bench` does: plans, runs or shows, and writes what was found."""

from __future__ import annotations

import gzip
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pigro import __version__
from pigro.bench import facts, report
from pigro.bench.findings import Findings
from pigro.bench.judging import keep
from pigro.bench.peers import find_peers, versions
from pigro.bench.running import run_suite, select
from pigro.bench.store import Session, Store, run_of
from pigro.bench.suite import Scope
from pigro.bench.suites import SUITES
from pigro.bench.tables import amount_of_memory, amount_of_time
from pigro.cli.destination import check_destination, write_output, write_stdout
from pigro.cli.exits import Exit
from pigro.cli.failures import show, warn
from pigro.cli.progress import Progress
from pigro.diagnostics import UsageError, did_you_mean, printable
from pigro.engines import ENGINES, Limits
from pigro.formats.files import read_bytes
from pigro.render.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.bench.case import Case, Outcome
    from pigro.bench.store import Row, Settings
    from pigro.bench.suite import Suite

_TIMEOUT = 1800.0
_QUICK_TIMEOUT = 10.0
_BETWEEN_LINES = 60.0
"""Seconds between lines about progress where no terminal shows it."""
_BESIDE = Path("..", "shared", "benchmarks")
"""Where the models of other tools lie beside a clone, if they do."""


@dataclass(frozen=True, slots=True)
class Request:
    """The command line."""

    suites: tuple[str, ...]
    quick: bool
    engines: tuple[str, ...]
    peers: tuple[str, ...]
    files: str | None
    store: str
    again: bool
    show: bool
    repeat: int | None
    timeout: float | None
    memory: int
    form: str
    csv: str | None
    json: str | None
    plots: str | None
    fill: str | None


def list_suites() -> int:
    """Prints the suites."""
    write_stdout(table([(suite.name, suite.about) for suite in SUITES.values()]))
    return 0


def measure(request: Request) -> Exit:
    """Runs, or shows what is in the store."""
    suites = _suites(request)
    _check_destinations(request)
    limits = Limits(
        request.timeout or (_QUICK_TIMEOUT if request.quick else _TIMEOUT), request.memory
    )
    peers = find_peers(request.peers)
    scope = Scope(request.quick, _files(request), peers, tuple(versions(peers).items()), limits)
    if request.show:
        return _show(request, suites, scope)
    plan = _plan(request, suites, scope)
    repeat = 1 if request.quick and request.repeat is None else request.repeat
    settings: Settings = {"timeout": limits.seconds, "memory": limits.memory, "repeat": repeat}
    session = Session(__version__, facts.build(), facts.machine(), settings)
    interrupted = False
    with Store(Path(request.store)) as store:
        number = store.session(session, again=request.again)
        try:
            _run(suites, plan, scope, store, number, repeat)
        except KeyboardInterrupt:
            interrupted = True
            show(f"interrupted; finished runs are in {request.store}: the same command goes on")
        asked = {case.key for cases in plan.values() for case in cases}
        rows = store.rows(number, plan)
    found = Findings(run for run in map(run_of, rows) if run[0].key in asked)
    _tell(request, suites, session, rows, found)
    wrong = _judge(request, scope, found)
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FAILS if wrong else Exit.HOLDS


def _show(request: Request, suites: Sequence[Suite], scope: Scope) -> Exit:
    """Tells what was measured last."""
    path = Path(request.store)
    if not path.is_file():
        raise UsageError("P001", f"there is no store {printable(request.store)}")
    with Store(path) as store:
        known = store.newest()
        rows = [] if known is None else store.rows(known[0], [suite.name for suite in suites])
    if known is None:
        raise UsageError("P012", f"nothing was measured in {printable(request.store)}")
    found = Findings(map(run_of, rows))
    _tell(request, suites, known[1], rows, found)
    return Exit.FAILS if _judge(request, scope, found) else Exit.HOLDS


def _suites(request: Request) -> list[Suite]:
    if not request.suites and not request.show:
        hint = "name suites, or `all`; `pigro bench --list` lists them"
        raise UsageError("P006", "no suite given", hint=hint)
    wanted = set(request.suites)
    everything = not wanted or "all" in wanted
    return [suite for suite in SUITES.values() if everything or suite.name in wanted]


def _files(request: Request) -> Path | None:
    if request.files is None:
        return _BESIDE.absolute() if _BESIDE.is_dir() else None
    folder = Path(request.files)
    if not folder.is_dir():
        raise UsageError("P001", f"there is no folder {printable(request.files)}")
    return folder.absolute()


def _plan(request: Request, suites: Sequence[Suite], scope: Scope) -> dict[str, list[Case]]:
    """The cases of each suite; an engine that none of them has is a mistake."""
    plan = {suite.name: list(suite.cases(scope)) for suite in suites}
    known = dict.fromkeys(case.runner for cases in plan.values() for case in cases)
    for engine in request.engines:
        if known and engine not in known:
            hint = did_you_mean(engine, known) or f"choose from {', '.join(known)}"
            raise UsageError("P403", f"no suite runs the engine {printable(engine)}", hint=hint)
    return {name: select(cases, request.engines) for name, cases in plan.items()}


def _check_destinations(request: Request) -> None:
    for output in (request.csv, request.json, request.fill):
        check_destination(output, [request.store])
    if request.fill is not None:
        read_bytes(request.fill)
    if request.plots is not None:
        try:
            Path(request.plots).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"can't write into {printable(request.plots)}: {error.strerror}"
            raise UsageError("P003", message) from None
        report.require_matplotlib()


# Running.


def _run(  # noqa: PLR0913 - what a run consists of
    suites: Sequence[Suite],
    plan: dict[str, list[Case]],
    scope: Scope,
    store: Store,
    session: int,
    repeat: int | None,
) -> None:
    for suite in suites:
        for line in suite.skipped(scope):
            show(f"{suite.name}: left out: {line}")
        if plan[suite.name]:
            telling = _Telling(len(plan[suite.name]))
            try:
                run_suite(suite, plan[suite.name], scope, store, session, telling, repeat)
            finally:
                telling.end()


class _Telling:
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
        if now - self._told > _BETWEEN_LINES and not sys.stderr.isatty():
            self._told = now
            show(f"{self._name}: {self._done:,} of {self._cases:,} cases, now {case}")

    def ran(self, case: Case, outcome: Outcome) -> None:
        self._ran += 1
        if outcome.word == "error":
            self._progress.clear()
            warn(f"{case}: {outcome.problem}")

    def finished(self, case: Case) -> None:  # noqa: ARG002 - one more, whichever
        self._done += 1
        self._progress.advance()

    def end(self) -> None:
        self._progress.clear()
        spent = amount_of_time(time.monotonic() - self._began)
        done = f"{self._done:,} of {self._cases:,} cases done"
        show(f"{self._name}: {done}, {self._ran:,} runs in {spent}")


# Telling.


def _tell(
    request: Request,
    suites: Sequence[Suite],
    session: Session,
    rows: list[Row],
    found: Findings,
) -> None:
    tables, numbers = report.tell(suites, found)
    numbers |= _about(session)
    if request.form == "json":
        write_stdout(report.as_json(session, rows, tables, numbers))
    else:
        head = f"{numbers['run-pigro']}, {numbers['run-machine']}; limits {numbers['run-limits']}\n"
        texts = [
            f"### {each.title}\n\n{each.markdown}" if request.form == "markdown" else each.text
            for each in tables
        ]
        write_stdout("\n".join([head, *texts]))
    if request.csv is not None:
        runs = report.as_csv(rows).encode()
        packed = request.csv.endswith(".gz")
        write_output(request.csv, gzip.compress(runs, mtime=0) if packed else runs)
    if request.json is not None:
        write_output(request.json, report.as_json(session, rows, tables, numbers).encode())
    if request.plots is not None:
        for suite in suites:
            for plot in suite.plots(found.of(suite.name)) if len(found.of(suite.name)) else []:
                write_output(str(Path(request.plots, f"{plot.name}.svg")), report.draw(plot))
    if request.fill is not None:
        parts = {each.name: each.markdown for each in tables} | numbers
        text = read_bytes(request.fill).decode()
        text, empty = report.fill(text, parts, SUITES, request.fill)
        write_output(request.fill, text.encode())
        if empty:
            warn(f"nothing was measured for {', '.join(dict.fromkeys(empty))}")


def _about(session: Session) -> dict[str, str]:
    machine, settings = session.machine, session.settings
    seconds, memory = float(settings["timeout"] or 0), int(settings["memory"] or 0)
    cores = f"{machine['cores']} cores of {machine['processor']}"
    return {
        "run-pigro": f"Pigro {session.pigro} (build {session.build}), {machine['python']}",
        "run-machine": f"{cores}, {amount_of_memory(int(machine['memory']))}, {machine['system']}",
        "run-limits": f"{amount_of_time(seconds)} and {amount_of_memory(memory)}",
    }


def _judge(request: Request, scope: Scope, found: Findings) -> bool:
    """Tells who disagrees, and who is wrong; whether Pigro is."""
    wrong = any(each.word == "error" for each in found if each.case.runner in ENGINES)
    for each in found.disagreements():
        suite, at = each.place
        where = ", ".join(f"{name} {value}" for name, value in at)
        answers = ", ".join(f"{runner} says {word}" for runner, word in each.answers)
        show(f"disagreement: {suite}, {where}: {answers}")
        if suite != "peers":
            wrong = True
            continue
        folder = Path(request.store).with_suffix(".disagreements")
        judgement = keep(each, scope, folder)
        for line in judgement.lines:
            show(f"  {line}")
        show(f"  kept in {judgement.folder}")
        wrong = wrong or judgement.pigro_is_wrong
    return wrong
