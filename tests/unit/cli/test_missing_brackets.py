"""Formulas on the command line that may be meant otherwise, because brackets are missing."""

from __future__ import annotations

import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_on_the_command_line(run, recwarn):
    model = str(EXAMPLES / "dataflow.rsm")
    told = "`AG def_i U use_i` is read as `A [(AG def_i) U use_i]`; write brackets to say what you mean"
    done = run("check", model, "AG def_i U use_i")
    assert done.stderr == f"warning: {told}\n"
    assert done.stdout.startswith("fails    (AG def_i) U use_i\n")
    done = run("check", model, "AG def_i U use_i", "--format", "json")
    assert json.loads(done.stdout)["warnings"] == [told]
    assert not recwarn.list


def test_files(run, tmp_path):
    (tmp_path / "a.ctl").write_text("define r = def_i ; use_i\nAG use_i U def_i\n")
    done = run("check", str(EXAMPLES / "dataflow.rsm"), "-f", str(tmp_path / "a.ctl"))
    assert "`AG use_i U def_i` is read as `A [(AG use_i) U def_i]`" in done.stderr
    model = json.loads((EXAMPLES / "dataflow.rsm").read_text())
    (tmp_path / "own.rsm").write_text(
        json.dumps({**model, "properties": [{"formula": "AG use_i U def_i"}]})
    )
    assert "is read as `A [(AG use_i) U def_i]`" in run("check", str(tmp_path / "own.rsm")).stderr


def test_modules_with_variables(run):
    done = run("check", str(EXAMPLES / "mutex.smv"), "AG one = idle U in1", "E [EX in1 U in2]")
    assert done.stderr == (
        'warning: `AG one = idle U in1` is read as `A [(AG "one = idle") U in1]`; '
        "write brackets to say what you mean\n"
    )


def test_programs(run, tmp_path):
    text = "class Loop:\n    initial = 0\n    successors = lambda self, at: [0]\n"
    (tmp_path / "loop.py").write_text(f"{text}    labels = lambda self, at: []\n")
    done = run("check", f"{tmp_path}/loop.py:Loop", "AG p U q")
    assert "is read as `A [(AG p) U q]`" in done.stderr
