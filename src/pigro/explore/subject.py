"""The model that is explored: read once, and again when its file changes."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import InputProblems, PigroError, UsageError, printable, render_error
from pigro.explore.call_map import CallMap
from pigro.explore.finding import ModelFinder
from pigro.formats.source import open_source
from pigro.limits import Budget
from pigro.logic.printer import text_as_written
from pigro.session.prepare import prepare
from pigro.session.request import Request
from pigro.sources.front_ends import is_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.model import RSM
    from pigro.model.space import Model

_MOST_STATED = 50
"""Formulas of the file that are offered."""


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """What the command line says."""

    path: str
    formulas: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    format: str | None = None
    semantics: str | None = None
    dead_ends: str | None = None
    timeout: float | None = None
    """Seconds for each question. None: the page says."""
    memory: float | None = None


@dataclass(frozen=True)
class LoadedModel:
    """A model with what the page needs to begin."""

    model: Model
    formulas: tuple[str, ...]
    """Those of the command line. Without any, those that the file states."""
    number: int
    """Counts how often the model was read."""

    @property
    def listed(self) -> RSM:
        """The model with its states. `UsageError` if they are not listed."""
        if self.model.is_listed:
            return self.model
        raise UsageError("P006", "the states of this model are computed on demand, not listed")

    @cached_property
    def calls(self) -> CallMap:
        """The call graph."""
        return CallMap.of(self.listed)

    @cached_property
    def finder(self) -> ModelFinder:
        """Finds components, nodes and labels."""
        return ModelFinder(self.listed, self.calls)

    @property
    def is_listed(self) -> bool:
        """Whether the states are listed, so that they can be drawn and stepped through."""
        return self.model.is_listed


class WatchedModel:
    """The model as it was last read, and why it could not be read again, if so."""

    def __init__(self, wanted: ExploreOptions, tick: Callable[[], None] | None = None) -> None:
        self.wanted = wanted
        self._seen = self._stamp()
        self.now = _read(wanted, 1, tick)
        self.problem: str | None = None
        self._lock = threading.Lock()

    def _stamp(self) -> tuple[int, int, int] | None:
        """What changes when the file does. None if there is no file."""
        try:
            status = Path(self.wanted.path).stat()
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    @property
    def is_gone(self) -> bool:
        """Whether the file is gone."""
        return self._stamp() is None

    def refresh(self) -> None:
        """Reads the file again if it changed. A file that can't be read leaves the old model."""
        with self._lock:
            stamp = self._stamp()
            if stamp is None or stamp == self._seen:
                return
            self._seen = stamp
            try:
                self.now = _read(self.wanted, self.now.number + 1, None)
                self.problem = None
            except (PigroError, InputProblems) as error:
                self.problem = told_error(error)


def told_error(error: BaseException) -> str:
    """An error as the command line shows it, harmless and not too long."""
    errors = error.errors if isinstance(error, InputProblems) else [error]
    texts = [render_error(each) for each in errors[:5] if isinstance(each, PigroError)]
    lines = "\n".join(texts).split("\n")
    return "\n".join(printable(line, 400) for line in lines)


def _read(wanted: ExploreOptions, number: int, tick: Callable[[], None] | None) -> LoadedModel:
    budget = Budget(tick=tick)
    model: Model
    if is_source(wanted.path):
        model = _extracted(wanted.path, budget)
        stated: tuple[str, ...] = ()
    else:
        source = open_source(wanted.path, wanted.format, budget.poll)
        how = {"semantics": wanted.semantics, "dead_ends": wanted.dead_ends}
        model = source.model(**how, poll=budget.poll)
        own = () if wanted.formulas or wanted.files else source.requirements(model)
        stated = tuple(text_as_written(each.formula) for each in own[:_MOST_STATED])
    if not model.is_listed:
        model = model.few(poll=budget.poll) or model
    if not (wanted.formulas or wanted.files):
        return _ready(LoadedModel(model, stated, number))
    request = Request(model, wanted.formulas, wanted.files, typed=True)
    formulas = prepare(request, budget).formulas
    return _ready(LoadedModel(model, tuple(text_as_written(each) for each in formulas), number))


def _ready(loaded: LoadedModel) -> LoadedModel:
    """Makes the tables of a model that the first click needs."""
    if loaded.is_listed:
        _ = loaded.calls
        loaded.listed.labels_of(0)
    return loaded


def _extracted(path: str, budget: Budget) -> RSM:
    """The model of a program."""
    from pigro.scan.extracting import extract
    from pigro.scan.scanning import read_sources
    from pigro.sources.files import source_files
    from pigro.sources.link import LinkedProgram

    modules, errors, _ = read_sources(source_files((path,)), budget)
    if errors:
        raise InputProblems(list(errors))
    return extract(LinkedProgram.of(modules)).model
