"""`pigro batch`: exit codes, signals, closed streams, hostile names, and progress."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from pigro.batch import Result, Task
from pigro.batch.running import BatchProgress
from pigro.cli.batch import watching

from soak.batches import descendants
from support.processes.children import PATIENCE

PIGRO = [sys.executable, "-m", "pigro"]


def plan_of(app, *formulas, **options):
    lines = [json.dumps({"model": app, "formula": each, **options}) for each in formulas]
    Path("plan.jsonl").write_text("\n".join(lines) + "\n")


def rows(store):
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as file,
    ):
        return file.execute("SELECT formula, verdict FROM results ORDER BY formula").fetchall()
    return []


@pytest.mark.parametrize(
    ("formulas", "code"),
    [
        (["EF done"], 0),
        (["EF done", "AG done"], 1),
        (["EF done", "AG done", "AG ("], 2),
        ([], 0),
    ],
)
def test_exit_codes(run, app, formulas, code):
    plan_of(app, *formulas)
    result = run("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1")
    assert result.exit_code == code
    assert len(rows("s.sqlite")) == len(formulas)


def test_a_limit_that_is_reached_ends_with_3(run, app):
    plan_of(app, "EF done", timeout=1e-9)
    result = run("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1")
    assert (result.exit_code, rows("s.sqlite")) == (3, [("EF done", "unknown")])


def test_a_wrong_line_keeps_the_answers_before_it(run, app):
    plan_of(app, "EF done")
    with Path("plan.jsonl").open("a") as file:
        file.write("{")
    result = run("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1")
    assert result.exit_code == 2
    assert "plan.jsonl:2:1" in result.stderr
    Path("plan.jsonl").write_text(Path("plan.jsonl").read_text()[:-1])
    assert run("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1").exit_code == 0


@pytest.mark.parametrize(("which", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_soon_and_loses_nothing(run, app, which, code):
    command = [*PIGRO, "batch", "-", "--store", "s.sqlite", "--jobs", "2"]
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # jobs ignore it
    )
    child.stdin.write(json.dumps({"model": app, "formulas": ["EF done", "AG done"]}) + "\n")
    child.stdin.flush()  # and more may come: the batch does not end
    until = time.monotonic() + PATIENCE
    while len(rows("s.sqlite")) < 2:
        assert child.poll() is None, child.stderr.read()
        assert time.monotonic() < until
        time.sleep(0.02)
    workers = list(descendants(child.pid))
    child.send_signal(which)
    _, said = child.communicate(timeout=PATIENCE)
    assert (child.returncode, said) == (code, "interrupted\n")
    assert rows("s.sqlite") == [("AG done", "fails"), ("EF done", "holds")]
    assert workers
    for pid in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_reader_that_is_gone(run, app):
    plan_of(app, *("EF done" + " | done" * number for number in range(50)))
    command = f"{sys.executable} -m pigro batch plan.jsonl --jobs 1 | true; exit ${{PIPESTATUS[0]}}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_standard_input_that_is_closed(run, app):
    command = f"exec {sys.executable} -m pigro batch - <&-"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, timeout=PATIENCE)
    assert ended.returncode == 2
    assert b"error[P001]: can't read standard input: it is closed" in ended.stderr


def test_hostile_names_do_no_harm(run, app):
    name = "red\x1b[31m\n.rsm"
    Path(name).write_bytes(Path(app).read_bytes())
    plan_of(name, "EF done\x1b[0m", "EF done", engine="no\x1b[1m")
    for options in (["--dry-run"], ["--jobs", "1"], ["--store", "s.sqlite", "--show"]):
        result = run("batch", "plan.jsonl", *options)
        assert "\x1b" not in result.output
        assert "red" in result.output
    os.link(app, b"models\xff.rsm")
    result = run("batch", ".")
    assert result.exit_code == 2
    assert "is not UTF-8" in result.stderr


def test_stores_that_can_not_be_used(run, app):
    plan_of(app, "EF done")
    Path("text").write_text("This is not a database, and it is longer than its header is. " * 20)
    for store, told in (
        ("text", "not a database"),
        ("nowhere/s", "unable to open"),
        (".", "unable"),
    ):
        result = run("batch", "plan.jsonl", "--store", store)
        assert result.exit_code == 2
        assert "error[P012]" in result.stderr
        assert told in result.stderr


def test_a_file_without_properties_names_the_missing_part(run):
    Path("empty.smv").write_text("MODULE main\nVAR on : boolean;\n")
    Path("plan.jsonl").write_text('{"model": "empty.smv"}')
    result = run("batch", "plan.jsonl", "--jobs", "1")
    assert result.exit_code == 2
    assert "no formula" in result.output


def test_tasks_without_a_verdict_are_tried_again(run, app):
    plan_of("later.rsm", "EF done")
    command = ("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1")
    assert run(*command).exit_code == 2
    assert run(*command, "--retry").exit_code == 2
    assert len(rows("s.sqlite")) == 1


def test_progress_has_rate_time_left_running_tasks_and_failures(run, app, monkeypatch):
    plan_of(app, *("EF done" + " | done" * number for number in range(2500)))
    watch = watching._BatchTally("plan.jsonl")
    monkeypatch.setattr(watch, "_began", time.monotonic() - 100)
    task = Task(model=app, formula="EF done")
    watch.take(Result(task=task, formula="EF done", verdict="error", reason=""))
    assert (
        watch._progress_line(BatchProgress(0, 0, []))
        == "0 tasks, 0 per second, 1 without a verdict"
    )
    for _ in range(3):
        watch.tick(BatchProgress(500, 1000, [task]))
    told = watch._progress_line(BatchProgress(500, 1000, [task, task]))
    parts = (
        r"1,500 of 2,500 tasks, [\d.]+ per second, about \d+ (s|min) left, 1 without a verdict, "
        r"now app\.rsm: EF done and 1 more"
    )
    assert re.fullmatch(parts, told)


def test_progress_goes_to_log_files_too(run, app, monkeypatch):
    plan_of(app, "EF done", "AG done")
    monkeypatch.setattr(watching, "_BETWEEN_LINES", 0.0)
    result = run("batch", "plan.jsonl", "--store", "s.sqlite", "--jobs", "1")
    assert "of 2 tasks" in result.stderr
    assert "per second" in result.stderr
    assert "now app.rsm: EF done" in result.stderr


def test_a_plan_that_is_not_there(run):
    for name in ("nowhere.toml", "nowhere.jsonl", "nowhere"):
        result = run("batch", name)
        assert result.exit_code == 2, result.output
        assert "nowhere" in result.stderr
