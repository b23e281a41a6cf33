"""Goes through the cases of suites: cases in the store are done, the others are run and kept.

Cases at the same place are run by turns, so that a machine that is busy for a while is so for all
of them. A case is run once to warm up, and then as often as its suite says. One that takes long, or
ends without a verdict, is run once and that counts.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

from benchmarks.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.case import Case, Measurement
    from benchmarks.store import StudyStore
    from benchmarks.suite import StudyScope, Suite

PATIENCE = 5.0
"""Seconds. What takes longer is run once."""


class Listener(Protocol):
    """Who is told how far it has come."""

    def begin(self, suite: Suite, cases: int) -> None:
        """A suite begins, with so many cases."""

    def tick(self, case: Case) -> None:
        """Work on a case goes on. Called all the time."""

    def ran(self, case: Case, outcome: Measurement) -> None:
        """A run has ended and is in the store."""

    def finished(self, case: Case) -> None:
        """A case is done, perhaps since long ago."""


def run_suite(
    suite: Suite,
    cases: Sequence[Case],
    scope: StudyScope,
    store: StudyStore,
    session: int,
    listener: Listener,
    repeat: int | None = None,
) -> None:
    """Runs all cases of a suite that are not done yet."""
    known: dict[str, list[Measurement]] = defaultdict(list)
    for case, outcome in store.runs(session, [suite.name]):
        known[case.key].append(outcome)
    wanted = suite.repeat if repeat is None else repeat
    listener.begin(suite, len(cases))
    with Worker() as worker:
        for _, side_by_side in groupby(cases, key=lambda case: case.place):
            group = list(side_by_side)
            for repetition in range(1 if wanted == 1 else wanted + 1):
                for case in group:
                    runs = known[case.key]
                    if len(runs) > repetition or enough(runs):
                        continue
                    outcome = worker.run(case, scope, lambda case=case: listener.tick(case))  # type: ignore[misc]
                    store.add(session, case, repetition, outcome)
                    runs.append(outcome)
                    listener.ran(case, outcome)
            for case in group:
                listener.finished(case)


def enough(runs: Sequence[Measurement]) -> bool:
    """Whether one run was enough."""
    first = runs[0] if runs else None
    return first is not None and (not first.decided or (first.seconds or 0.0) > PATIENCE)


def select(cases: Iterable[Case], runners: Sequence[str]) -> list[Case]:
    """The cases of these runners. Of all if none is named."""
    return [case for case in cases if not runners or case.runner in runners]
