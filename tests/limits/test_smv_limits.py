"""Ctrl-C and limits while the states of a file are computed: listed, or as they are needed."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE = 300
WORKS = 1.0
"""Seconds of processor time after which states are being computed."""
MOST = 60
"""Seconds of processor time, far from those that all states would take."""
HUGE = """MODULE main
VAR x : 0..9999; y : 0..9999; z : 0..9999;
ASSIGN
  init(x) := 0; init(y) := 0; init(z) := 0;
  next(x) := (x + 1) mod 10000;
  next(y) := case x = 9999 : (y + 1) mod 10000; TRUE : y; esac;
  next(z) := case x = 9999 & y = 9999 : (z + 1) mod 10000; TRUE : z; esac;
SPEC AG EF x = 0
"""
"""10^12 states, one after the other: there is no answer before all of them were seen."""
WAYS = {
    "on demand": ("check", "huge.smv"),
    "listed": ("check", "huge.smv", "--engine", "demand"),
    "converted": ("convert", "huge.smv", "huge.rsm"),
}


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a command beside a file with very many states."""
    monkeypatch.chdir(tmp_path)
    Path("huge.smv").write_text(HUGE)

    def started(*arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "pigro", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=as_in_a_terminal,
        )

    return started


def as_in_a_terminal():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST))


def wait_until_it_works(pid):
    ticks = os.sysconf("SC_CLK_TCK")
    while int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]) < WORKS * ticks:
        signal.sigtimedwait([], 0.05)


@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c(start, way):
    with start(*WAYS[way]) as child:
        wait_until_it_works(child.pid)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told
    assert not Path("huge.rsm").exists()


@pytest.mark.parametrize("way", ["on demand", "listed"])
@pytest.mark.parametrize("limit", ["--timeout 2s", "--memory 300M"])
def test_beyond_a_limit_there_is_no_verdict(start, way, limit):
    with start(*WAYS[way], *limit.split()) as child:
        said, told = child.communicate(timeout=PATIENCE)
    assert child.returncode == 3, said + told
    kind = "time limit of 2 s" if "2s" in limit else "memory limit of 300 MB"
    assert kind in said + told
    assert "Traceback" not in told
