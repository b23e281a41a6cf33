"""Batches on worker processes: every task has its result, whatever happens to the workers."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from importlib.util import spec_from_file_location
from pathlib import Path

import pytest

from pigro.batch import Task, run, run_async
from pigro.batch import pool as pools
from pigro.batch.pool import Pool, PoolTask
from pigro.batch.store import Store
from pigro.batch.tasks import digest_of
from pigro.diagnostics import UsageError

FORMULAS = ("AG EF go", "EG stop", "AF go")
VERDICTS = {"AG EF go": "holds", "EG stop": "fails", "AF go": "holds"}
WEIRD = """
import os, signal, sys, time
from pigro.batch import worker
from pigro.batch.answering import Answerer
plain = Answerer.answer
def answer(self, task):
    if task.formula == "abort":
        os.abort()
    if task.formula == "hang":
        time.sleep(3600)
    if task.formula == "eat":
        self.food = bytearray(700_000_000)
        time.sleep(3600)
    if task.formula == "die once" and not os.path.exists("died"):
        open("died", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(self, task)
Answerer.answer = answer
worker.main()
"""
"""A worker that some tasks are bad for."""


@pytest.fixture
def weird(monkeypatch):
    monkeypatch.setattr(pools, "_COMMAND", (sys.executable, "-c", WEIRD))
    monkeypatch.setattr(pools, "_SLACK_SECONDS", 0.5)


def tasks_of(model, formulas=FORMULAS, **options):
    return [Task(model=model, formula=formula, **options) for formula in formulas]


def verdicts(results):
    return {result.formula: result.verdict for result in results}


def test_batch_is_a_name_of_pigro():
    code = "import sys, pigro; assert 'pigro.batch' not in sys.modules; pigro.batch.run"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_has_its_verdict(light, jobs):
    results = list(run(tasks_of(light), jobs=jobs))
    assert verdicts(results) == VERDICTS
    assert all(result.engine == "demand" and result.reason for result in results)


def test_asyncio(light):
    async def collect():
        return [result async for result in run_async(tasks_of(light), jobs=1)]

    assert verdicts(asyncio.run(collect())) == VERDICTS


def test_tasks_with_results_are_not_answered_again(light, monkeypatch):
    first = list(run(tasks_of(light), store="s.sqlite", jobs=1))
    monkeypatch.setattr(Pool, "run", lambda _self, entries: iter([None for _ in entries]))
    assert sorted(map(str, run(tasks_of(light), store="s.sqlite"))) == sorted(map(str, first))


def test_a_changed_model_is_a_new_question(light):
    before = digest_of(Task(model=light, formula="AG EF go"))
    Path(light).write_bytes(Path(light).read_bytes() + b"\n")
    assert digest_of(Task(model=light, formula="AG EF go")) != before


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("lamp.py:Lamp", "lamp.py"),
        ("lamp:Lamp", "lamp.py"),
        ("house.lamp:Lamp", "house/lamp.py"),
        ("house:Lamp", "house/__init__.py"),
    ],
)
def test_a_changed_program_is_a_new_question(name, file, tmp_path, monkeypatch):
    """Its file is found, and no code of it is run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "__init__.py").write_text("raise SystemExit\n")
    (tmp_path / file).write_text("raise SystemExit\n")
    task = Task(model=name, formula="EF lit")
    before = digest_of(task)
    assert digest_of(task) == before
    (tmp_path / file).write_text("raise SystemExit  # another program\n")
    assert digest_of(task) != before


def test_a_program_that_only_an_own_finder_finds(tmp_path, monkeypatch):
    """As packages have that are installed to be edited."""
    file = tmp_path / "elsewhere" / "lantern.py"
    file.parent.mkdir()
    file.write_text("raise SystemExit\n")

    class Finder:
        @staticmethod
        def find_spec(name, _path, _target=None):
            return spec_from_file_location(name, file) if name == "lantern" else None

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    task = Task(model="lantern:Lamp", formula="EF lit")
    before = digest_of(task)
    file.write_text("raise SystemExit  # another program\n")
    assert digest_of(task) != before


def test_an_answer_about_a_changed_program_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = """
class Ring:
    initial = 0
    def successors(self, state):
        return [(state + 1) % 5]
    def labels(self, state):
        return ["lit"] if state == {} else []
"""
    task = Task(model="ring.py:Ring", formula="EF lit")
    for lit, verdict in ((4, "holds"), (77, "fails")):
        Path("ring.py").write_text(text.replace("{}", str(lit)))
        [result] = run([task], store="s.sqlite", jobs=1)
        assert result.verdict == verdict


def test_a_wrong_formula_and_a_missing_file_are_results(light):
    tasks = [*tasks_of(light, ["AG ("]), *tasks_of("nowhere.rsm", ["AG go"]), *tasks_of(light)]
    results = list(run(tasks, jobs=1))
    assert Counter(result.verdict for result in results) == {"error": 2, "holds": 2, "fails": 1}
    reasons = [result.reason for result in results if result.verdict == "error"]
    assert any("error[P3" in reason for reason in reasons)
    assert any("nowhere.rsm" in reason for reason in reasons)


def test_a_task_that_ends_its_worker_twice_is_given_up(light, weird):
    tasks = tasks_of(light, ["AG EF go", "abort", "EG stop", "die once", "AF go"])
    results = {result.task.formula: result for result in run(tasks, jobs=1)}
    assert len(results) == 5
    assert results["abort"].verdict == "crashed"
    assert f"signal {int(signal.SIGABRT)}" in results["abort"].reason
    assert results["die once"].verdict == "error"  # it is answered: it is not a formula
    assert {name: results[name].verdict for name in VERDICTS} == VERDICTS


def test_a_worker_that_does_not_answer_is_ended(light, weird):
    results = verdicts(run([*tasks_of(light, ["hang"], timeout=0.2), *tasks_of(light)], jobs=1))
    assert results == {"hang": "unknown", **VERDICTS}


def test_a_worker_that_eats_memory_is_ended(light, weird):
    results = verdicts(run([*tasks_of(light, ["eat"], memory=1e8), *tasks_of(light)], jobs=1))
    assert results == {"eat": "unknown", **VERDICTS}


def test_results_so_far_are_kept_when_a_tick_raises(light):
    seen = []

    def tick(_state):
        if seen:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        seen.extend(run(tasks_of(light) * 300, store="s.sqlite", jobs=1, tick=tick))
    with Store(Path("s.sqlite")) as store:
        assert seen[0] in list(store.results())


def test_workers_end_with_the_pool(light):
    with Pool(2) as pool:
        answers = pool.run(PoolTask(digest_of(task), task) for task in tasks_of(light) * 2)
        next(answers)
        pids = [worker._child.pid for worker in pool._workers if worker._child]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_two_batches_on_one_store(light):
    one = run(tasks_of(light), store="s.sqlite", jobs=1)
    two = run(tasks_of(light), store="s.sqlite", jobs=1)
    assert verdicts([next(one), next(two), *one, *two]) == VERDICTS
    with Store(Path("s.sqlite")) as store:
        assert store.counts() == {"holds": 2, "fails": 1}


@pytest.mark.parametrize("content", [b"no database at all, but long enough", b"SQLite format 3\0"])
def test_a_damaged_store_is_refused(light, content):
    Path("s.sqlite").write_bytes(content * 40)
    with pytest.raises(UsageError, match=r"s\.sqlite"):
        list(run(tasks_of(light), store="s.sqlite"))


def test_a_store_of_another_program_is_refused(light):
    with closing(sqlite3.connect("s.sqlite")) as file, file:
        file.execute("CREATE TABLE x (y)")
    with pytest.raises(UsageError, match="made by another program"):
        list(run(tasks_of(light), store="s.sqlite"))


def test_evidence_and_certificates_are_kept(light):
    [result] = run(
        tasks_of(light, ["EG stop"], witness=True, certify=True), store="s.sqlite", jobs=1
    )
    assert b'"evidence"' in result.evidence
    assert result.certificate
    with Store(Path("s.sqlite")) as store:
        assert [each.evidence for each in store.results()] == [result.evidence]
