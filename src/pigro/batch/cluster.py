"""Workers of a Dask cluster. A model travels once to each worker, and is known there by its digest.

Every thread of a Dask worker has a `Pool` with one process, so that limits and crashes are the same
as on one machine. If a Dask worker itself dies, Dask gives its chunks to others. A chunk that Dask
gives up, because too many workers died with it, is taken apart, and its tasks are tried alone.
"""

from __future__ import annotations

import hashlib
import threading
import time
import warnings
from collections import deque
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import msgspec

from pigro import __version__
from pigro.batch.pool import Pool, PoolTask, TaskResults
from pigro.batch.tasks import Result, Task, without_verdict
from pigro.diagnostics import PigroError, UsageError
from pigro.diagnostics.extras import with_extra
from pigro.formats import load
from pigro.formats.binary import write as write_binary
from pigro.limits.system import interrupts_blocked
from pigro.model import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_IN_CHUNK = 64
_CHUNKS_PER_THREAD = 3
_MOST_LOSSES = 5
"""How often the chunk of a task may be lost for reasons that are not its own."""
_BETWEEN_LOOKS = 0.1
_BETWEEN_COUNTS = 2.0
"""Seconds between two questions to the scheduler about its workers."""
_KEPT_FILES = 16


class TaskFile(NamedTuple):
    """A file that tasks are about, as workers get it."""

    suffix: str
    data: bytes


class _Chunk(NamedTuple):
    entries: list[PoolTask]
    losses: int = 0


class DaskCluster:
    """A Dask scheduler with its workers. Use it in a `with` statement."""

    def __init__(self, address: str) -> None:
        self._client, self._local = _client(address)
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._chunks: dict[Any, _Chunk] = {}
        self._again: deque[_Chunk] = deque()
        self._sent: dict[tuple[object, ...], Any] = {}
        """Files on the cluster. The newest are last."""
        self._room, self._counted = 0, 0.0

    def run(self, entries: Iterable[PoolTask | None]) -> Iterator[TaskResults | None]:
        """The answers as they come. None means that nothing came for a moment."""
        chunks = _chunks(iter(entries))
        is_over = False
        while True:
            self._count()
            pause = _BETWEEN_LOOKS
            while len(self._chunks) < self._room and (self._again or not is_over):
                chunk = self._again.popleft() if self._again else next(chunks, None)
                is_over = is_over or chunk is None
                if chunk is None or not chunk.entries:
                    pause = 0.0
                    break
                self._submit(chunk)
            if not self._chunks and is_over and not self._again:
                return
            yield None
            try:
                future = self._done.get(timeout=pause)
            except Empty:
                continue
            yield from self._finished(future, self._chunks.pop(future))

    def running(self) -> list[Task]:
        """The first tasks of the chunks that workers have."""
        return [chunk.entries[0].task for chunk in self._chunks.values()]

    def _count(self) -> None:
        """How many chunks the workers should have."""
        if time.monotonic() < self._counted + _BETWEEN_COUNTS:
            return
        if self._client.status != "running":
            raise UsageError("P018", "the Dask scheduler is gone", hint="start the batch again")
        self._counted = time.monotonic()
        self._room = _CHUNKS_PER_THREAD * max(1, sum(self._client.nthreads().values()))

    def _submit(self, chunk: _Chunk) -> None:
        task = chunk.entries[0].task
        tasks = msgspec.msgpack.encode([entry.task for entry in chunk.entries])
        payload = None if task.scan else self._payload(task)
        future = self._client.submit(answer_chunk, payload, tasks, __version__, pure=False)
        self._chunks[future] = chunk
        future.add_done_callback(self._done.put)

    def _payload(self, task: Task) -> Any:
        """The file of a task on the cluster. Dask makes it again if a worker with it dies."""
        key = (_reading(task), _seen(task.model))
        known = self._sent.pop(key, None)
        if known is None or known.status in {"cancelled", "lost", "error"}:
            try:
                made = payload_of(task)
            except (PigroError, OSError, MemoryError, TimeoutError):
                return None  # the worker reads the file itself, and its answer names the fault
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about its size
                known = self._client.submit(TaskFile, *made, pure=False)
        self._sent[key] = known
        while len(self._sent) > _KEPT_FILES:
            del self._sent[next(iter(self._sent))]
        return known

    def _finished(self, future: Any, chunk: _Chunk) -> Iterator[TaskResults]:
        if future.status == "finished":
            answers = msgspec.msgpack.decode(future.result(), type=list[list[Result]])
            for entry, results in zip(chunk.entries, answers, strict=True):
                yield TaskResults(entry, results)
            return
        error = future.exception() if future.status == "error" else None
        if isinstance(error, PigroError):
            raise error
        if chunk.losses < _MOST_LOSSES:
            alone = [[entry] for entry in chunk.entries] if error else [chunk.entries]
            self._again.extend(_Chunk(entries, chunk.losses + 1) for entries in alone)
            return
        for entry in chunk.entries:
            reason = f"the cluster lost it {chunk.losses + 1} times: {error or future.status}"
            yield TaskResults(entry, [without_verdict(entry.task, "crashed", reason)])

    def __enter__(self) -> Self:
        """The cluster itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leaves the scheduler, or ends it if it was started here."""
        self._client.close()
        if self._local is not None:
            self._local.close()


def _chunks(entries: Iterator[PoolTask | None]) -> Iterator[_Chunk]:
    """Tasks that share a model, in the order of the plan. An empty chunk is a moment's rest."""
    together: list[PoolTask] = []
    for entry in entries:
        if together and (
            entry is None
            or len(together) == _IN_CHUNK
            or _reading(entry.task) != _reading(together[0].task)
        ):
            yield _Chunk(together)
            together = []
        if entry is None:
            yield _Chunk([])
        else:
            together.append(entry)
    if together:
        yield _Chunk(together)


def _reading(task: Task) -> tuple[object, ...]:
    """Tasks with the same of this share a model."""
    own = task.formula is None
    return (task.model, task.format, task.semantics, task.dead_ends, task.scan, own)


def _seen(path: str) -> tuple[int, int] | None:
    """Changes when a file does."""
    try:
        stat = Path(path).stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def payload_of(task: Task) -> TaskFile:
    """The model of a task as `.pigro` bytes, or its file where these can't hold all of it."""
    if task.formula is not None:
        model = load(
            task.model, format=task.format, semantics=task.semantics, dead_ends=task.dead_ends
        )
        if isinstance(model, RSM):
            return TaskFile(".pigro", write_binary(model))
    path = Path(task.model)
    return TaskFile(path.suffix, path.read_bytes())


def _client(address: str) -> tuple[Any, Any]:
    """A client of the scheduler at an address, or of one that is started here."""
    kind, _, count = address.partition(":")
    if kind == "local" and (not count.isdigit() or count == "0"):
        raise UsageError("P018", f"{address} has no number of workers", hint="write local:4")
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        hint = with_extra("cluster")
        raise UsageError("P018", "a cluster needs dask and distributed", hint=hint) from None
    if kind == "local":
        with _no_interrupts_for_children():
            local = LocalCluster(
                n_workers=int(count),
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # any port, as for all others
                silence_logs=50,
            )
        return Client(local), local
    try:
        return Client(address, timeout=30), None
    except (OSError, ValueError) as error:
        raise UsageError("P018", f"no Dask scheduler answers at {address}: {error}") from None


@contextmanager
def _no_interrupts_for_children() -> Iterator[None]:
    """Keeps Ctrl-C of the terminal from threads and processes that start here, and from theirs.

    This process ends them. Otherwise each of them would print where it was interrupted. The tracker
    of multiprocessing starts before, because its start would allow interrupts again.
    """
    resource_tracker.ensure_running()
    with interrupts_blocked():
        yield


# On the worker.

_MINE = threading.local()


def answer_chunk(payload: TaskFile | None, tasks: bytes, version: str) -> bytes:
    """The results of tasks that share a model, in their order."""
    if version != __version__:
        told = f"a worker has Pigro {__version__}, and this is {version}"
        raise UsageError("P018", told, hint="install the same version everywhere")
    asked = msgspec.msgpack.decode(tasks, type=list[Task])
    place = None if payload is None else _placed(*payload)
    if not hasattr(_MINE, "pool"):
        _MINE.pool = Pool(1)
    entries = [PoolTask(b"%d" % at, _placed_task(task, place)) for at, task in enumerate(asked)]
    found: dict[bytes, list[Result]] = {}
    for answer in _MINE.pool.run(entries):
        if answer is not None:
            found[answer.entry.digest] = answer.results
    return msgspec.msgpack.encode(
        [
            [msgspec.structs.replace(result, task=task) for result in found[entry.digest]]
            for entry, task in zip(entries, asked, strict=True)
        ]
    )


def _placed_task(task: Task, place: str | None) -> Task:
    """The same question about the file on this machine."""
    if place is None:
        return task
    kind = None if place.endswith(".pigro") else task.format
    return msgspec.structs.replace(task, model=place, format=kind)


def _placed(suffix: str, data: bytes) -> str:
    """The file with this content, in a folder that Dask removes with the worker."""
    from distributed import get_worker

    folder = Path(get_worker().local_directory, f"pigro-{threading.get_ident()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    place = folder / f"{hashlib.sha256(data).hexdigest()}{suffix}"
    if not place.exists():
        for old in sorted(folder.iterdir(), key=_age)[:-_KEPT_FILES]:
            old.unlink()
        place.write_bytes(data)
    return str(place)


def _age(path: Path) -> float:
    return path.stat().st_mtime
