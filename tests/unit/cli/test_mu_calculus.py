"""Formulas of the mu-calculus on the command line: what may be meant otherwise, and what shows it."""

from __future__ import annotations

import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
MUTEX = str(EXAMPLES / "mutex.smv")
HANDSHAKE = str(EXAMPLES / "handshake.parts")
SPIN = (
    "[] and <> are single steps in `[] (waits1 -> <> in1)`; for SPIN's always and eventually write "
    "`A [G (waits1 -> F in1)]`"
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
    assert "write `A [G F use]`" in done.stderr
    done = run("check", app, "nu X. mu Y. <> (use & X | Y)", "--format", "json")
    [result] = json.loads(done.stdout)["results"]
    assert result["engine"] == "game"
    assert result["verdict"] in ("true", "false", "holds", "fails")


def test_a_strategy_with_calls(run, app):
    done = run("check", app, "nu X. <> X & [] X", "--witness")
    assert not done.stderr
    assert done.stdout.count("whatever the other side does, a strategy of ") == 1
    assert " by call 1 of " in done.stdout


def test_a_strategy_without_a_choice_is_a_run(run, app):
    done = run("check", app, "mu X. use | <> X", "nu X. !use & [] X", "--witness")
    assert not done.stderr
    assert done.stdout.count(", as this run shows:") == 2
    assert "(called by " in done.stdout


def test_a_strategy_is_written_and_checked(run, app):
    done = run(
        "check", app, "mu X. use | <> X", "nu X. !use & [] X", "--witness", "--format", "json"
    )
    results = json.loads(done.stdout)["results"]
    assert [row["evidence"]["schema"] for row in results] == ["pigro.game/1", "pigro.game/1"]
    Path("results.json").write_text(done.stdout)
    done = run("validate-witness", app, "results.json")
    assert done.exit_code == 0
    assert done.stdout.count("accepted  ") == 2
    results[0]["evidence"]["claims"][0][2] = results[0]["evidence"]["claims"][1][2]
    Path("one.json").write_text(Path("results.json").read_text().replace('"fails"', '"holds"'))
    done = run("validate-witness", app, "one.json")
    assert done.exit_code != 0
    assert "the strategy breaks a rule: W" in done.stdout


def test_compositions(run, recwarn):
    done = run(
        "compose", HANDSHAKE, "--check", "[] (request -> <> request)", "--check", "<> request"
    )
    assert done.stderr == (
        "warning: [] and <> are single steps in `[] (request -> <> request)`; "
        "for SPIN's always and eventually write `A [G (request -> F request)]`\n"
    )
    assert not run("compose", HANDSHAKE, "--check", "<> request").stderr
    assert not recwarn.list


def test_a_strategy_without_calls(run):
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "AG !(in1 & in2)", "--witness")
    assert not done.stderr
    assert "it holds: whatever the other side does, a strategy of " in done.stdout
    done = run("compose", MUTEX, "--check", "mu Z. in1 | <> Z", "--witness")
    assert "it holds: a strategy of " in done.stdout


def test_no_strategy_where_none_is_asked_for(run):
    assert "strategy" not in run("check", MUTEX, "mu Z. in1 | <> Z").stdout
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "--format", "json")
    assert "evidence" not in json.loads(done.stdout)["results"][0]


def test_a_page_to_play_on(run):
    done = run("check", MUTEX, "mu Z. in1 | <> Z", "AG !(in1 & in2)", "--html", "why.html")
    assert not done.stderr
    page = Path("why.html").read_text()
    assert '"game":{"holds":true' in page
    assert "a strategy of " in page, "also without scripts"


def test_a_strategy_beyond_the_limits_is_left_out(run, app, monkeypatch):
    def over(*_):
        raise MemoryError

    monkeypatch.setattr("pigro._core.win", over)
    done = run("check", app, "mu X. use | <> X", "--witness", "--timeout", "100s")
    assert done.stdout.startswith("holds    mu X. use | <> X\n")
    assert "1 verdict has no evidence: to find it took more than the limits" in done.stderr


def test_a_strategy_for_another_verdict_is_an_internal_error(run, app, monkeypatch):
    """The two runs of the solver check each other."""

    class Wrong:
        holds = True

    monkeypatch.setattr("pigro._core.win", lambda *_: Wrong)
    done = run("check", app, "nu X. !use & [] X", "--witness")
    assert "P903" in done.stderr
