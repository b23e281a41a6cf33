"""Worker processes on this machine. A worker that dies, or does not answer, loses only its task."""

from __future__ import annotations

import sys
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from pigro.batch.child import Child, resident
from pigro.batch.tasks import Result, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Self

_COMMAND = (sys.executable, "-m", "pigro.batch.worker")
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at workers that work."""
_SLACK_SECONDS = 5.0
_SLACK_MEMORY = 300_000_000
"""How far beyond its limits a task may go before its worker is ended. It should end by itself."""
_MOST_DEATHS = 2
"""A task whose worker died so often is not tried again."""
_CHUNK_SECONDS = 0.2
_MOST_IN_CHUNK = 256


class Entry(NamedTuple):
    """A task, known by its digest."""

    digest: bytes
    task: Task


class Answer(NamedTuple):
    """The results of a task."""

    entry: Entry
    results: list[Result]


class Pool:
    """Workers, and the tasks that they have. Use it in a `with` statement."""

    def __init__(self, jobs: int) -> None:
        self._workers = [_Worker() for _ in range(jobs)]
        self._deaths: Counter[bytes] = Counter()
        self._again: deque[Entry] = deque()
        self._pace = 0.0
        """Seconds for one task, lately."""

    def run(self, entries: Iterable[Entry]) -> Iterator[Answer | None]:
        """The answers as they come. None means that nothing came for a moment."""
        waiting = iter(entries)
        is_over = False
        while True:
            for worker in self._workers:
                while not worker.tasks:
                    chunk = self._chunk(waiting) if not is_over or self._again else []
                    is_over = is_over or not chunk
                    if not chunk:
                        break
                    worker.ask(chunk)
            if not any(worker.tasks for worker in self._workers):
                return
            yield from self._answers()

    def _chunk(self, waiting: Iterator[Entry]) -> list[Entry]:
        """The next tasks for one worker. A task that ended a worker before comes alone."""
        if self._again:
            return [self._again.popleft()]
        size = max(1, min(_MOST_IN_CHUNK, int(_CHUNK_SECONDS / max(self._pace, 1e-6))))
        return [entry for _, entry in zip(range(size if self._pace else 1), waiting, strict=False)]

    def _answers(self) -> Iterator[Answer | None]:
        busy = [worker for worker in self._workers if worker.tasks]
        pause = _BETWEEN_LOOKS / len(busy)
        nothing = True
        for worker in busy:
            for answer in self._of(worker, pause):
                nothing = False
                yield answer
        if nothing:
            yield None

    def _of(self, worker: _Worker, pause: float) -> Iterator[Answer]:
        frames = worker.receive(pause)
        if frames is None:
            yield from self._died(worker, worker.last_words())
            return
        for frame in frames:
            spent = worker.took()
            self._pace += 0.2 * (spent - self._pace)
            yield Answer(worker.tasks.popleft(), worker.decoded(frame))
        over = worker.over() if worker.tasks else None
        if over is not None:
            worker.close()
            entry = worker.tasks.popleft()
            self._give_back(worker)
            yield Answer(entry, [_failed(entry.task, "unknown", over)])

    def _died(self, worker: _Worker, how: str) -> Iterator[Answer]:
        entry = worker.tasks.popleft()
        self._give_back(worker)
        self._deaths[entry.digest] += 1
        if self._deaths[entry.digest] < _MOST_DEATHS:
            self._again.append(entry)
            return
        reason = f"its worker process ended twice: {how}"
        yield Answer(entry, [_failed(entry.task, "crashed", reason)])

    def _give_back(self, worker: _Worker) -> None:
        """Tasks that a worker did not come to go to others."""
        self._again.extend(worker.tasks)
        worker.tasks.clear()

    def __enter__(self) -> Self:
        """The pool itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends all workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """A process and its tasks. The process is started when it is asked, and anew after its end."""

    def __init__(self) -> None:
        self.tasks: deque[Entry] = deque()
        """Sent and not answered. The first one is being answered."""
        self._child: Child | None = None
        self._since = 0.0
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(list[Result])

    def ask(self, chunk: list[Entry]) -> None:
        if self._child is None:
            self._child = Child(_COMMAND)
            self._child.wait_until_ready()
        self.tasks.extend(chunk)
        self._since = time.perf_counter()
        self._child.send(self._encoder.encode([entry.task for entry in chunk]))

    def receive(self, pause: float) -> list[bytes] | None:
        assert self._child is not None
        return self._child.receive(pause)

    def decoded(self, frame: bytes) -> list[Result]:
        return self._decoder.decode(frame)

    def took(self) -> float:
        """Seconds since the answer before."""
        now = time.perf_counter()
        spent, self._since = now - self._since, now
        return spent

    def over(self) -> str | None:
        """Why the first task has to be ended from outside, if it does."""
        assert self._child is not None
        task = self.tasks[0].task
        spent = time.perf_counter() - self._since
        if task.timeout is not None and spent > 2 * task.timeout + _SLACK_SECONDS:
            return f"no answer within {spent:.0f} s, so the worker process was ended"
        if task.memory is not None and resident(self._child.pid) > task.memory + _SLACK_MEMORY:
            return "the worker process used too much memory and was ended"
        return None

    def last_words(self) -> str:
        assert self._child is not None
        words = self._child.last_words()
        self._child = None
        return words

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


def _failed(task: Task, word: str, reason: str) -> Result:
    return Result(task=task, formula=task.formula or "", verdict=word, reason=reason)
