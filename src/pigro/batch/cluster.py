"""Workers of a Dask cluster. A model travels once to each worker, and is known there by its digest.

Dask restarts workers that die, and gives their chunks to others. A chunk whose workers died too
often is taken apart, so that only the task that ends workers is given up. Data that was lost with a
worker is sent again.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from pigro.batch.answering import Answerer
from pigro.batch.pool import Answer, Entry
from pigro.batch.tasks import Result, Task
from pigro.diagnostics import PigroError, UsageError
from pigro.formats import load
from pigro.formats.binary import write as write_binary
from pigro.model import RSM

if TYPE_CHECKING:
    from collections.abc import Iterator

_IN_CHUNK = 64
_CHUNKS_PER_WORKER = 3
_MOST_LOSSES = 5
"""How often the chunk of a task may be lost for reasons that are not its own."""
_ALLOWED_DEATHS = 1
_HINT = "pip install 'pigro[cluster]'"


class Payload(NamedTuple):
    """A file that tasks are about, as workers get it."""

    name: str
    data: bytes


class _Chunk(NamedTuple):
    entries: list[Entry]
    losses: int = 0


def on_cluster(address: str, entries: Iterator[Entry]) -> Iterator[Answer | None]:
    """The answers of a cluster, as they come. None means that nothing came for a moment."""
    with _client(address) as client:
        yield from _Run(client, entries).answers()


class _Run:
    """Chunks that wait, and chunks that workers have."""

    def __init__(self, client: Any, entries: Iterator[Entry]) -> None:
        self._client = client
        self._entries = entries
        self._next: Entry | None = next(entries, None)
        self._again: deque[_Chunk] = deque()
        self._sent: dict[tuple[object, ...], Any] = {}
        """Files on the cluster. The newest are last."""

    def answers(self) -> Iterator[Answer | None]:
        from distributed import as_completed  # noqa: PLC0415 - in an extra

        working = as_completed(with_results=False)
        chunks: dict[Any, _Chunk] = {}
        while True:
            room = _CHUNKS_PER_WORKER * max(1, len(self._client.nthreads()))
            while len(chunks) < room and (chunk := self._chunk()) is not None:
                future = self._submit(chunk)
                chunks[future] = chunk
                working.add(future)
            if not chunks:
                return
            yield None
            future = next(working)
            yield from self._finished(future, chunks.pop(future))

    def _chunk(self) -> _Chunk | None:
        """The next tasks on one model."""
        if self._again:
            return self._again.popleft()
        first = self._next
        if first is None:
            return None
        together = [first]
        self._next = next(self._entries, None)
        while (
            self._next is not None
            and len(together) < _IN_CHUNK
            and _reading(self._next.task) == _reading(first.task)
        ):
            together.append(self._next)
            self._next = next(self._entries, None)
        return _Chunk(together)

    def _submit(self, chunk: _Chunk) -> Any:
        task = chunk.entries[0].task
        tasks = msgspec.msgpack.encode([entry.task for entry in chunk.entries])
        payload = None if task.scan else self._payload(task)
        return self._client.submit(answer_chunk, payload, tasks, pure=False)

    def _payload(self, task: Task) -> Any:
        key = (_reading(task), _seen(task.model))
        known = self._sent.pop(key, None)
        if known is None or known.status != "finished":
            try:
                made = payload_of(task)
            except (PigroError, OSError, MemoryError, TimeoutError):
                return None  # the worker reads the file itself, and its answer says what is wrong
            [known] = self._client.scatter([made], broadcast=True)
        self._sent[key] = known
        while len(self._sent) > 2 * _CHUNKS_PER_WORKER:
            del self._sent[next(iter(self._sent))]
        return known

    def _finished(self, future: Any, chunk: _Chunk) -> Iterator[Answer]:
        from distributed import KilledWorker  # noqa: PLC0415 - in an extra

        if future.status == "finished":
            answers = msgspec.msgpack.decode(future.result(), type=list[list[Result]])
            for entry, results in zip(chunk.entries, answers, strict=True):
                yield Answer(entry, results)
            return
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            if len(chunk.entries) == 1:
                yield _given_up(chunk.entries[0], "crashed", "its worker process ended twice")
                return
            self._again.extend(_Chunk([entry]) for entry in chunk.entries)
        elif chunk.losses < _MOST_LOSSES:  # its data went with a worker
            self._sent.clear()
            self._again.append(_Chunk(chunk.entries, chunk.losses + 1))
        else:
            for entry in chunk.entries:
                yield _given_up(entry, "error", f"the cluster lost it: {error or future.status}")


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


def _given_up(entry: Entry, word: str, reason: str) -> Answer:
    task = entry.task
    return Answer(
        entry, [Result(task=task, formula=task.formula or "", verdict=word, reason=reason)]
    )


def payload_of(task: Task) -> Payload:
    """The model of a task as `.pigro` bytes, or its file where these can't hold all of it."""
    if task.formula is not None:
        model = load(
            task.model, format=task.format, semantics=task.semantics, dead_ends=task.dead_ends
        )
        if isinstance(model, RSM) and model.on_demand is None:
            return Payload("model.pigro", write_binary(model))
    path = Path(task.model)
    return Payload(path.name, path.read_bytes())


def _client(address: str) -> Any:
    """A client of the scheduler at an address, or of one that is started here."""
    kind, _, count = address.partition(":")
    if kind == "local" and (not count.isdigit() or count == "0"):
        raise UsageError("P018", f"{address} has no number of workers", hint="write local:4")
    try:
        import dask  # noqa: PLC0415 - in an extra
        from distributed import Client, LocalCluster  # noqa: PLC0415
    except ImportError:
        raise UsageError("P018", "a cluster needs dask and distributed", hint=_HINT) from None
    if kind == "local":
        dask.config.set({"distributed.scheduler.allowed-failures": _ALLOWED_DEATHS})
        cluster = LocalCluster(
            n_workers=int(count), threads_per_worker=1, dashboard_address=None, silence_logs=50
        )
        return Client(cluster)
    try:
        return Client(address, timeout=30)
    except (OSError, ValueError) as error:
        raise UsageError("P018", f"no Dask scheduler answers at {address}: {error}") from None


# On the worker.

_ANSWERER = Answerer()


def answer_chunk(payload: Payload | None, tasks: bytes) -> bytes:
    """The results of tasks that share a model, in their order."""
    decoded = msgspec.msgpack.decode(tasks, type=list[Task])
    place = None if payload is None else _placed(*payload)
    return msgspec.msgpack.encode([_answer(task, place) for task in decoded])


def _answer(task: Task, place: str | None) -> list[Result]:
    if place is None:
        return _ANSWERER.answer(task)
    here = msgspec.structs.replace(
        task, model=place, format=None if place.endswith(".pigro") else task.format
    )
    return [msgspec.structs.replace(result, task=task) for result in _ANSWERER.answer(here)]


def _placed(name: str, data: bytes) -> str:
    """The file with this content, in a folder of this process."""
    digest = hashlib.sha256(data).hexdigest()
    folder = Path(tempfile.gettempdir()) / f"pigro-batch-{os.getuid()}-{os.getpid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    place = folder / f"{digest}{Path(name).suffix}"
    if not place.exists():
        place.write_bytes(data)
    return str(place)
