"""Commands on files with a language of their own, and output that meets an end."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

SMV = """MODULE main
VAR floor : 0..2;
DEFINE top := floor = 2;
ASSIGN
  init(floor) := 0;
  next(floor) := top ? 0 : floor + 1;
SPEC AG (floor = 1 -> AX top)
"""
PDMU = """Rules:
start a -> run b;
run b -> run b;
Propositions:
run b def_i;
Mu Property:
nu X. [@def_j]ff & [use_j]X
"""
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(pigro.__file__).resolve().parents[1])}
PIGRO = (sys.executable, "-m", "pigro")


@pytest.fixture
def lift(tmp_path):
    path = tmp_path / "lift.smv"
    path.write_text(SMV)
    return str(path)


def test_formulas_in_the_language_of_the_file(run, lift):
    result = run("check", lift, "AF floor = 2", "EF floor > 2")
    assert [line[:5] for line in result.stdout.splitlines()[::2]][:2] == ["holds", "fails"]


@pytest.mark.parametrize("formula", ['AG ("floor = 1" -> AX top)', "A [!top W top]", "EF top"])
def test_formulas_in_pigros_own_language(run, lift, formula):
    assert run("check", lift, formula).stdout.startswith("holds")


def test_formulas_that_are_in_neither_language(run, lift):
    result = run("check", lift, "EF floor =")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P121]: expected an expression after `=`")


def test_formulas_of_a_file(run, lift, tmp_path):
    formulas = tmp_path / "lift.ctl"
    formulas.write_text("# of the lift\r\nAF floor = 2\r\n\r\nEF floor = \r\n")
    result = run("check", lift, "-f", str(formulas))
    assert result.exit_code == 2
    assert "lift.ctl:4:" in result.stderr


def test_a_property_about_nothing_is_told(run, tmp_path):
    path = tmp_path / "program.pdmu"
    path.write_text(PDMU)
    result = run("check", str(path))
    assert (result.exit_code, result.stdout[:5]) == (0, "holds")
    assert "labels are on no node of the model" in result.stderr
    assert run("check", str(path), "--strict").exit_code == 2


@pytest.mark.parametrize("content", [None, "MODULE main VAR x : 5..3; SPEC EF x = 4"])
def test_a_file_that_can_not_be_read_is_the_only_trouble(run, tmp_path, content):
    path = tmp_path / "bad.smv"
    if content is not None:
        path.write_text(content)
    result = run("check", str(path))
    assert result.exit_code == 2
    assert result.stderr.count("error[") == 1


@pytest.mark.parametrize("label", ["a<b", "a b", "a,b", "a\nb"])
def test_labels_that_a_pushdown_system_can_not_hold(run, label):
    result = run("generate", "pds", "--label", f"{label}=0.5")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P215]")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_beyond_a_limit(lift, tmp_path, unbuffered):
    """The system takes a part of it, and says so by a number."""
    command = [*PIGRO, "convert", lift, "-", "--to", "json"]
    environment = ENVIRONMENT | {"PYTHONUNBUFFERED": unbuffered}
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            command,
            stdout=out,
            stderr=subprocess.PIPE,
            env=environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[P003]: can't write to standard output: ")


def test_no_output_to_convert_to(lift):
    command = '"$0" -m pigro convert "$1" - --to json >&-'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable, lift], capture_output=True, env=ENVIRONMENT
    )
    assert done.returncode == 2
    assert b"standard output" in done.stderr
