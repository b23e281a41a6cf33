"""Killed in the middle and started again: nothing is lost, nothing is run twice."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from benchmarks.store import StudyStore

from support.processes.children import PATIENCE

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
CASES = 100


def start(folder, *more):
    command = [sys.executable, "-m", "benchmarks", "grid", "--quick", "--engine", "demand"]
    return subprocess.Popen(
        [*command, *more],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also in the background
    )


def kept(folder):
    with StudyStore(folder / "pigro-bench.sqlite") as store:
        number, _ = store.newest(["grid"])
        return {
            (row["place"], row["repetition"]): row["ended"] for row in store.rows(number, ["grid"])
        }


def wait_until_it_has_written(folder, least):
    log = folder / "pigro-bench.sqlite-wal"
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if log.exists() and log.stat().st_size >= least:
            return
        time.sleep(0.005)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_stopped_and_started_again(tmp_path, end):
    before = {}
    for least in (60_000, 30_000):
        bench = start(tmp_path)
        wait_until_it_has_written(tmp_path, least)
        bench.send_signal(end)
        _, said = bench.communicate(timeout=PATIENCE)
        assert bench.returncode == (-end if end == signal.SIGKILL else 130), said
        now = kept(tmp_path)
        assert before.items() <= now.items(), "nothing is lost or run again"
        assert len(before) < len(now) < CASES
        before = now
    bench = start(tmp_path)
    out, said = bench.communicate(timeout=PATIENCE)
    assert bench.returncode == 0
    assert f"100 of 100 cases done, {CASES - len(before)} runs" in said
    assert re.search(r"demand +100 +100 +0 +0", out)
    assert before.items() <= kept(tmp_path).items()
    assert len(kept(tmp_path)) == CASES
    out, said = start(tmp_path).communicate(timeout=PATIENCE)
    assert "100 of 100 cases done, 0 runs" in said
