"""`pigro batch`: many models and questions, answered by worker processes, with a store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pigro.batch import Result, Task

_EXPORTS = (".jsonl", ".csv", ".parquet")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("plan", metavar="[PLAN]", required=False, type=click.Path())
@click.option(
    "--store",
    metavar="FILE",
    type=click.Path(),
    help="Keep results in FILE. Tasks that have results there are not answered again.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="Use so many worker processes. The default is one per core.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of a Dask scheduler, or local:N to start N workers here.",
)
@click.option("--dry-run", is_flag=True, help="List the tasks of PLAN, and answer none.")
@click.option("--retry", is_flag=True, help="Try tasks again that have no verdict in the store.")
@click.option("--show", is_flag=True, help="Print the results in the store, and answer nothing.")
@click.option("--failed", is_flag=True, help="Print the results without a verdict only.")
@click.option(
    "--export",
    metavar="OUT",
    type=click.Path(),
    help="Write the results in the store to OUT: .jsonl, .csv or .parquet.",
)
def batch(  # noqa: PLR0913 - one parameter per option
    *,
    plan: str | None,
    store: str | None,
    jobs: int | None,
    cluster: str | None,
    dry_run: bool,
    retry: bool,
    show: bool,
    failed: bool,
    export: str | None,
) -> int:
    """Check many models and formulas, and keep the results.

    PLAN is a TOML file, a .jsonl file with one task per line, a folder of models, or - for lines
    of JSON from standard input. If the command is interrupted or killed, start it again: it
    answers only the tasks that have no result in the store.

    \b
    Examples:
      pigro batch plan.toml --store results.sqlite
      pigro batch models/ --store results.sqlite --jobs 4
      pigro batch --store results.sqlite --failed
      pigro batch --store results.sqlite --export results.csv

    \b
    Exit codes:
      0    all formulas hold
      1    a formula fails
      2    the plan, or the input of a task, is wrong
      3    a formula has no verdict
      4    internal error
      130  interrupted (143 by SIGTERM). Start the same command again to go on
    """  # noqa: D301 - the backspace is click's sign to keep line ends
    if dry_run or plan is None:
        if dry_run and plan is not None:
            return _list_tasks(plan)
        return _tell(store, plan, show=show, failed=failed, export=export)
    code = _run(plan, store, jobs, cluster, retry=retry)
    if show or failed or export:
        _tell(store, None, show=show, failed=failed, export=export)
    return code


def _list_tasks(plan: str) -> int:
    from pigro.batch.plans import read_plan
    from pigro.cli.destination import write_stdout
    from pigro.diagnostics import printable

    count = 0
    for task in read_plan(plan):
        count += 1
        what = "its rules" if task.scan else task.formula or "its own properties"
        write_stdout(f"{printable(task.subject)}: {printable(what)}{_options(task)}\n")
    write_stdout(f"{count:,} task{'' if count == 1 else 's'}\n")
    return 0


def _options(task: Task) -> str:
    """The options of a task that are not the default."""
    from msgspec.structs import asdict, fields

    defaults = {field.name: field.default for field in fields(task)}
    told = {
        name: value
        for name, value in asdict(task).items()
        if name not in {"model", "formula", "scan"} and value != defaults[name] and value != ()
    }
    listed = ", ".join(f"{name} {value}" for name, value in told.items())
    return f"  ({listed})" if listed else ""


def _run(
    plan: str, store: str | None, jobs: int | None, cluster: str | None, *, retry: bool
) -> int:
    from pathlib import Path

    from pigro.batch.plans import read_plan
    from pigro.batch.running import run
    from pigro.batch.store import Store
    from pigro.cli.destination import write_stdout

    if retry and store is not None:
        with Store(Path(store)) as kept:
            kept.forget()
    watch = _Watch()
    try:
        for result in run(
            read_plan(plan), store=store, jobs=jobs, cluster=cluster, tick=watch.tick
        ):
            watch.take(result)
            if store is None:
                watch.clear()
                write_stdout(_line(result))
    finally:
        watch.clear()
    write_stdout(watch.summary() + "\n")
    return watch.code


class _Watch:
    """Counts results, and shows how far the batch has come."""

    def __init__(self) -> None:
        import time
        from collections import Counter

        from pigro.cli.progress import Progress

        self._words: Counter[str] = Counter()
        self._began = time.monotonic()
        self._clock = time.monotonic
        self._progress = Progress(None, sys.stderr, verb="working")
        self._next_line = self._began + _BETWEEN_LINES

    def take(self, result: Result) -> None:
        """One more result."""
        self._words[result.verdict] += 1

    def tick(self) -> None:
        """Shows the counts: on a terminal all the time, in a log once a minute."""
        if self._progress.ticking is not None:
            self._progress.now = self._counts()
            self._progress.tick()
        elif self._clock() >= self._next_line:
            self._next_line = self._clock() + _BETWEEN_LINES
            click.echo(self._counts(), err=True)

    def clear(self) -> None:
        """Takes the line away."""
        self._progress.clear()

    def _counts(self) -> str:
        done = self._words.total()
        rate = done / max(self._clock() - self._began, 1e-9)
        failures = sum(count for word, count in self._words.items() if word not in _VERDICTS)
        return f"{done:,} results, {rate:,.0f} per second, {failures:,} without a verdict"

    def summary(self) -> str:
        """How many results there are of each word."""
        words = ("holds", "fails", "unknown", "error", "crashed")
        told = ", ".join(f"{self._words[word]:,} {word}" for word in words if self._words[word])
        spent = self._clock() - self._began
        return f"{told or 'no results'} in {spent:.1f} s"

    @property
    def code(self) -> int:
        """The exit code."""
        from pigro.cli.failures import Exit

        if self._words["error"]:
            return Exit.BAD_INPUT
        if self._words["fails"]:
            return Exit.FAILS
        missing = self._words["unknown"] or self._words["crashed"]
        return Exit.NO_VERDICT if missing else Exit.HOLDS


_VERDICTS = ("holds", "fails")
_BETWEEN_LINES = 60.0
"""Seconds between two lines in a log file."""


def _line(result: Result) -> str:
    from pigro.diagnostics import printable

    subject, formula = printable(result.task.subject), printable(result.formula)
    reason = printable(result.reason.splitlines()[0] if result.reason else "")
    return f"{result.verdict:8} {subject}: {formula}\n         {reason}\n"


def _tell(
    store: str | None, plan: str | None, *, show: bool, failed: bool, export: str | None
) -> int:
    """Prints or writes the results of a store."""
    from pathlib import Path

    from pigro.batch.store import Store
    from pigro.batch.tasks import FAILED
    from pigro.cli.destination import write_stdout
    from pigro.diagnostics import UsageError

    if store is None or not (show or failed or export):
        hint = "give a plan, or --store FILE with --show, --failed or --export OUT"
        raise UsageError("P006", "there is nothing to do", hint=hint)
    if not Path(store).is_file():
        raise UsageError("P012", f"there is no store {store}", hint="a batch with --store makes it")
    assert plan is None
    with Store(Path(store)) as kept:
        if show or failed:
            for result in kept.results(FAILED if failed else ()):
                write_stdout(_line(result))
            counts = kept.counts()
            write_stdout(", ".join(f"{count:,} {word}" for word, count in counts.items()) + "\n")
        if export is not None:
            from pigro.batch.exporting import write_results

            write_results(kept.results(FAILED if failed else ()), export)
    return 0
