"""`pigro compose` with LTL and CTL*: verdicts for every way to finish the parts, and evidence."""

import json
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro import compose_check

ROOT = Path(__file__).resolve().parents[3]
HANDSHAKE = str(ROOT / "examples" / "handshake.parts")
VENDING = str(ROOT / "examples" / "vending.parts")
SCHEMA = json.loads(
    (Path(pigro.__file__).parent / "schemas" / "composition.schema.json").read_bytes()
)
OPEN = """
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
check A [F G o]
"""


@pytest.fixture
def opened(run, tmp_path):
    (tmp_path / "open.parts").write_text(OPEN)
    return "open.parts"


@pytest.mark.parametrize(
    ("file", "formula", "code"),
    [
        (HANDSHAKE, "A [G F happy]", 0),
        (HANDSHAKE, "G (request -> F happy)", 0),
        (HANDSHAKE, "E [F G request]", 1),
        (HANDSHAKE, "A [G F busy]", 1),
        (VENDING, "A [G F thirsty]", 1),
        (VENDING, "E [G F thirsty & G F !thirsty]", 0),
    ],
)
def test_concrete_parts(run, file, formula, code):
    assert run("compose", file, "--check", formula).exit_code == code
    assert run("compose", file, "--check", formula, "--method", "full").exit_code == code


def test_a_run_shows_it(run):
    result = run("compose", HANDSHAKE, "--check", "E [G F busy]", "--witness")
    assert result.stdout.splitlines()[2:] == [
        "         states: 3 looked at; composed 5",
        "         it holds, as this run shows:",
        "              0  client=idle, server=free",
        "              1  client=asking, server=noticed",
        "              2  client=waiting, server=working   [busy]",
        "                 and on from state 0 again, forever",
    ]


def test_all_ways_agree(run, opened):
    result = run("compose", opened, "--check", "A [G F o]", "--check", "E [G F !o & G F o]")
    assert (
        "holds    A [G F o]\n         it is so for every way to finish the parts" in result.stdout
    )
    assert result.exit_code == 3  # the other one depends on a step


def test_it_depends(run, opened):
    """The file states the formula itself. Both ways are told, with a run where one shows it."""
    result = run("compose", opened)
    assert result.exit_code == 3
    assert (
        result.stdout.splitlines()[1].strip().startswith("it depends on how the parts are finished")
    )
    assert "it fails if the parts are finished like this:" in result.stdout
    assert "a: there is a step from z to x" in result.stdout
    assert "it holds if the parts are finished like this:" in result.stdout
    assert "a: there is no step from z to x" in result.stdout


def test_json(run, opened):
    result = run("compose", opened, "--format", "json")
    told = json.loads(result.stdout)
    jsonschema.validate(told, SCHEMA)
    (row,) = told["results"]
    assert row["verdict"] == "unknown"
    assert [each["verdict"] for each in row["finished"]] == ["fails", "holds"]
    assert row["finished"][0]["run"]["states"] == [["x", "y"], ["z", "w"]]


@pytest.mark.parametrize("method", ["refine", "refine-one", "symbolic"])
def test_other_methods_refuse(run, method):
    pytest.importorskip("dd")
    result = run("compose", HANDSHAKE, "--check", "A [G F busy]", "--method", method)
    assert result.exit_code == 2
    assert "only the methods concrete and full check LTL and CTL*" in result.stderr
    assert "`A [G F p]` is `AG AF p`" in result.stderr


def test_labels_that_no_part_sees(run):
    result = run("compose", HANDSHAKE, "--check", "A [G F nowhere]")
    assert result.exit_code == 1
    assert "1 label is seen by no part" in result.stderr


def test_limits(run, opened):
    result = run("compose", HANDSHAKE, "--check", "A [G F busy]", "--memory", "1M")
    assert result.exit_code in (2, 3)


def test_from_python(tmp_path):
    (tmp_path / "open.parts").write_text(OPEN)
    system = pigro.load(tmp_path / "open.parts")
    verdict = compose_check(system, "A [F G o]")
    assert verdict.holds is None
    assert verdict.details.depends
    assert [each.holds for each in verdict.evidence.ways] == [False, True]
    concrete = compose_check(pigro.load(HANDSHAKE), "E [G F busy]")
    assert concrete.evidence.run.states == ((0, 0), (1, 1), (2, 2))
    assert concrete.stats.states <= 5


@pytest.mark.parametrize("formula", ["AG (request -> busy)", "G (request -> busy)"])
def test_a_report_shows_the_run(run, formula):
    assert run("check", HANDSHAKE, formula, "--html", "why.html").exit_code == 1
    assert "client=asking, server=noticed" in Path("why.html").read_text("utf-8")
