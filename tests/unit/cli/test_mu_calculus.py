"""Formulas of the mu-calculus on the command line: what may be meant otherwise, and what is not shown."""

from __future__ import annotations

import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MUTEX = str(EXAMPLES / "mutex.smv")
HANDSHAKE = str(EXAMPLES / "handshake.parts")
SPIN = (
    "[] and <> are single steps in `[] (waits1 -> <> in1)`; for SPIN's always and eventually write "
    "`A [G (waits1 -> F in1)]`, or the same in CTL, `AG (waits1 -> AF in1)`"
)


def test_always_and_eventually_of_spin(run, recwarn):
    done = run("check", MUTEX, "[](waits1 -> <>in1)")
    assert done.stderr == f"warning: {SPIN}\n"
    assert done.stdout.startswith("holds    [] (waits1 -> <> in1)\n")
    done = run("check", MUTEX, "[](waits1 -> <>in1)", "--format", "json")
    assert json.loads(done.stdout)["warnings"] == [SPIN]
    assert not recwarn.list
    assert not run("check", MUTEX, "mu Z. in1 | <> Z", "AG <> true").stderr


def test_on_a_recursive_model(run, app):
    done = run("check", app, "[] <> use")
    assert done.exit_code == 2
    assert "write `A [G F use]`, or the same in CTL, `AG AF use`" in done.stderr


def test_compositions(run, recwarn):
    done = run(
        "compose", HANDSHAKE, "--check", "[] (request -> <> request)", "--check", "<> request"
    )
    assert done.stderr == (
        "warning: [] and <> are single steps in `[] (request -> <> request)`; "
        "for SPIN's always and eventually write `AG (request -> AF request)`\n"
    )
    assert not run("compose", HANDSHAKE, "--check", "<> request").stderr
    assert not recwarn.list
