"""Runs batches: tasks that have results in the store are done, and the others go to workers."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.batch.pool import Entry, Pool
from pigro.batch.store import Store
from pigro.batch.tasks import Result, Task, digest_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator

    from pigro.batch.pool import Answer

_LOOKED_UP_TOGETHER = 500
_OVER = object()


def run(
    tasks: Iterable[Task],
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    tick: Callable[[], None] | None = None,
) -> Generator[Result]:
    """The results of all tasks, as they are found.

    With a `store`, a file, results are kept: tasks that have results there are not answered again,
    and their results come first. `jobs` worker processes answer tasks, by default one per core.
    With `cluster`, the address of a Dask scheduler or `local:N`, its workers do. `tick` is called
    several times a second, and may raise to stop. Results that were found are kept then.

    >>> from pigro.batch import Task, run
    >>> tasks = [Task(model="examples/dataflow.rsm", formula=f) for f in ("AF use_i", "AG def_i")]
    >>> sorted((result.formula, result.verdict) for result in run(tasks, jobs=1))
    [('AF use_i', 'holds'), ('AG def_i', 'fails')]
    """
    with ExitStack() as stack:
        kept = None if store is None else stack.enter_context(Store(Path(store)))
        known: list[Result] = []
        for answer in _answers(_new(tasks, kept, known), jobs, cluster, stack):
            yield from known
            known.clear()
            if tick is not None:
                tick()
            if answer is None:
                if kept is not None:
                    kept.write()
                continue
            if kept is not None:
                kept.add(answer.entry.digest, answer.results)
            yield from answer.results
        yield from known


async def run_async(
    tasks: Iterable[Task],
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
) -> AsyncIterator[Result]:
    """The same as `run`, for programs with `asyncio`. The loop is free while workers work."""
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


def _answers(
    entries: Iterator[Entry], jobs: int | None, cluster: str | None, stack: ExitStack
) -> Iterator[Answer | None]:
    if cluster is not None:
        from pigro.batch.cluster import on_cluster  # noqa: PLC0415 - needs an extra

        return on_cluster(cluster, entries)
    return stack.enter_context(Pool(jobs or os.cpu_count() or 1)).run(entries)


def _new(tasks: Iterable[Task], store: Store | None, known: list[Result]) -> Iterator[Entry]:
    """The tasks without results in the store. Results of the others are put into `known`."""
    waiting = iter(tasks)
    while together := [
        Entry(digest_of(task), task) for task in islice(waiting, _LOOKED_UP_TOGETHER)
    ]:
        found = {} if store is None else store.found([entry.digest for entry in together])
        for entry in together:
            if entry.digest in found:
                known.extend(found[entry.digest])
            else:
                yield entry
