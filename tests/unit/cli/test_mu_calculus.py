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
NO_RUN = (
    "no run is shown for the mu-calculus: `mu Z. in1 | <> Z`; "
    "`pigro compose MODEL --check FORMULA --witness` shows a strategy"
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
    assert done.exit_code in (0, 1)
    assert "write `A [G F use]`, or the same in CTL, `AG AF use`" in done.stderr
    done = run("check", app, "nu X. mu Y. <> (use & X | Y)", "--format", "json")
    [result] = json.loads(done.stdout)["results"]
    assert result["engine"] == "game"
    assert result["verdict"] in ("true", "false", "holds", "fails")


def test_there_is_no_evidence_yet_where_there_are_calls(run, app):
    done = run("check", app, "mu X. use | <> X", "--witness")
    assert done.stderr == (
        "warning: no run is shown for the mu-calculus: `mu X. use | <> X`; "
        "strategies are shown for models without calls only, by `pigro compose`\n"
    )


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


def test_no_run_is_shown_and_that_is_said(run):
    assert not run("check", MUTEX, "mu Z. in1 | <> Z").stderr
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "AG !(in1 & in2)", "--witness")
    assert done.stderr == f"warning: {NO_RUN}\n"
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "--witness", "--format", "json")
    assert json.loads(done.stdout)["warnings"] == [NO_RUN]
    run("check", MUTEX, "mu Z. in1 | <> Z", "--witness", "--output", "results.txt")
    assert f"warning: {NO_RUN}\n" in Path("results.txt").read_text()
    many = run("check", MUTEX, "mu Z. in1 | <> Z", "nu Z. in1 & <> Z", "--witness").stderr
    assert "`mu Z. in1 | <> Z` (and 1 more);" in many


def test_the_strategy_that_is_proposed(run):
    done = run("compose", MUTEX, "--check", "mu Z. in1 | <> Z", "--witness")
    assert "it holds: a strategy of " in done.stdout


def test_the_report_says_it_too(run):
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "AG !(in1 & in2)", "--html", "why.html")
    assert done.stderr == f"warning: {NO_RUN}\n"
    page = Path("why.html").read_text()
    assert page.count("no run is shown for the mu-calculus") == 2, "as data and without scripts"
