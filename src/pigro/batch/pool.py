"""Worker processes on this machine. A worker that dies, or does not answer, loses only its task."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pigro.batch.child import READY, Child
from pigro.batch.tasks import Result, Task, without_verdict
from pigro.diagnostics import InternalError
from pigro.limits.system import memory_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

_COMMAND = (sys.executable, "-m", "pigro.batch.worker")
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at workers that work."""
_SLACK_SECONDS = 5.0
_SLACK_MEMORY = 300_000_000
"""How far beyond its limits a task may go before its worker is ended. It should end by itself."""
_MOST_DEATHS = 2
"""A task whose worker died so often is not tried again."""
_MOST_FAILED_STARTS = 3
_PATIENCE = 1.0
"""Seconds that a task takes before those behind it go to workers that have none."""
_CHUNK_SECONDS = 0.2
_MOST_IN_CHUNK = 256
_OVER = object()


class PoolTask(NamedTuple):
    """A task, known by its digest."""

    digest: bytes
    task: Task


class TaskResults(NamedTuple):
    """The results of a task."""

    entry: PoolTask
    results: list[Result]


class Pool:
    """Workers, and the tasks that they have. Use it in a `with` statement."""

    def __init__(self, jobs: int) -> None:
        self._workers = [_Worker() for _ in range(jobs)]
        self._deaths: Counter[bytes] = Counter()
        self._suspects: deque[PoolTask] = deque()
        """Tasks whose worker died. Each is tried alone."""
        self._back: deque[PoolTask] = deque()
        """Tasks that their worker did not come to."""
        self._failed_starts = 0
        """Workers in a row that ended before they were ready."""
        self._pace = 0.0
        """Seconds for one task, lately."""

    def run(self, entries: Iterable[PoolTask | None]) -> Iterator[TaskResults | None]:
        """The answers as they come. None means that nothing came for a moment.

        None among the entries means that there may be more later.
        """
        self._deaths.clear()
        waiting = iter(entries)
        is_over = False
        while True:
            for worker in self._workers:
                if not worker.tasks:
                    chunk, is_over = self._chunk(waiting, is_over=is_over)
                    if chunk or (is_over and self._steal()):
                        worker.ask(chunk or self._chunk(waiting, is_over=True)[0])
            if any(worker.tasks for worker in self._workers):
                yield from self._answers()
            elif is_over:
                return
            else:
                yield None

    def running(self) -> list[Task]:
        """The tasks that workers are answering now."""
        return [worker.tasks[0].task for worker in self._workers if worker.tasks]

    def _chunk(
        self, waiting: Iterator[PoolTask | None], *, is_over: bool
    ) -> tuple[list[PoolTask], bool]:
        """The next tasks for one worker, and whether no more come."""
        if self._suspects:
            return [self._suspects.popleft()], is_over
        size = min(_MOST_IN_CHUNK, int(_CHUNK_SECONDS / self._pace)) if self._pace else 1
        chunk: list[PoolTask] = []
        while len(chunk) < max(size, 1):
            if self._back:
                chunk.append(self._back.popleft())
                continue
            entry = None if is_over else next(waiting, _OVER)
            if isinstance(entry, PoolTask):
                chunk.append(entry)
                continue
            is_over = is_over or entry is _OVER
            break
        return chunk, is_over

    def _steal(self) -> bool:
        """Takes tasks back from a worker that is slow, for one that has none."""
        victim = max(self._workers, key=lambda worker: len(worker.tasks))
        if len(victim.tasks) < 2 or victim.spent < _PATIENCE:
            return False
        self._back.extend(victim.cut())
        return True

    def _answers(self) -> Iterator[TaskResults | None]:
        busy = [worker for worker in self._workers if worker.tasks]
        pause = _BETWEEN_LOOKS / len(busy)
        nothing = True
        for worker in busy:
            for answer in self._of(worker, pause):
                nothing = False
                yield answer
        if nothing:
            yield None

    def _of(self, worker: _Worker, pause: float) -> Iterator[TaskResults]:
        frames = worker.receive(pause)
        if frames is None:
            yield from self._died(worker)
            return
        if worker.is_ready:
            self._failed_starts = 0
        for frame in frames[: len(worker.tasks)]:
            spent = worker.took()
            self._pace += 0.2 * (spent - self._pace)
            yield TaskResults(worker.tasks.popleft(), worker.decoded(frame))
        over = worker.over() if worker.tasks else None
        if over is not None:
            worker.close()
            entry = worker.tasks.popleft()
            self._give_back(worker)
            yield TaskResults(entry, [without_verdict(entry.task, "unknown", over)])
        worker.rest()

    def _died(self, worker: _Worker) -> Iterator[TaskResults]:
        was_ready, how = worker.is_ready, worker.last_words()
        if not was_ready:
            self._failed_starts += 1
            if self._failed_starts > _MOST_FAILED_STARTS:
                raise InternalError("P901", f"a worker process {how}")
            self._give_back(worker)
            return
        entry = worker.tasks.popleft()
        self._give_back(worker)
        self._deaths[entry.digest] += 1
        if self._deaths[entry.digest] < _MOST_DEATHS:
            self._suspects.append(entry)
            return
        reason = f"its worker process ended twice: {how}"
        yield TaskResults(entry, [without_verdict(entry.task, "crashed", reason)])

    def _give_back(self, worker: _Worker) -> None:
        """Tasks that a worker did not come to go to others."""
        self._back.extend(worker.tasks)
        worker.tasks.clear()

    def __enter__(self) -> Self:
        """The pool itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends all workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process and its tasks. The process is started when it is asked, and anew after its end."""

    def __init__(self) -> None:
        self.tasks: deque[PoolTask] = deque()
        """Sent and not answered. The first one is being answered."""
        self.is_ready = False
        self._is_cut = False
        """Whether the process has tasks that are not its own any more."""
        self._child: Child | None = None
        self._since = 0.0
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(list[Result])

    def ask(self, chunk: list[PoolTask]) -> None:
        if self._child is not None and self._child.is_over:  # ended while it had nothing to do
            self.close()
        if self._child is None:
            self._child = Child(_COMMAND)
        self.tasks.extend(chunk)
        self._since = time.perf_counter()
        self._child.send(self._encoder.encode([entry.task for entry in chunk]))

    def receive(self, pause: float) -> list[bytes] | None:
        """The answers that came. None: the process is gone."""
        assert self._child is not None
        frames = self._child.receive(pause)
        if frames and not self.is_ready:
            assert frames.pop(0) == READY
            self.is_ready = True
            self._since = time.perf_counter()
        return frames

    def cut(self) -> list[PoolTask]:
        """Gives back half of the tasks that the process did not come to."""
        keep = (len(self.tasks) + 1) // 2
        rest = list(self.tasks)[keep:]
        self.tasks = deque(list(self.tasks)[:keep])
        self._is_cut = True
        return rest

    def rest(self) -> None:
        """Ends the process if all that it still works on is not its own any more."""
        if self._is_cut and not self.tasks:
            self.close()

    @property
    def spent(self) -> float:
        """Seconds since the answer before."""
        return time.perf_counter() - self._since if self.is_ready else 0.0

    def decoded(self, frame: bytes) -> list[Result]:
        return self._decoder.decode(frame)

    def took(self) -> float:
        """The same, once for each answer."""
        spent = self.spent
        self._since += spent
        return spent

    def over(self) -> str | None:
        """Why the first task has to be ended from outside, if it does."""
        assert self._child is not None
        task = self.tasks[0].task
        spent = self.spent
        if task.timeout is not None and spent > 2 * task.timeout + _SLACK_SECONDS:
            return f"no answer within {spent:.0f} s, so the worker process was ended"
        if task.memory is not None and memory_of(self._child.pid) > task.memory + _SLACK_MEMORY:
            return "the worker process used too much memory and was ended"
        return None

    def last_words(self) -> str:
        assert self._child is not None
        words = self._child.last_words()
        self.close()
        return words

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None
        self.is_ready = self._is_cut = False
