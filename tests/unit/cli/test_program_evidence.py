"""Evidence about programs is judged: the runs by asking the program, the rest by a search."""

import json
from pathlib import Path

import pytest

PROGRAM = """
class Ring:
    initial = 0
    def successors(self, state):
        return [(state + 1) % 6] + [0] * (state == 3)
    def labels(self, state):
        return ["zero"] if state == 0 else ["even"] if state % 2 == 0 else []

class Twins:
    initial = (0, 0)
    def successors(self, state):
        return [Named(state[0] + 1, each) for each in (0, 1)] if state[0] < 3 else []
    def labels(self, state):
        return ["last"] if state[0] == 3 and state[1] else []

class Named(tuple):
    def __new__(cls, *items):
        return tuple.__new__(cls, items)
    def __str__(self):
        return f"at {self[0]}"

class Cut(Ring):
    def is_cut(self, state):
        return state == 4
"""
FORMULAS = [
    "E [G F zero & F even]",
    "AG !even",
    "A [F even]",
    "E [F (even & E [X F zero])]",
    "EF even",
]


@pytest.fixture
def told(run):
    """A function that checks formulas on a part of the program, with evidence."""
    Path("p.py").write_text(PROGRAM)

    def check(name, *formulas):
        words = ("--witness", "--format", "json", "--output", "w.json")
        run("check", f"p.py:{name}", *formulas, *words)
        return json.loads(Path("w.json").read_text())

    return check


def test_right_evidence(run, told):
    told("Ring", *FORMULAS)
    done = run("validate-witness", "p.py:Ring", "w.json")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["accepted"] * len(FORMULAS)
    assert done.exit_code == 0


@pytest.mark.parametrize("change", ["name", "labels", "nodes", "start", "verdict", "digest"])
def test_wrong_evidence(run, told, change):
    found = told("Ring", FORMULAS[0])
    piece = found["results"][0]["evidence"]
    path = piece["evidence"][0]["path"]
    if change == "name":
        found["tables"]["nodes"][1]["name"] = "Ring:4"
    elif change == "labels":
        found["tables"]["nodes"][1]["labels"] = ["zero"]
    elif change == "nodes":
        path["nodes"][1] = path["nodes"][2]
    elif change == "start":
        path["start"] = 2
    elif change == "verdict":
        found["results"][0]["verdict"] = piece["verdict"] = "fails"
    else:
        piece["digest"] = "00" * 32
    Path("w.json").write_text(json.dumps(found))
    done = run("validate-witness", "p.py:Ring", "w.json")
    assert done.exit_code == (2 if change == "digest" else 1), done.output


def test_states_that_print_alike_are_not_judged(run, told):
    told("Twins", "E [F last]")
    done = run("validate-witness", "p.py:Twins", "w.json")
    assert done.exit_code == 1
    assert "two states of the program are printed as at 1" in done.stdout


def test_a_program_that_is_cut_off_is_refused(run, told):
    told("Cut", "E [F even]")
    done = run("validate-witness", "p.py:Cut", "w.json")
    assert done.exit_code == 2
    assert "error[P411]: the program says where it is cut off" in done.stderr
