"""A wrong formula in an `.smv` file is an error of that formula, and of nothing else."""

from __future__ import annotations

import pytest

import pigro
from pigro.formats import smv

MODULE = """MODULE main
VAR x : 0..3; b : boolean;
ASSIGN init(x) := 0; next(x) := x < 3 ? x + 1 : 3;
"""
WRONG = {
    "SPEC AG foo": ("P123", 9),
    "SPEC AG (x = ": ("P121", 14),
    "SPEC AG b b": ("P121", 11),
    "SPEC F b": ("P125", 6),
    "LTLSPEC O foo": ("P123", 11),
    "LTLSPEC O F b": ("P122", 11),
    "INVARSPEC next(foo) = 1": ("P123", 16),
    "SPEC AG b IN sub": ("P123", 14),
    "SPEC NAME := b": ("P121", 11),
    "SPEC 6 / x = 2": ("P126", 8),
    "PSLSPEC always b": ("P122", 1),
    "SPEC mu Z. x = 2": ("P121", 9),
}


@pytest.mark.parametrize("spec", WRONG)
def test_a_wrong_formula_of_the_file_blocks_no_other(run, tmp_path, spec):
    code, column = WRONG[spec]
    path = tmp_path / "w.smv"
    path.write_text(f"{MODULE}SPEC EF x = 3\n{spec}\nSPEC AG x < 3\n")
    checked = run("check", str(path), "EF x = 3", "AG x < 3")
    assert checked.exit_code == 1
    assert "1 holds, 1 fails" in checked.stdout
    assert "warning: the formula of the file in line" in checked.stderr
    assert f"can't be checked: {code}: " in checked.stderr
    assert checked.stderr.count("warning") == 1
    shown = run("show", str(path))
    assert shown.exit_code == 0
    assert "nodes       8" in shown.stdout
    assert f"can't be checked: {code}: " in shown.stderr
    own = run("check", str(path))
    assert own.exit_code == 2
    assert own.stdout == ""
    assert f"error[{code}]" in own.stderr
    line = 6 if spec == "SPEC AG (x = " else 5
    column = 1 if line == 6 else column
    assert f"w.smv:{line}:{column}\n" in own.stderr


def test_all_wrong_formulas_are_reported_once_and_in_order(run, tmp_path):
    path = tmp_path / "w.smv"
    path.write_text(
        "MODULE main\nVAR a : m; b : m;\nSPEC AG foo\nMODULE m\nVAR x : boolean;\n"
        "SPEC AG bar\nLTLSPEC O baz\nSPEC AG x\nSPEC EF\n"
    )
    own = run("check", str(path))
    assert own.exit_code == 2
    places = [line for line in own.stderr.splitlines() if "-->" in line]
    assert [each.rpartition("w.smv:")[2] for each in places] == ["3:9", "6:9", "7:11", "9:8"]
    assert run("check", str(path), "AG (a.x | b.x)").exit_code == 1


def test_programs_get_the_model_and_the_error_of_the_formula():
    data = f"{MODULE}SPEC AG foo\nSPEC EF x = 3".encode()
    assert pigro.check(smv.read(data), "EF x = 3").holds
    document = smv.SmvDocument(data)
    assert [each.code for each in document.faults] == ["P123"]
    assert [each.text for each in document.stated(None)] == ["EF x = 3"]
    with pytest.raises(pigro.InputError, match="`foo` is not defined"):
        smv.requirements(data)


def test_compositions_leave_wrong_formulas_out_too(run, tmp_path):
    path = tmp_path / "w.smv"
    path.write_text(f"{MODULE}SPEC AG foo\nSPEC EF x = 3\n")
    checked = run("compose", str(path), "--check", "EF x = 3")
    assert checked.exit_code == 0
    assert "can't be checked: P123: `foo` is not defined" in checked.stderr
    own = run("compose", str(path))
    assert own.exit_code == 2
    assert "w.smv:4:9" in own.stderr


@pytest.mark.parametrize("command", ["check", "compose"])
def test_a_mistake_in_the_file_says_nothing_about_formulas(run, tmp_path, command):
    path = tmp_path / "w.smv"
    path.write_text("MODULE main\nVAR x : 0..3 b : boolean;\n")
    option = ["--check"] if command == "compose" else []
    wrong = run(command, str(path), *option, "EF x = 3")
    assert wrong.exit_code == 2
    assert wrong.stderr.count("error[") == 1
    missing = run(command, str(tmp_path / "none.smv"), *option, "EF x = 3")
    assert missing.exit_code == 2
    assert missing.stderr.count("error[") == 1
