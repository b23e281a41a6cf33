"""Runs of compositions, and ways to finish their parts, are judged: right ones, and spoiled ones."""

import copy
import json

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.main import cli
from pigro.formats.parts import parse as read_parts
from pigro.formats.parts import together
from pigro.session.validating import validate

PARTS = b"""
part a
  labels r, o
  state x {} initial
  state z { r?, o }
  x -> z
  z ~> x
  z -> z

part b
  labels r
  state y {} initial
  state w { r }
  y -> w, y
  w -> w, y
"""
FORMULAS = [
    "A [G F o]",
    "A [F G o]",
    "E [G F o & F !o]",
    "E [{true* ; o}!]",
    "E [G E [F G o]]",
    "A [G F !o] | E [G F o]",
    "E [automaton { start s; s -> t; t -> s : o; accept s }]",
]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """The composition, and its results as they are written."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "c.parts").write_bytes(PARTS)
    asked = [word for text in FORMULAS for word in ("--check", text)]
    words = ["compose", str(folder / "c.parts"), *asked, "--witness", "--format", "json"]
    CliRunner().invoke(cli, [*words, "--output", str(folder / "w.json")], prog_name="pigro")
    return folder / "c.parts", json.loads((folder / "w.json").read_text())


def problems(told):
    """What is wrong, by result."""
    found = validate(str(told[0]), json.dumps(told[1]).encode()).findings
    assert len(found) == len(told[1]["results"])
    return [each.problem for each in found]


def test_right_ones(told):
    assert {row["verdict"] for row in told[1]["results"]} == {"holds", "unknown"}
    assert problems(told) == [None] * len(FORMULAS)


def spoil(row, way, **changes):
    """A result with a way that says something else."""
    row["finished"][way] |= changes


SPOILED = {
    "another verdict": lambda rows: rows[2].update(verdict="fails"),
    "another verdict of a way": lambda rows: spoil(rows[2], 0, verdict="fails"),
    "one way of two": lambda rows: rows[1]["finished"].pop(),
    "no way": lambda rows: rows[0].update(finished=[]),
    "no point": lambda rows: spoil(rows[1], 0, points=[]),
    "a point twice": lambda rows: rows[1]["finished"][0]["points"].append(
        rows[1]["finished"][0]["points"][0]
    ),
    "a point that is known": lambda rows: rows[1]["finished"][0]["points"][0].update(state="x"),
    "a point turned": lambda rows: rows[1]["finished"][0]["points"][0].update(
        value=not rows[1]["finished"][0]["points"][0]["value"]
    ),
    "a step that is not there": lambda rows: rows[1]["finished"][0]["run"]["states"].insert(
        1, ["x", "w"]
    ),
    "no initial state": lambda rows: rows[1]["finished"][0]["run"]["states"].pop(0),
    "no such state": lambda rows: rows[1]["finished"][0]["run"]["states"][0].__setitem__(0, "v"),
    "another loop": lambda rows: rows[1]["finished"][0]["run"].update(start=7),
    "it stays": lambda rows: rows[1]["finished"][0]["run"].update(ends="stays", start=None),
    "it need not go on": lambda rows: rows[1]["finished"][0]["run"].update(ends="here", start=None),
    "another formula": lambda rows: rows[1].update(formula="A [G F !o]"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_ones(told, name):
    spoiled = copy.deepcopy(told[1])
    SPOILED[name](spoiled["results"])
    found = problems((told[0], spoiled))
    assert sum(each is not None for each in found) == 1, found


def test_compositions_that_programs_made(told):
    composition = pigro.Composition(together([read_parts(PARTS)])[0])
    assert validate(composition, json.dumps(told[1]).encode()).accepted
