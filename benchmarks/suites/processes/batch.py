"""Batches of many tasks on one model: what workers, messages and the store add to the checks.

The same formulas are checked in one process without a batch, and by batches with one and with two
workers. The overhead is processor time, of the client and of all workers, beyond that of the
checks alone. How many times as fast two workers are is a matter of the clock.
"""

from __future__ import annotations

import hashlib
import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, count, ratio, time_of
from pigro.formats import load, save
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.session.api import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope

ALONE = "check"
WORKERS = {"one worker": 1, "two workers": 2}
RUNNERS = (ALONE, *WORKERS)
MODELS = {"small": ModelShape(), "large": ModelShape(components=30, nodes=100, density=0.05)}
SIZES = {"small": (10_000, 100_000), "large": (2_000,)}
QUICK_SIZES = {"small": (1_000,), "large": (100,)}


class _Work(NamedTuple):
    file: bytes
    formulas: list[str]


class Batch(Suite):
    """Numbers of workers by models and numbers of tasks."""

    name = "batch"
    about = "many tasks on one model, alone and with workers"

    def __init__(self) -> None:
        self._works: LastValueCache[_Work] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Model by model."""
        for model, sizes in (QUICK_SIZES if scope.quick else SIZES).items():
            for tasks in sizes:
                for runner in RUNNERS:
                    yield Case.of(self.name, runner, model=model, tasks=tasks)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One batch, or one loop of checks."""
        work, _ = self._works.take(case.at, lambda: _work(case.text("model"), case.number("tasks")))
        with TemporaryDirectory() as folder:
            path = str(Path(folder, "model.rsm"))
            Path(path).write_bytes(work.file)
            began, used = time.perf_counter(), _used()
            if case.runner == ALONE:
                model = load(path)
                words: dict[str, str] = {each: check(model, each).outcome for each in work.formulas}
            else:
                words = _in_batch(path, work.formulas, WORKERS[case.runner], folder)
            spent, cpu = time.perf_counter() - began, _used() - used
        if len(words) != len(work.formulas) or set(words.values()) - {"holds", "fails"}:
            return Measurement("wrong", problem="some tasks have no verdict")
        told = repr(sorted(words.items())).encode()
        details: dict[str, str | int | float] = {
            "cpu": cpu,
            "verdicts": hashlib.sha256(told).hexdigest(),  # must be the same for all runners
        }
        return Measurement("done", seconds=spent, whole_seconds=spent, details=details)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Times, the overhead for each task, and how many times as fast two workers are."""
        rows = []
        for at in dict.fromkeys(each.case.at for each in found):
            alone, one, two = (found.one(runner, **dict(at)) for runner in RUNNERS)
            if alone is None or one is None or two is None:
                continue
            tasks = int(dict(at)["tasks"])
            rows.append((
                str(dict(at)["model"]), count(tasks), *map(time_of, (alone, one, two)),
                _overhead(one, alone, tasks), _overhead(two, alone, tasks),
                ratio(one.seconds, two.seconds),
            ))  # fmt: skip
        columns = (
            "model", "tasks", "checks alone", "one worker", "two workers", "overhead of one",
            "overhead of two", "times as fast",
        )  # fmt: skip
        title = "Batches on one model: times, and processor time for each task beyond its check"
        return [StudyTable("batch", title, columns, tuple(rows))]


def _work(model: str, tasks: int) -> _Work:
    """A model, and so many different formulas."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.rsm")
        save(random_model(MODELS[model], 1), path)
        data = path.read_bytes()
    texts: dict[str, None] = {}
    number = 0
    while len(texts) < tasks:
        texts[str(random_formula(FormulaShape(), 1, number))] = None
        number += 1
    return _Work(data, list(texts))


def _in_batch(model: str, formulas: Iterable[str], jobs: int, folder: str) -> dict[str, str]:
    from pigro.batch import Task, run

    tasks = (Task(model=model, formula=each) for each in formulas)
    results = run(tasks, store=Path(folder, "store.sqlite"), jobs=jobs)
    return {str(result.task.formula): result.verdict for result in results}


def _used() -> float:
    """Processor time of this process and of the children that have ended."""
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(each.ru_utime + each.ru_stime for each in map(resource.getrusage, both))


def _overhead(batch: CaseResult, alone: CaseResult, tasks: int) -> str:
    more = _cpu(batch) - _cpu(alone)
    return f"{more / tasks * 1000:.2f} ms"


def _cpu(result: CaseResult) -> float:
    """The median of the processor times."""
    times = sorted(float(each.details["cpu"]) for each in result.runs if "cpu" in each.details)
    return times[len(times) // 2] if times else 0.0
