"""`pigro label`, and `satisfying` from Python."""

import json
from pathlib import Path

import pytest

import pigro

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WALK = str(EXAMPLES / "walk.rsm")


def test_all_nodes(run):
    done = run("label", WALK, "EX closed")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "never                  main:open\n"
        "never                  main:idle\n"
        "always                 main:end\n"
        "never                  visit:enter\n"
        "depends on the caller  visit:leave\n"
        "\n"
        "always: 1, never: 3, depends on the caller: 1; 3 contexts\n"
    )


def test_json(run):
    done = run("label", WALK, "EX closed", "--format", "json")
    told = json.loads(done.stdout)
    assert told["schema"] == "pigro.labels/1"
    assert told["nodes"][4] == {"node": "visit:leave", "holds": "depends on the caller"}


def test_the_automaton_reads_stacks(run):
    """The automaton of the file accepts what `satisfying` contains."""
    told = json.loads(run("label", WALK, "EX closed", "--automaton", "-").stdout)
    steps = {(each["from"], each["box"]): each["to"] for each in told["steps"]}
    found = pigro.satisfying(pigro.load(WALK), "EX closed")
    for depth in range(5):
        [at] = told["initial"]
        for box in ["main:walk", *["visit:child"] * depth]:
            at = steps[at, box]
        accepts = "visit:leave" in told["states"][at]["holds_at"]
        assert accepts is (depth == 0)
        assert ((["walk", *["child"] * depth], "visit:leave") in found) is accepts


@pytest.mark.parametrize(
    ("name", "begins"), [("a.json", b"{"), ("a.dot", b"digraph"), ("a.svg", b"<?xml")]
)
def test_files(run, tmp_path, name, begins):
    if name.endswith("svg"):
        pytest.importorskip("pygraphviz")
    path = tmp_path / name
    done = run("label", WALK, "EX closed", "--automaton", str(path))
    assert (done.exit_code, done.stdout) == (0, "")
    assert path.read_bytes().startswith(begins)


def test_a_name_that_says_nothing(run):
    done = run("label", WALK, "p", "--automaton", "a.txt")
    assert done.exit_code == 2
    assert "P007" in done.stderr


def test_limits(run):
    done = run("label", WALK, "EX closed", "--memory", "1M")
    assert (done.exit_code, done.stdout) == (3, "")


def test_stacks_that_cannot_be():
    found = pigro.satisfying(pigro.load(WALK), "true")
    assert (["walk"], "visit:leave") in found
    assert (["child"], "visit:leave") not in found
    assert (["walk"], "main:end") not in found
    assert ([], "visit:leave") not in found
