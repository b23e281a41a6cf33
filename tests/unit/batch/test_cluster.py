"""Clusters: the same answers as workers on this machine, and errors that name the cause."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pigro.batch import cluster as clusters
from pigro.batch.cluster import answer_chunk, payload_of
from pigro.batch.pool import Entry
from pigro.batch.store import Store
from pigro.batch.tasks import Task
from pigro.diagnostics import UsageError

from children import PATIENCE

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
        clusters.Cluster(address)
    assert error.value.code == "P018"


def test_the_extra_is_named_if_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="needs dask and distributed") as error:
        clusters.Cluster("local:1")
    assert "pigro[cluster]" in error.value.hint


def test_workers_have_the_version_of_the_client():
    with pytest.raises(UsageError, match=r"a worker has Pigro .*, and this is 0\.0"):
        answer_chunk(None, b"", "0.0")


def test_chunks_share_a_model_and_rest_where_nothing_comes(light):
    def entry(model, formula):
        return Entry(formula.encode(), Task(model=model, formula=formula))

    given = [entry("a", "1"), entry("a", "2"), None, entry("a", "3"), entry("b", "4")]
    found = [[each.digest for each in chunk.entries] for chunk in clusters._chunks(iter(given))]
    assert found == [[b"1", b"2"], [], [b"3"], [b"4"]]


def test_models_travel_as_binary_files(light):
    assert payload_of(Task(model=light, formula="EF go")).suffix == ".pigro"
    assert payload_of(Task(model=light)).suffix == ".rsm"
