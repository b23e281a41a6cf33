"""Worker processes: starts that fail, workers that are slow, and what one task leaves behind."""

import os
import signal
import sys
from collections import Counter

import pytest

from pigro.batch import Task, run
from pigro.batch import pool as pools
from pigro.batch.answering import Answerer
from pigro.batch.pool import Pool, PoolTask
from pigro.diagnostics import InternalError

SLOW = """
import os, time
from pigro.batch import worker
from pigro.batch.answering import Answerer
plain = Answerer.answer
def answer(self, task):
    if task.formula.startswith("EF slow"):
        time.sleep(1.5)
        with open("slow", "a") as file:
            print(os.getpid(), file=file)
    return plain(self, task)
Answerer.answer = answer
worker.main()
"""


def entries(model, formulas):
    return [PoolTask(formula.encode(), Task(model=model, formula=formula)) for formula in formulas]


def answered(pool, asked):
    return Counter(answer.entry.digest for answer in pool.run(asked) if answer is not None)


def test_a_command_that_is_not_there_is_told(light, monkeypatch):
    monkeypatch.setattr(pools, "_COMMAND", ("/nowhere/python",))
    with pytest.raises(InternalError, match="can't start a worker process"):
        list(run([Task(model=light, formula="EF go")], jobs=2))


def test_workers_that_end_before_they_are_ready_are_told(light, monkeypatch):
    monkeypatch.setattr(pools, "_COMMAND", (sys.executable, "-c", "raise ValueError('no luck')"))
    with pytest.raises(InternalError, match="no luck"):
        list(run([Task(model=light, formula="EF go")], jobs=2))


def test_a_worker_that_was_killed_while_it_rested_harms_no_task(light):
    asked = entries(light, ["EF go", "EF stop"])
    with Pool(1) as pool:
        assert answered(pool, asked[:1]) == {b"EF go": 1}
        os.kill(pool._workers[0]._child.pid, signal.SIGKILL)
        pool._workers[0]._child._process.wait()
        assert answered(pool, asked[1:]) == {b"EF stop": 1}
        assert not pool._deaths


def test_tasks_behind_a_slow_one_go_to_workers_that_have_none(light, monkeypatch, tmp_path):
    monkeypatch.setattr(pools, "_COMMAND", (sys.executable, "-c", SLOW))
    monkeypatch.setattr(pools, "_PATIENCE", 0.2)
    formulas = [f"EF slow{number}" for number in range(4)]
    with Pool(2) as pool:
        pool._pace = 1e-9  # as after many quick tasks: all go to one worker
        assert answered(pool, entries(light, formulas)) == {name.encode(): 1 for name in formulas}
    assert len(set((tmp_path / "slow").read_text().split())) > 1


@pytest.mark.long
def test_no_answer_is_lost_when_many_workers_die(light):
    formulas = ["EF go" + " | go" * number for number in range(600)]
    seen = Counter()
    with Pool(2) as pool:
        for answer in pool.run(entries(light, formulas)):
            if answer is None:
                continue
            assert answer.results[0].verdict == "holds"
            seen[answer.entry.digest] += 1
            if seen.total() % 100 == 50:
                worker = pool._workers[0]
                suspected = any(pool._deaths[entry.digest] for entry in worker.tasks)
                if worker._child is not None and not suspected:  # or its task has crashed twice
                    os.kill(worker._child.pid, signal.SIGKILL)
        assert pool._deaths
    assert seen == {formula.encode(): 1 for formula in formulas}


def test_models_of_other_tasks_do_not_count_against_a_limit(light, monkeypatch):
    monkeypatch.setattr("pigro.batch.answering._core.resident_memory", lambda: 2_000_000_000)
    answerer = Answerer()
    answerer._models = {("big.rsm",): bytearray(10), (light,): bytearray(10)}
    answerer.answer(Task(model=light, formula="EF go", memory=3e9))
    assert ("big.rsm",) not in answerer._models
    assert (light,) in answerer._models
