"""`pigro generate`."""

from __future__ import annotations

from pathlib import Path

import pytest

import pigro


@pytest.mark.parametrize("what", ["rsm", "ctl", "pds", "smv"])
def test_the_same_seed_gives_the_same(run, app, what):
    one = run("generate", what, "--seed", "5")
    assert (one.exit_code, one.stderr) == (0, "")
    assert one.stdout == run("generate", what, "--seed", "5").stdout
    assert one.stdout != run("generate", what, "--seed", "6").stdout
    assert run("generate", what, "--seed", "5", "-o", "file").stdout == ""
    assert Path("file").read_text() == one.stdout


def test_models_and_formulas_fit_together(run, app):
    run("generate", "rsm", "--grid", "6", "-o", "m.rsm")
    run("generate", "ctl", "--grid", "30", "--count", "10", "-o", "f.ctl")
    result = run("check", "m.rsm", "-f", "f.ctl", "--strict")
    assert result.exit_code in (0, 1)
    assert result.stderr == ""
    assert pigro.load("m.rsm").statistics.nodes == 6 * 18


def test_options_come_before_the_grid(run, app):
    run("generate", "rsm", "--grid", "6", "--nodes", "4", "--no-recursion", "-o", "m.rsm")
    counted = pigro.load("m.rsm").statistics
    assert (counted.components, counted.nodes, counted.recursive) == (6, 24, False)


def test_more_formulas_leave_the_first_as_they_are(run):
    few, many = (run("generate", "ctl", "--count", n).stdout.splitlines() for n in ("3", "9"))
    assert (len(few), len(many)) == (3, 9)
    assert many[:3] == few


def test_labels(run, app):
    run("generate", "rsm", "--label", "x=1", "--label", "y=z=0", "-o", "m.rsm")
    assert list(pigro.load("m.rsm").label_ids) == ["x"]
    text = run("generate", "ctl", "--label", "my label", "--depth", "0").stdout
    assert text.strip("!\n") == '"my label"'


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["rsm", "--nodes", "1"], "error[P006]: 1 nodes are too few for 1 entries and 1 exits"),
        (["rsm", "--label", "x"], "error: invalid value for '--label': 'x' is not a label"),
        (["rsm", "--density", "2"], "error: invalid value for '--density'"),
        (["rsm", "--seed", "-1"], "error: invalid value for '--seed'"),
        (["rsm", "-o", "no/such/file"], "error[P003]"),
        (["ctl", "--operator", "EZ"], "error[P006]: invalid value for '--operator'"),
        (["pds", "--pop", "0.9"], "error[P006]: pop and push"),
        (["nusmv"], "error: no such command 'nusmv'"),
    ],
)
def test_refusals(run, app, args, message):
    result = run("generate", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)


@pytest.mark.parametrize("options", [(), ("--no-recursion",), ("--modules", "1"), ("--data", "2", "--states", "5"), ("--states", "1"), ("--calls", "1")])  # fmt: skip
def test_modules_keep_the_rules_of_rmv(run, app, options):
    for seed in range(10):
        run("generate", "smv", *options, "--seed", str(seed), "-o", "m.smv")
        done = run("check", "m.smv", "--semantics", "rmv", "--strict")
        assert done.exit_code in (0, 1), done.stderr
        counted = pigro.load("m.smv").statistics
        assert "--no-recursion" not in options or not counted.recursive


def test_a_module_as_in_the_evaluation_of_rmv(run, app):
    run("generate", "smv", "--modules", "1", "--states", "500", "--labels", "150", "--formulas", "450", "-o", "m.smv")  # fmt: skip
    done = run("check", "m.smv")
    assert done.exit_code in (0, 1)
    words = [line.split()[0] for line in done.stdout.splitlines() if line]
    assert words.count("holds") + words.count("fails") == 450
