"""Work that may take long, in threads of its own: it can be stopped, and there is not too much.

Answers are kept until there are many. The engines release the interpreter lock and look at the
budget every few milliseconds, whose `tick` ends work that was stopped.
"""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.diagnostics import InputProblems, PigroError
from pigro.explore.subject import told_error
from pigro.limits import LIMIT_ERRORS, Budget, Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[Budget], dict[str, object]]

RUNNING = 4
"""Jobs that run at once."""
KEPT = 200
"""Jobs whose answers are kept."""


class JobStopped(KeyboardInterrupt):
    """The person stopped the work, as with Ctrl-C on the command line."""


class TooManyJobs(Exception):
    """So many jobs run that another one has to wait."""


@dataclass
class BackgroundJob:
    """One piece of work."""

    number: int
    began: float = field(default_factory=time.perf_counter)
    stop: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    answer: dict[str, object] = field(default_factory=dict)

    def tick(self) -> None:
        """Ends the work if it was stopped."""
        if self.stop.is_set():
            raise JobStopped

    def told(self) -> dict[str, object]:
        """How it stands."""
        if not self.done.is_set():
            spent = time.perf_counter() - self.began
            return {"job": self.number, "state": "running", "seconds": round(spent, 1)}
        return {"job": self.number, **self.answer}


class BackgroundJobs:
    """All jobs, by number."""

    def __init__(self) -> None:
        self._jobs: dict[int, BackgroundJob] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def start(self, work: Work, limits: Limits) -> BackgroundJob:
        """Begins a job. `TooManyJobs` if too many run."""
        with self._lock:
            running = [each for each in self._jobs.values() if not each.done.is_set()]
            if len(running) >= RUNNING:
                raise TooManyJobs
            job = BackgroundJob(next(self._numbers))
            self._jobs[job.number] = job
            for old in list(self._jobs)[: max(len(self._jobs) - KEPT, 0)]:
                if self._jobs[old].done.is_set():
                    del self._jobs[old]
        threading.Thread(target=_run, args=(job, work, limits), daemon=True).start()
        return job

    def get(self, number: object) -> BackgroundJob | None:
        """A job, if its answer is still kept."""
        return self._jobs.get(number) if isinstance(number, int) else None

    def stop_all(self) -> None:
        """Ends all work."""
        for each in list(self._jobs.values()):
            each.stop.set()


def _run(job: BackgroundJob, work: Work, limits: Limits) -> None:
    try:
        answer = {"state": "done", **work(Budget(limits, job.tick))}
    except JobStopped:
        answer = {"state": "stopped"}
    except LIMIT_ERRORS as end:
        answer = {"state": "unknown", "text": f"no answer within the {end}"}
    except (PigroError, InputProblems) as error:
        answer = {"state": "error", "text": told_error(error)}
    except BaseException as error:  # noqa: BLE001 - the thread must not end silently
        answer = {"state": "error", "text": f"internal error: {type(error).__name__}"}
    job.answer = answer
    job.done.set()
