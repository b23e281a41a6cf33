"""`pigro compose` within limits of time and memory, and interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import jsonschema

import pigro
from pigro import _core
from pigro.engines.game.checking import decide
from pigro.limits import Budget

from support.processes.children import PATIENCE, wait_until_working
from support.samples.compose_examples import (
    HANDSHAKE,
    SCHEMA,
)


def test_time_limit(run, dense, monkeypatch):
    """By a clock that stands still until the first game is to be decided."""
    now = 0.0

    def late(*args, **options):
        nonlocal now
        now = 0.03
        return decide(*args, **options)

    monkeypatch.setattr("pigro.session.prepare.Budget", partial(Budget, clock=lambda: now))
    monkeypatch.setattr("pigro.engines.game.checking.decide", late)
    result = run("compose", *dense, "--check", "EF l0", "--timeout", "30ms")
    assert result.exit_code == 3
    assert "no verdict within the time limit of 0.03 s" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 unknown, ")


def test_a_small_memory_limit(run):
    result = run("compose", HANDSHAKE, "--memory", "1k")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "the memory limit of 1 kB was reached while the input was read" in result.stderr


def test_memory_limit(run, dense):
    limit = _core.resident_memory() // 10**6 + 40
    result = run("compose", *dense, "--method", "full", "--memory", f"{limit}M")
    assert result.exit_code == 3
    assert f"no verdict within the memory limit of {limit:,} MB" in result.stdout


def test_refinement_decides_systems_too_large_to_compose(run, dense):
    result = run("compose", *dense, "--method", "refine", "--timeout", "30s")
    assert result.exit_code == 0
    assert "full composition: at most 4,980,736" in result.stdout
    assert "blocks: p0 2 of 8, p1 2 of 8" in result.stdout


def test_interrupted_prints_finished_verdicts(run, deeds):
    deeds(None, KeyboardInterrupt())
    result = run("compose", HANDSHAKE)
    assert result.stdout.startswith("holds    AG !(request & happy)\n")
    assert result.stdout.splitlines()[-1].startswith("1 holds, ")
    assert result.stderr == "warning: interrupted: 1 of 4 formulas were checked\n"


def test_interrupted_writes_finished_verdicts(run, deeds):
    deeds(None, KeyboardInterrupt())
    result = run("compose", HANDSHAKE, "--format", "json", "--output", "out.json")
    written = json.loads(Path("out.json").read_bytes())
    jsonschema.Draft202012Validator(SCHEMA).validate(written)
    assert (result.exit_code, result.stdout, len(written["results"])) == (130, "", 1)
    assert written["warnings"] == ["interrupted: 1 of 4 formulas were checked"]


def test_a_real_interrupt_in_the_middle_of_a_game(dense):
    command = [sys.executable, "-m", "pigro", "compose", dense[0], "--check", "EF l0", *dense[1:]]
    environment = {**os.environ, "PYTHONPATH": str(Path(pigro.__file__).parent.parent)}
    with subprocess.Popen(
        [*command, "--method", "full"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as child:
        wait_until_working(child)
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert b"interrupted" in stderr
