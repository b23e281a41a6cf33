"""Exit codes, their precedence, and what is still told when a run ends early."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pigro.limits import KilledBySystem

HOLDS, FAILS = "EF use", "AF done"


@pytest.mark.parametrize(
    ("formulas", "code"),
    [([HOLDS], 0), ([HOLDS, HOLDS], 0), ([FAILS], 1), ([HOLDS, FAILS, HOLDS], 1)],
)
def test_verdicts_decide_the_code(run, app, formulas, code):
    assert run("check", app, *formulas).exit_code == code


@pytest.mark.parametrize(
    ("formulas", "deeds", "code"),
    [
        ([HOLDS, HOLDS], [None, MemoryError()], 3),
        ([FAILS, HOLDS], [None, MemoryError()], 1),
        ([HOLDS, FAILS], [MemoryError()], 1),
        ([FAILS, HOLDS], [None, ZeroDivisionError()], 4),
        ([HOLDS, HOLDS], [MemoryError(), ZeroDivisionError()], 4),
        ([FAILS, HOLDS], [None, KeyboardInterrupt()], 130),
        ([HOLDS, HOLDS], [MemoryError(), KeyboardInterrupt()], 130),
    ],
)
def test_precedence(run, app, engine, formulas, deeds, code):
    engine(*deeds)
    assert run("check", app, *formulas).exit_code == code


def test_no_memory_for_one_formula_leaves_the_others(run, app, engine):
    engine(MemoryError())
    result = run("check", app, HOLDS, FAILS)
    assert result.stdout.startswith(
        "unknown  EF use\n         no verdict: the check needs more memory than there is; "
    )
    assert "fails    AF done\n" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("1 fails, 1 unknown, ")
    assert result.stderr == ""


def test_no_memory_for_the_model(run, app, monkeypatch):
    def load(*_, **__):
        raise MemoryError

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, HOLDS)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "error: not enough memory; there is no verdict\n"


def test_a_process_is_killed_while_the_model_is_read(run, app, monkeypatch):
    def load(*_, **__):
        raise KilledBySystem("the worker was killed")

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, HOLDS)
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "error: the worker was killed; there is no verdict\n"


def test_a_process_is_killed_between_formulas(run, app, monkeypatch):
    class Killed:
        name = "killed"

        def check_all(self, *_, **__):
            raise KilledBySystem("the worker was killed")

    monkeypatch.setattr("pigro.engines.table.choose_engine", lambda *_: Killed())
    result = run("check", app, HOLDS)
    assert result.exit_code == 3
    assert "stopped because the worker was killed: 0 of 1 " in result.stdout + result.stderr


def test_interrupted_prints_finished_verdicts(run, app, engine):
    engine(None, KeyboardInterrupt())
    result = run("check", app, HOLDS, FAILS, HOLDS)
    assert result.exit_code == 130
    assert result.stdout.startswith("holds    EF use\n")
    assert result.stdout.splitlines()[-1].startswith("1 holds, ")
    assert result.stderr == "warning: interrupted: 1 of 3 formulas were checked\n"


def test_interrupted_writes_finished_verdicts(run, app, engine, tmp_path):
    engine(None, KeyboardInterrupt())
    result = run("check", app, HOLDS, FAILS, "--format", "json", "--output", "out.json")
    written = json.loads((tmp_path / "out.json").read_bytes())
    assert (result.exit_code, result.stdout) == (130, "")
    assert [each["formula"] for each in written["results"]] == [HOLDS]
    assert written["warnings"] == ["interrupted: 1 of 2 formulas were checked"]


def test_interrupted_while_loading(run, app, monkeypatch):
    def load(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, HOLDS)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_internal_error_asks_for_a_report(run, app, engine):
    engine(None, ZeroDivisionError("by\x1b[31m zero"))
    result = run("check", app, HOLDS, FAILS)
    assert result.exit_code == 4
    assert result.stdout.startswith("holds    EF use\n")
    assert result.stderr == (
        "warning: stopped by an internal error: 1 of 2 formulas were checked\n"
        "error[P901]: internal error: ZeroDivisionError: by\\x1b[31m zero\n"
        "  hint: this is a fault of Pigro; please report it, with the command and its files\n"
        "        (PIGRO_DEBUG=1 shows where it happened)\n"
    )


def test_internal_error_while_loading(run, app, monkeypatch):
    def load(*_, **__):
        raise RecursionError

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, HOLDS)
    assert (result.exit_code, result.stdout) == (4, "")
    assert result.stderr.startswith("error[P901]: internal error: RecursionError\n")
    assert "Traceback" not in result.stderr


def test_a_fault_that_pigro_knows_as_its_own_is_no_input_error(run, app, monkeypatch):
    from pigro import InternalError

    def load(*_, **__):
        raise InternalError("P901", "a row is missing")

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, HOLDS)
    assert (result.exit_code, result.stderr) == (4, "error[P901]: a row is missing\n")


def test_debug_shows_the_traceback(run, app, engine, monkeypatch):
    engine(ZeroDivisionError())
    monkeypatch.setenv("PIGRO_DEBUG", "1")
    result = run("check", app, HOLDS)
    assert result.exit_code == 4
    assert "Traceback (most recent call last)" in result.stderr


def test_a_value_that_a_file_can_not_compute_is_no_internal_error(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("zero.smv").write_text(
        "MODULE main VAR x : 0..2; w : word[64]; ASSIGN init(x) := 0; next(x) := x;\n"
        "init(w) := 0ud64_0; SPEC 1 / x = 1\n"
    )
    result = run("check", "zero.smv")
    assert result.exit_code == 2
    assert "warning: stopped by an error: 0 of 1 formulas were checked\n" in result.stderr
    assert "error[P126]: division by zero\n" in result.stderr
