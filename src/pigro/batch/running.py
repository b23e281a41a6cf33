"""Runs batches: tasks that have results in the store are done, and the others go to workers."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self

from pigro.batch.pool import Pool, PoolTask
from pigro.batch.store import Store
from pigro.batch.tasks import Result, Task, digest_of, without_verdict

if TYPE_CHECKING:
    from pigro.batch.pool import TaskResults

_LOOKED_UP_TOGETHER = 500
_BETWEEN_TICKS = 0.05
_OVER = object()
_CHANGED = "its file changed while the task was answered. Start the batch again"


class BatchProgress(NamedTuple):
    """How far a batch has come."""

    known: int
    """Tasks that had results in the store."""
    answered: int
    running: list[Task]
    """Tasks that workers are answering now."""


def run(
    tasks: Iterable[Task | None],
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    tick: Callable[[BatchProgress], None] | None = None,
) -> Generator[Result]:
    """Answers tasks in worker processes, and yields the results as they are found.

    - `store` is a file that keeps results. Tasks that have results there are not answered again,
      except for those without a verdict if you set `retry`.
    - `jobs` is the number of worker processes, by default one per core.
    - `cluster` is the address of a Dask scheduler, or `local:N`. Its workers then answer the tasks.
    - `tick` is called several times a second, and may raise to stop. Results that were found are
      kept.

    A task may be None if your iterable has to wait for the next one.

    >>> from pigro.batch import Task, run
    >>> tasks = [Task(model="examples/dataflow.rsm", formula=f) for f in ("AF use_i", "AG def_i")]
    >>> sorted((result.formula, result.verdict) for result in run(tasks, jobs=1))
    [('AF use_i', 'holds'), ('AG def_i', 'fails')]
    """
    with ExitStack() as stack:
        kept = None if store is None else stack.enter_context(Store(Path(store)))
        workers = stack.enter_context(_workers(jobs, cluster))
        known = _AnsweredTasks(kept, retry=retry)
        answered, due = 0, 0.0
        for answer in workers.run(known.filter(tasks)):
            yield from known.taken()
            if tick is not None and time.monotonic() >= due:
                due = time.monotonic() + _BETWEEN_TICKS
                tick(BatchProgress(known.count, answered, workers.running()))
            if answer is not None:
                answered += 1
                yield from _kept(answer, kept)
            elif kept is not None:
                kept.write()
        yield from known.taken()


def _kept(answer: TaskResults, store: Store | None) -> list[Result]:
    """The results of a task, which are kept if they are about the files that it was known by."""
    (digest, task), results = answer
    if digest_of(task) != digest:
        return [without_verdict(task, "error", _CHANGED)]
    if store is not None:
        store.add(digest, results)
    return results


async def run_async(
    tasks: Iterable[Task | None],
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> AsyncIterator[Result]:
    """As `run`, for programs with `asyncio`. The loop is free while workers work.

    >>> import asyncio
    >>> from pigro.batch import Task, run_async
    >>> async def verdicts():
    ...     task = Task(model="examples/dataflow.rsm", formula="AF use_i")
    ...     return [result.verdict async for result in run_async([task], jobs=1)]
    >>> asyncio.run(verdicts())
    ['holds']
    """
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:  # a store belongs to one thread
        results = run(tasks, store=store, jobs=jobs, cluster=cluster)
        try:
            while True:
                result = await loop.run_in_executor(thread, next, results, _OVER)
                if not isinstance(result, Result):
                    return
                yield result
        finally:
            await loop.run_in_executor(thread, results.close)


class _Workers(Protocol):
    """Processes that answer tasks, here or elsewhere."""

    def run(self, entries: Iterable[PoolTask | None], /) -> Iterator[TaskResults | None]: ...
    def running(self) -> list[Task]: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...


def _workers(jobs: int | None, cluster: str | None) -> _Workers:
    if cluster is not None:
        from pigro.batch.cluster import DaskCluster

        return DaskCluster(cluster)
    return Pool(jobs or os.cpu_count() or 1)


class _AnsweredTasks:
    """Tasks that have results in a store."""

    def __init__(self, store: Store | None, *, retry: bool) -> None:
        self._store = store
        self._retry = retry
        self._results: list[Result] = []
        self.count = 0

    def filter(self, tasks: Iterable[Task | None]) -> Iterator[PoolTask | None]:
        """The other tasks. None means that nothing is to be done for a moment."""
        waiting = iter(tasks)
        is_over = False
        while not is_over:
            together: list[PoolTask] = []
            while len(together) < _LOOKED_UP_TOGETHER:
                task = next(waiting, _OVER)
                if not isinstance(task, Task):
                    is_over = task is _OVER
                    break
                together.append(PoolTask(digest_of(task), task))
            yield from self._without_results(together)
            yield None

    def _without_results(self, entries: list[PoolTask]) -> Iterator[PoolTask]:
        found = self._found([entry.digest for entry in entries])
        for entry in entries:
            if entry.digest in found:
                self.count += 1
                self._results += found[entry.digest]
            else:
                yield entry

    def taken(self) -> list[Result]:
        """Results of known tasks since the last call."""
        taken, self._results = self._results, []
        return taken

    def _found(self, digests: list[bytes]) -> dict[bytes, list[Result]]:
        if self._store is None or not digests:
            return {}
        if self._retry:
            self._store.forget(digests)
        return self._store.found(digests)
