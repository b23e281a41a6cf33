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
CALLING = f"""{HUGE}
CALL main := x = 9999 & y = 9999 & z = 9999;
"""
"""Files with calls are listed while they are read."""
WAYS = {
    "on demand": ("check", "huge.smv"),
    "listed": ("check", "huge.smv", "--engine", "demand"),
    "with calls": ("check", "calling.smv"),
    "converted": ("convert", "huge.smv", "huge.rsm"),
}


OTHERS = [way for way in WAYS if way != "on demand"]


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Starts a command beside a file with very many states."""
    monkeypatch.chdir(tmp_path)
    Path("huge.smv").write_text(HUGE)
    Path("calling.smv").write_text(CALLING)

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


@pytest.mark.parametrize(
    "way", ["on demand", *(pytest.param(way, marks=pytest.mark.long) for way in OTHERS)]
)
def test_ctrl_c(start, way):
    with start(*WAYS[way]) as child:
        wait_until_it_works(child.pid)
        child.send_signal(signal.SIGINT)
        _, told = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert "interrupted" in told
    assert "Traceback" not in told
    assert not Path("huge.rsm").exists()


LIMITS = {
    "--timeout 2s": "time limit of 2 s",
    "--timeout-each 1s": "time limit of 1 s for one formula",
    "--memory 300M": "memory limit of 300 MB",
}


@pytest.mark.parametrize(
    "way", ["on demand", *(pytest.param(way, marks=pytest.mark.long) for way in OTHERS[:2])]
)
@pytest.mark.parametrize(
    "limit",
    ["--timeout 2s", "--timeout-each 1s", pytest.param("--memory 300M", marks=pytest.mark.long)],
)
def test_beyond_a_limit_there_is_no_verdict(start, way, limit):
    with start(*WAYS[way], *limit.split()) as child:
        said, told = child.communicate(timeout=PATIENCE)
    assert child.returncode == 3, said + told
    assert LIMITS[limit] in said + told
    if limit.split()[0] != "--timeout":  # which may end the run before it begins to list
        assert ("states were listed" in said + told) == (way != "on demand"), said + told
    assert "Traceback" not in told


STEPS = {
    "one": "(x + 1) mod 1000000",
    "two": "{(x + 1) mod 1000000, (x * 2) mod 1000000}",
    "four": "{(x + 1) mod 1000000, x * 2 mod 1000000, x * 3 mod 1000000, (x + 7) mod 1000000}",
}
SIZED = """MODULE main
VAR x : 0..999999; b : boolean;
ASSIGN init(x) := 0; init(b) := FALSE; next(x) := {}; next(b) := b;
"""
MEASURE = """
import pathlib, re, sys
from pigro.engines.onthefly.computed import decide_computed
from pigro.formats import smv
from pigro.limits import Budget

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])

def decided(text, asked):
    model = smv.Document(text.encode()).model()
    return decide_computed(model, False, model.document.formula(asked), Budget())

decided(sys.argv[1].replace("init(x) := 0", "init(x) := 999999"), "AX x < 1000000")
before = peak()
found = decided(sys.argv[1], "AG x < 1000000")
assert found.truths == [True]
print(found.states, (peak() - before) * 1024 // found.states)
"""


@pytest.mark.long
@pytest.mark.parametrize("steps", STEPS)
def test_a_million_states_take_at_most_a_hundred_bytes_each(steps):
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, SIZED.format(STEPS[steps])],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    states, each = map(int, done.stdout.split())
    print(f"{each} bytes per state")
    assert states == 1_000_000
    assert each <= 100
