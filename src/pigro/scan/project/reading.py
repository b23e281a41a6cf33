"""Reads the files of a project, some of them in other processes, and those it knows from a cache.

Modules come in the order of the files, however many processes there are.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError
from pigro.diagnostics.errors import Position
from pigro.limits import LIMIT_ERRORS
from pigro.scan.project.cache import key_of
from pigro.scan.project.codec import decoded, encoded
from pigro.scan.project.index import KeptModule, ProjectIndex
from pigro.sources.front_ends import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.limits import Budget
    from pigro.scan.project.cache import GraphCache
    from pigro.scan.surveys import FileSurvey
    from pigro.sources.files import SourceFile
    from pigro.sources.graph import Module

_CHUNK = 8
"""Files that a process gets at once."""


@dataclass(slots=True)
class ProjectSources:
    """The files of a project."""

    modules: list[Module] = field(default_factory=list)
    errors: list[InputError] = field(default_factory=list)
    """Why files can't be read."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """The content of each file that was read."""
    surveys: list[FileSurvey] | None = None
    """The known facts about each module."""
    end: Exception | None = None
    """What ended the reading, if a limit was reached;"""
    unread: int = 0
    """and how many files were not read then."""


@dataclass(slots=True)
class ProjectReader:
    """Reads files. `cache` and the name of the `project` are for facts known already."""

    budget: Budget
    jobs: int = 1
    cache: GraphCache | None = None
    project: str = ""
    advance: Callable[[], None] | None = None
    index: ProjectIndex = field(default_factory=lambda: ProjectIndex(None))
    _made: dict[str, Module | InputError] = field(default_factory=dict)
    _keys: dict[str, str] = field(default_factory=dict)

    def read(self, files: Sequence[SourceFile]) -> ProjectSources:
        """The graphs of all files. If a limit is reached, those that were made until then."""
        if self.cache is not None:
            self.index = self.cache.index(self.project)
        found = ProjectSources()
        try:
            self._read(files, found.texts)
        except LIMIT_ERRORS as end:
            found.end = end
            found.unread = sum(each.shown not in self._made for each in files)
        keys = []
        for each in files:
            one = self._made.get(each.shown)
            if one is None or isinstance(one, InputError):
                found.errors += [] if one is None else [one]
                found.texts.pop(each.shown, None)
            else:
                found.modules.append(one)
                keys.append(self._keys[each.shown])
        if self.cache is not None and found.end is None:
            found.surveys = self.index.surveys(keys, found.modules)
        return found

    def keep(self) -> None:
        """Keeps what the scan found out about files."""
        if self.cache is not None:
            self.cache.keep_index(self.project, self.index)

    def _read(self, files: Sequence[SourceFile], texts: dict[str, bytes]) -> None:
        fresh = []
        for each in files:
            self.budget.poll()
            try:
                data = each.path.read_bytes()
            except OSError as error:
                where = Position(source=each.shown)
                made = InputError("P001", error.strerror or str(error), position=where)
                self._made[each.shown] = made
                continue
            texts[each.shown] = data
            known = self._known(each, data)
            if known is None:
                fresh.append(each)
            else:
                self._done(each, known)
        for each, found in zip(fresh, _graphs(fresh, texts, self.jobs), strict=True):
            if self.cache is not None and not isinstance(found, InputError):
                self.cache.keep(self._keys[each.shown], found)
            self._done(each, found)
            self.budget.poll()

    def _known(self, file: SourceFile, data: bytes) -> Module | None:
        if self.cache is None:
            self._keys[file.shown] = ""
            return None
        key = self._keys[file.shown] = key_of(file, data)
        entry = self.index.entry(key)
        if entry is None:
            return self.cache.graph(key)
        self.cache.hits += 1
        return KeptModule(entry, file.shown, partial(self._again, key, file, data))

    def _again(self, key: str, file: SourceFile, data: bytes) -> Module:
        """The graph of a file that was read without an error before."""
        assert self.cache is not None
        found = self.cache.graph(key) or graph_of(file, data)
        if isinstance(found, InputError):
            raise found
        return found

    def _done(self, file: SourceFile, made: Module | InputError) -> None:
        if not isinstance(made, InputError):
            made.file = file.shown
        self._made[file.shown] = made
        if self.advance is not None:
            self.advance()


def read_project(
    files: Sequence[SourceFile], budget: Budget, *, jobs: int = 1, cache: GraphCache | None = None
) -> tuple[list[Module], list[InputError], dict[str, bytes]]:
    """The graphs of all files, the errors of those that can't be read, and their texts."""
    found = ProjectReader(budget, jobs, cache).read(files)
    if found.end is not None:
        raise found.end
    return found.modules, found.errors, found.texts


def _graphs(
    files: Sequence[SourceFile], texts: dict[str, bytes], jobs: int
) -> Iterable[Module | InputError]:
    if jobs == 1 or len(files) < 2 * _CHUNK:
        for each in files:
            yield graph_of(each, texts[each.shown])
        return
    tasks = [(each, texts[each.shown]) for each in files]
    from pigro.limits.processes import pool_of_copies

    gc.freeze()
    with pool_of_copies(jobs) as pool:
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
        return read_source(file, data)
    except InputError as error:
        return error
