"""Clusters: the same answers as workers on this machine, and errors that name the cause."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from pigro.batch import cluster as clusters
from pigro.batch.cluster import answer_chunk, payload_of
from pigro.batch.pool import PoolTask
from pigro.batch.store import Store
from pigro.batch.tasks import Task
from pigro.diagnostics import UsageError

from support.processes.children import PATIENCE

SMV = """MODULE main
VAR on : boolean;
ASSIGN init(on) := FALSE; next(on) := !on;
CTLSPEC AG EF on
LTLSPEC G F !on
"""
LEAK = "def f(name):\n    file = open(name)\n    return file.read()\n"


def rows(store):
    with Store(Path(store)) as kept:
        return sorted(
            (each.task.subject, each.formula, each.verdict, each.reason) for each in kept.results()
        )


def batch(*options):
    command = [sys.executable, "-m", "pigro", "batch", "plan.jsonl", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def test_a_cluster_answers_as_this_machine_does(light):
    pytest.importorskip("distributed", reason="distributed is not installed")
    Path("own.smv").write_text(SMV)
    Path("leak.py").write_text(LEAK)
    lines = [
        {"model": light, "formulas": ["AG EF go", "EG stop", "AG (", "A [G F go]"]},
        {"model": light, "formulas": ["AX EX true"], "dead_ends": "loop", "semantics": "rmv"},
        {"model": light, "formula": "EF go", "witness": True, "certify": True},
        {"model": "own.smv"},
        {"model": "own.smv", "formula": "EF on"},
        {"model": "nowhere.rsm", "formula": "EF go"},
        {"scan": "leak.py"},
    ]
    Path("plan.jsonl").write_text("\n".join(map(json.dumps, lines)))
    here = batch("--store", "here.sqlite", "--jobs", "1")
    there = batch("--store", "there.sqlite", "--cluster", "local:2")
    assert (here.returncode, there.returncode) == (2, 2), here.stderr + there.stderr
    assert rows("here.sqlite") == rows("there.sqlite")
    assert len(rows("here.sqlite")) >= 11
    assert there.stderr == ""


@pytest.mark.parametrize("address", ["local", "local:", "local:0", "local:-1", "local:x"])
def test_a_number_of_workers_is_needed(address):
    with pytest.raises(UsageError, match="no number of workers") as error:
        clusters.DaskCluster(address)
    assert error.value.code == "P018"


def test_the_extra_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="needs dask and distributed") as error:
        clusters.DaskCluster("local:1")
    assert "'.[cluster]'" in error.value.hint


def test_workers_have_the_version_of_the_client():
    with pytest.raises(UsageError, match=r"a worker has Pigro .*, and this is 0\.0"):
        answer_chunk(None, b"", "0.0")


def test_chunks_share_a_model_and_rest_where_nothing_comes(light):
    def entry(model, formula):
        return PoolTask(formula.encode(), Task(model=model, formula=formula))

    given = [entry("a", "1"), entry("a", "2"), None, entry("a", "3"), entry("b", "4")]
    found = [[each.digest for each in chunk.entries] for chunk in clusters._chunks(iter(given))]
    assert found == [[b"1", b"2"], [], [b"3"], [b"4"]]


def test_models_travel_as_binary_files(light):
    assert payload_of(Task(model=light, formula="EF go")).suffix == ".pigro"
    assert payload_of(Task(model=light)).suffix == ".rsm"


CUSTOM = """
import sys
if sys.argv[:1] in (["-m"], ["-c"]):
    import os, signal, time
    from pigro.batch.answering import Answerer
    plain = Answerer.answer
    def answer(self, task):
        if task.formula == "abort":
            os.abort()
        if task.formula == "hang":
            time.sleep(3600)
        return plain(self, task)
    Answerer.answer = answer
"""
"""What every Python does first: workers die of some tasks, and hang at others."""


@pytest.fixture
def weird(tmp_path, monkeypatch):
    """Workers of a cluster that some tasks are bad for."""
    pytest.importorskip("distributed", reason="distributed is not installed")
    (tmp_path / "custom").mkdir()
    (tmp_path / "custom" / "sitecustomize.py").write_text(CUSTOM)
    before = os.environ.get("PYTHONPATH")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path / "custom"), before]))
    )


def plan_of(light, formulas):
    Path("plan.jsonl").write_text(json.dumps({"model": light, "formulas": formulas}))


@pytest.mark.long
def test_a_task_that_crashes_a_worker_of_a_cluster(light, weird):
    """The task is recorded with the signal, and those of the same chunk have their verdicts."""
    plan_of(light, ["AG EF go", "abort", "EG stop", "AF go"])
    done = batch("--store", "s.sqlite", "--cluster", "local:2")
    found = {formula: (verdict, reason) for _, formula, verdict, reason in rows("s.sqlite")}
    assert found["abort"][0] == "crashed", done.stderr
    assert f"signal {int(signal.SIGABRT)}" in found["abort"][1]
    verdicts = {formula: verdict for formula, (verdict, _) in found.items()}
    assert verdicts == {
        "AG EF go": "holds",
        "abort": "crashed",
        "EG stop": "fails",
        "AF go": "holds",
    }


@pytest.mark.long
def test_an_interrupt_ends_a_batch_on_a_cluster(light, weird):
    """As from a terminal, to all processes. The batch ends though a task hangs, no process is left,
    and all results are kept.
    """
    quick = [f"{'EX ' * at}go" for at in range(128)]
    plan_of(light, [*quick, "hang"])
    command = [sys.executable, "-m", "pigro", "batch", "plan.jsonl"]
    command += ["--store", "s.sqlite", "--cluster", "local:2"]
    client = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        wait_until(lambda: count_of("s.sqlite") == len(quick))  # the other one hangs
        os.killpg(client.pid, signal.SIGINT)
        _, errors = client.communicate(timeout=PATIENCE)
        assert client.returncode == 130, errors
        assert "Traceback" not in errors
        wait_until(lambda: not is_there(client.pid))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(client.pid, signal.SIGKILL)
        client.communicate()
    assert sorted(formula for _, formula, *_ in rows("s.sqlite")) == sorted(quick)


def count_of(store):
    """How many results a store has while a batch writes it."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(store)) as file:
        return file.execute("SELECT count(*) FROM results").fetchone()[0]
    return 0


def is_there(group):
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition):
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + PATIENCE
        time.sleep(0.05)
