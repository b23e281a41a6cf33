"""Runs a plan, and shows how far it has come."""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.batch.plans import read_plan
from pigro.batch.running import run
from pigro.cli.batch.telling import result_line
from pigro.cli.destination import write_stdout
from pigro.cli.failures import ExitCode, show
from pigro.cli.progress import Progress
from pigro.diagnostics import PigroError, printable

if TYPE_CHECKING:
    from pigro.batch import Result
    from pigro.batch.running import BatchProgress

_VERDICTS = ("holds", "fails")
_WORDS = (*_VERDICTS, "unknown", "error", "crashed")
_BETWEEN_LINES = 60.0
"""Seconds between two lines in a log file."""
_COUNTED_TOGETHER = 1000


def run_plan(
    plan: str, store: str | None, jobs: int | None, cluster: str | None, *, retry: bool
) -> int:
    """Answers the tasks of a plan. Without a store, results are printed as they come."""
    watch = _BatchTally(plan)
    try:
        tasks = read_plan(plan)
        for result in run(
            tasks, store=store, jobs=jobs, cluster=cluster, retry=retry, tick=watch.tick
        ):
            watch.take(result)
            if store is None:
                watch.clear()
                write_stdout(result_line(result))
    finally:
        watch.clear()
    write_stdout(watch.summary() + "\n")
    return int(watch.code)


class _BatchTally:
    """Counts results."""

    def __init__(self, plan: str) -> None:
        self._words: Counter[str] = Counter()
        self._warned = 0
        self._began = time.monotonic()
        self._progress = Progress(None, sys.stderr, verb="working")
        self._next_line = self._began + _BETWEEN_LINES
        self._total = _TaskTotal(plan)

    def take(self, result: Result) -> None:
        """One more result."""
        self._words[result.verdict] += 1
        self._warned += bool(result.warnings)

    def tick(self, state: BatchProgress) -> None:
        """Shows the counts: on a terminal all the time, in a log file once a minute."""
        self._total.go_on()
        if self._progress.ticking is not None:
            self._progress.now = self._progress_line(state)
            self._progress.tick()
        elif time.monotonic() >= self._next_line:
            self._next_line = time.monotonic() + _BETWEEN_LINES
            show(self._progress_line(state))

    def clear(self) -> None:
        """Takes the line away."""
        self._progress.clear()

    def _progress_line(self, state: BatchProgress) -> str:
        done = state.known + state.answered
        rate = state.answered / max(time.monotonic() - self._began, 1e-9)
        failures = sum(count for word, count in self._words.items() if word not in _VERDICTS)
        facts = [f"{done:,} tasks", f"{rate:,.3g} per second", f"{failures:,} without a verdict"]
        if self._total.is_known:
            facts[0] = f"{done:,} of {self._total.count:,} tasks"
            if rate:
                left = max(self._total.count - done, 0) / rate
                facts.insert(2, f"about {_duration(left)} left")
        if state.running:
            first = state.running[0]
            now = f"{first.subject}: {first.formula or 'its properties'}"
            more = f" and {len(state.running) - 1} more" if len(state.running) > 1 else ""
            facts.append(f"now {printable(now)}{more}")
        return ", ".join(facts)

    def summary(self) -> str:
        """How many results there are of each word."""
        counts = ", ".join(f"{self._words[word]:,} {word}" for word in _WORDS if self._words[word])
        one = self._warned == 1
        warned = f"; {self._warned:,} of them {'has' if one else 'have'} warnings, see --show"
        spent = f"{counts or 'no results'} in {time.monotonic() - self._began:.1f} s"
        return spent + (warned if self._warned else "")

    @property
    def code(self) -> ExitCode:
        """How the batch ended."""
        if self._words["error"]:
            return ExitCode.BAD_INPUT
        if self._words["fails"]:
            return ExitCode.FAILS
        missing = self._words["unknown"] or self._words["crashed"]
        return ExitCode.NO_VERDICT if missing else ExitCode.HOLDS


class _TaskTotal:
    """The number of tasks of a plan, counted in small steps beside the work."""

    def __init__(self, plan: str) -> None:
        self.count = 0
        self.is_known = False
        is_there = plan != "-" and (Path(plan).is_file() or Path(plan).is_dir())
        self._tasks = read_plan(plan) if is_there else None

    def go_on(self) -> None:
        """Counts some more tasks. A plan that can't be read has no total."""
        if self._tasks is None:
            return
        try:
            counted = sum(1 for _ in islice(self._tasks, _COUNTED_TOGETHER))
        except PigroError:
            self._tasks = None
            return
        self.count += counted
        if counted < _COUNTED_TOGETHER:
            self.is_known, self._tasks = True, None


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.0f} h"
