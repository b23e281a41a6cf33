"""The process that runs cases: what goes wrong there is a result, and it leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.case import Case
from benchmarks.suite import StudyScope
from benchmarks.worker import Worker
from pigro.diagnostics import InternalError
from pigro.limits import NO_LIMITS, Limits

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
SCRIPT = """
import ctypes, subprocess, sys, time
sys.path[:0] = {path!r}
from benchmarks import suites, worker
from benchmarks.case import Measurement

class Odd:
    def run(self, case, scope):
        what = case.text("does")
        if what == "answer":
            print("noise on standard output")
            return Measurement("holds", 0.5, details={"quick": str(scope.quick), "files": str(scope.files)})
        if what == "raise":
            raise ValueError("no idea")
        if what == "crash":
            print("last words", file=sys.stderr)
            ctypes.string_at(0)
        if what == "hang":
            time.sleep(60)
        if what == "eat":
            eaten = [bytearray(10_000_000) for _ in range(100)]
            time.sleep(60)
        if what == "spawn":
            child = subprocess.Popen(["sleep", "60"])
            Path(case.text("file")).write_text(str(child.pid))
            time.sleep(60)

from pathlib import Path
suites.SUITES["odd"] = Odd()
worker.main()
"""


@pytest.fixture
def worker(tmp_path):
    script = tmp_path / "odd.py"
    script.write_text(SCRIPT.replace("{path!r}", repr(sys.path)))
    with Worker([sys.executable, str(script)]) as made:
        yield made


def ask(worker, does, limits=NO_LIMITS, **more):
    scope = StudyScope(quick=True, files=Path("/some/where"), limits=limits)
    return worker.run(Case.of("odd", "x", does=does, **more), scope, lambda: None)


def test_an_answer(worker):
    outcome = ask(worker, "answer")
    assert (outcome.word, outcome.seconds) == ("holds", 0.5)
    assert outcome.details.pop("yardstick") > 0
    assert outcome.details == {"quick": "True", "files": "/some/where"}
    assert outcome.whole_seconds > 0
    assert 1_000_000 < outcome.peak_memory < 1_000_000_000


def test_a_worker_that_cannot_start_is_no_result(tmp_path):
    script = tmp_path / "broken.py"
    script.write_text("import nothing_of_that_name")
    with Worker([sys.executable, str(script)]) as worker, pytest.raises(InternalError) as caught:
        ask(worker, "answer")
    assert "ended with code 1: ModuleNotFoundError" in str(caught.value)


def test_an_exception_is_a_result(worker):
    outcome = ask(worker, "raise")
    assert (outcome.word, outcome.problem) == ("error", "ValueError: no idea")
    assert ask(worker, "answer").word == "holds"


def test_a_crash_is_a_result(worker):
    outcome = ask(worker, "crash")
    assert outcome.word == "error"
    assert outcome.problem.startswith(f"killed by signal {signal.SIGSEGV.value}")
    assert ask(worker, "answer").word == "holds"


def test_time_and_memory_are_limited_from_outside(worker, monkeypatch):
    monkeypatch.setattr("benchmarks.worker._SLACK_SECONDS", 0.3)
    assert ask(worker, "hang", Limits(0.05)).word == "timeout"
    assert ask(worker, "eat", Limits(memory=100_000_000)).word == "memout"
    assert ask(worker, "answer").word == "holds"


def gone(pid, patience=20.0):
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_what_a_worker_runs_ends_with_it(worker, tmp_path):
    file = tmp_path / "pid"

    def stop():
        if file.exists() and file.read_text():
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.run(Case.of("odd", "x", does="spawn", file=str(file)), StudyScope(), stop)
    assert gone(int(file.read_text()))


def test_a_tick_may_stop_it(worker):
    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        worker.run(Case.of("odd", "x", does="hang"), StudyScope(), stop)
    assert worker._child is None


def test_a_worker_ends_when_who_asks_is_killed(tmp_path):
    store = tmp_path / "s.sqlite"
    command = [
        *(sys.executable, "-m", "benchmarks", "grid"),
        *("--engine", "demand", "--store", store),
    ]
    bench = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children")
    until = time.monotonic() + 60
    while not (found := children.read_text().split()) and time.monotonic() < until:
        time.sleep(0.01)
    bench.kill()
    bench.wait()
    (child,) = map(int, found)
    assert gone(child)
    assert store.exists()
