"""`--requirement`: static analysis by name, over labels def_V, use_V and usedef_V."""

from pathlib import Path

import pytest

import pigro
from pigro.formats.use_def import REQUIREMENTS, UseDef, use_def

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
LINES = {
    "straight": {"a": ["def_x"], "b": ["use_x"]},
    "never read": {"a": ["def_x"], "b": []},
    "read first": {"a": ["use_x"], "b": ["def_x"], "c": ["use_x"]},
    "overwritten": {"a": ["def_x"], "b": ["def_x"], "c": ["use_x"]},
    "read and written": {"a": ["def_x"], "b": ["usedef_x"], "c": ["use_x"]},
    "read and written first": {"a": ["usedef_x"], "b": ["use_x"]},
    "both labels": {"a": ["def_x"], "b": ["def_x", "use_x"], "c": ["use_x"]},
    "last write is dead": {"a": ["def_x"], "b": ["use_x"], "c": ["def_x"]},
}
HOLDS = {
    "straight": "usable initialized used kept",
    "never read": "initialized kept",
    "read first": "usable used kept",
    "overwritten": "usable initialized",
    "read and written": "usable initialized used kept",
    "read and written first": "usable used kept",
    "both labels": "usable initialized used kept",
    "last write is dead": "initialized kept",
}


def program(lines):
    names = list(lines)
    edges = {name: [names[min(at + 1, len(names) - 1)]] for at, name in enumerate(names)}
    edges[names[-1]] = ["end"]
    return pigro.kripke(edges | {"end": ["end"]}, labels=lines, initial=names[0])


@pytest.mark.parametrize("name", LINES)
def test_straight_lines(name):
    model = program(LINES[name])
    [variable] = use_def(model)
    found = [each for each in REQUIREMENTS if pigro.check(model, variable.requirement(each)).holds]
    assert found == HOLDS[name].split()


def test_one_branch_is_enough():
    """Overwritten on one way only: kept fails. Used on one way only: used holds."""
    edges = {"a": ["b", "c"], "b": ["c"], "c": ["d"], "d": ["d"]}
    labels = {"a": ["def_x"], "b": ["use_x"], "c": ["def_x"], "d": ["use_x"]}
    model = pigro.kripke(edges, labels=labels, initial="a")
    variable = UseDef("x", frozenset())
    assert pigro.check(model, variable.requirement("used")).holds
    assert not pigro.check(model, variable.requirement("kept")).holds


@pytest.fixture
def figure(tmp_path):
    """Figure 2.1 of [Finis2012]: x is written in one branch only, and read after both."""
    edges = {"declare": ["if"], "if": ["x=5", "y=2"], "x=5": ["print"], "y=2": ["print"], "print": ["end"], "end": ["end"]}  # fmt: skip
    labels = {"x=5": ["def_x"], "y=2": ["def_y"], "print": ["use_x"]}
    path = tmp_path / "figure.rsm"
    pigro.save(pigro.kripke(edges, labels=labels, initial="declare"), path)
    return str(path)


def test_x_is_read_before_it_is_written(run, figure):
    done = run("check", figure, "--requirement", "initialized")
    assert done.exit_code == 1
    assert [line.split()[0] for line in done.stdout.splitlines() if line[:1].isalpha()] == [
        "fails",
        "holds",
    ]
    done = run("check", figure, "--requirement", "initialized:y", "--requirement", "used:all")
    assert [line.split()[0] for line in done.stdout.splitlines() if line[:1].isalpha()] == [
        "holds",
        "holds",
        "fails",
    ]


def test_mistakes(run, figure):
    done = run("check", figure, "--requirement", "initialised")
    assert done.exit_code == 2
    assert "P016" in done.stderr
    assert "did you mean" in done.stderr
    assert "P008" in run("check", figure, "--requirement", "used:z").stderr


def test_a_wrong_name_is_told_before_a_model_without_variables(run):
    model = str(Path(__file__).resolve().parents[3] / "examples" / "choices.rsm")
    assert "P016" in run("check", model, "--requirement", "initialised").stderr
    assert "P008" in run("check", model, "--requirement", "initialized").stderr
