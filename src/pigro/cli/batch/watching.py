"""Runs a plan, and shows how far it has come."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pigro.batch.plans import read_plan
from pigro.batch.running import run
from pigro.batch.store import Store
from pigro.cli.batch.telling import result_line
from pigro.cli.destination import write_stdout
from pigro.cli.failures import Exit
from pigro.cli.progress import Progress

if TYPE_CHECKING:
    from pigro.batch import Result

_VERDICTS = ("holds", "fails")
_WORDS = (*_VERDICTS, "unknown", "error", "crashed")
_BETWEEN_LINES = 60.0
"""Seconds between two lines in a log file."""


def run_plan(
    plan: str, store: str | None, jobs: int | None, cluster: str | None, *, retry: bool
) -> int:
    """Answers the tasks of a plan. Without a store, results are printed as they come."""
    if retry and store is not None:
        with Store(Path(store)) as kept:
            kept.forget()
    watch = _Watch()
    try:
        tasks = read_plan(plan)
        for result in run(tasks, store=store, jobs=jobs, cluster=cluster, tick=watch.tick):
            watch.take(result)
            if store is None:
                watch.clear()
                write_stdout(result_line(result))
    finally:
        watch.clear()
    write_stdout(watch.summary() + "\n")
    return int(watch.code)


class _Watch:
    """Counts results."""

    def __init__(self) -> None:
        self._words: Counter[str] = Counter()
        self._began = time.monotonic()
        self._progress = Progress(None, sys.stderr, verb="working")
        self._next_line = self._began + _BETWEEN_LINES

    def take(self, result: Result) -> None:
        """One more result."""
        self._words[result.verdict] += 1

    def tick(self) -> None:
        """Shows the counts: on a terminal all the time, in a log file once a minute."""
        if self._progress.ticking is not None:
            self._progress.now = self._counts()
            self._progress.tick()
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _BETWEEN_LINES
            click.echo(self._counts(), err=True)

    def clear(self) -> None:
        """Takes the line away."""
        self._progress.clear()

    def _counts(self) -> str:
        done = self._words.total()
        rate = done / max(time.monotonic() - self._began, 1e-9)
        failures = sum(count for word, count in self._words.items() if word not in _VERDICTS)
        return f"{done:,} results, {rate:,.0f} per second, {failures:,} without a verdict"

    def summary(self) -> str:
        """How many results there are of each word."""
        told = ", ".join(f"{self._words[word]:,} {word}" for word in _WORDS if self._words[word])
        return f"{told or 'no results'} in {time.monotonic() - self._began:.1f} s"

    @property
    def code(self) -> Exit:
        """How the batch ended."""
        if self._words["error"]:
            return Exit.BAD_INPUT
        if self._words["fails"]:
            return Exit.FAILS
        missing = self._words["unknown"] or self._words["crashed"]
        return Exit.NO_VERDICT if missing else Exit.HOLDS
