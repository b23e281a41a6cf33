"""Reads the files of a project, some of them in other processes, and those it knows from a cache.

Modules come in the order of the files, however many processes there are.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError
from pigro.diagnostics.errors import Position
from pigro.scan.project.cache import key_of
from pigro.scan.project.codec import decoded, encoded
from pigro.sources.python.reading import read_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.limits import Budget
    from pigro.scan.project.cache import Cache
    from pigro.sources.files import SourceFile
    from pigro.sources.graph import Module

_CHUNK = 8
"""Files that a process gets at once."""


def read_project(
    files: Sequence[SourceFile],
    budget: Budget,
    *,
    jobs: int = 1,
    cache: Cache | None = None,
    advance: Callable[[], None] | None = None,
) -> tuple[list[Module], list[InputError], dict[str, bytes]]:
    """The graphs of all files, the errors of those that can't be read, and their texts."""
    texts: dict[str, bytes] = {}
    made: dict[str, Module | InputError] = {}
    fresh: list[tuple[SourceFile, str]] = []
    for each in files:
        budget.poll()
        try:
            data = each.path.read_bytes()
        except OSError as error:
            where = Position(source=each.shown)
            made[each.shown] = InputError("P001", error.strerror or str(error), position=where)
            continue
        key = "" if cache is None else key_of(each, data)
        known = None if cache is None else cache.graph(key)
        texts[each.shown] = data
        if known is None:
            fresh.append((each, key))
        else:
            known.file = each.shown
            made[each.shown] = known
            if advance is not None:
                advance()
    for (each, key), found in zip(
        fresh, _graphs([file for file, _ in fresh], texts, jobs), strict=True
    ):
        budget.poll()
        made[each.shown] = found
        if cache is not None and not isinstance(found, InputError):
            cache.keep(key, found)
        if advance is not None:
            advance()
    modules, errors = [], []
    for each in files:
        one = made[each.shown]
        if isinstance(one, InputError):
            errors.append(one)
            texts.pop(each.shown, None)
        else:
            modules.append(one)
    return modules, errors, texts


def _graphs(
    files: Sequence[SourceFile], texts: dict[str, bytes], jobs: int
) -> Iterable[Module | InputError]:
    if jobs == 1 or len(files) < 2 * _CHUNK:
        for each in files:
            yield graph_of(each, texts[each.shown])
        return
    tasks = [(each, texts[each.shown]) for each in files]
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - few need processes
    from multiprocessing import get_context  # noqa: PLC0415 - same

    gc.freeze()
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        for each, answer in zip(files, pool.map(_in_child, tasks, chunksize=_CHUNK), strict=True):
            if isinstance(answer, InputError):
                yield answer
                continue
            module = None if answer is None else decoded(answer)
            yield graph_of(each, texts[each.shown]) if module is None else module


def _in_child(task: tuple[SourceFile, bytes]) -> bytes | InputError | None:
    found = graph_of(*task)
    return found if isinstance(found, InputError) else encoded(found)


def graph_of(file: SourceFile, data: bytes) -> Module | InputError:
    """The graph of a file, or the error why there is none."""
    try:
        made = read_module(data, file.shown, file.module, is_package=file.is_package)
    except InputError as error:
        return error
    made.lines = data.count(b"\n")
    return made
