"""`pigro compose --refines`: yes with a relation, no with a game, in text and JSON."""

import json
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro import CheckError, PartBuilder, simulates

ROOT = Path(__file__).resolve().parents[3]
HANDSHAKE = str(ROOT / "examples" / "handshake.parts")
VENDING = str(ROOT / "examples" / "vending.parts")
SCHEMA = json.loads(
    (Path(pigro.__file__).parent / "schemas" / "refinement.schema.json").read_bytes()
)
BUSY = """
part client
  labels request, happy
  state idle { happy } initial
  state asking { request }
  idle -> idle, asking
  asking -> asking

part server
  labels request, busy
  state free {} initial
  state working { request, busy }
  free -> free, working
  working -> free, working
"""


@pytest.fixture
def busy(run, tmp_path):
    (tmp_path / "busy.parts").write_text(BUSY)
    return "busy.parts"


def test_parts_refine_themselves(run):
    result = run("compose", "--refines", HANDSHAKE, HANDSHAKE)
    assert result.exit_code == 0
    first, *pairs = result.stdout.splitlines()
    assert (
        first
        == "holds    the concrete parts refine the abstract ones: 3 pairs in a mixed simulation"
    )
    assert pairs[0] == "         client=idle, server=free for client=idle, server=free"


def test_an_assumption_abstracts_its_parts(run):
    options = (
        "--check",
        "AG !(busy & happy)",
        "--method",
        "refine",
        "--save-assumption",
        "a.parts",
    )
    run("compose", HANDSHAKE, *options)
    assert run("compose", "--refines", "a.parts", HANDSHAKE).exit_code == 0
    assert run("compose", "--refines", HANDSHAKE, "a.parts").exit_code == 1


def test_a_game_shows_why_not(run, busy):
    result = run("compose", "--refines", busy, HANDSHAKE)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:3] == [
        "fails    the concrete parts do not refine the abstract ones: a game of 4 positions shows it",
        "           1  start: the concrete initial state client=idle, server=free; answers lead to 2",
        "           2  client=idle, server=free for client=idle, server=free: "
        "the concrete step to client=asking, server=noticed; answers lead to 3, 4",
    ]
    assert "busy is false in the concrete state, true in the abstract one" in result.stdout


@pytest.mark.parametrize(("abstract", "refines"), [(HANDSHAKE, True), ("busy.parts", False)])
def test_json(run, busy, abstract, refines):
    result = run(
        "compose", "--refines", abstract, HANDSHAKE, "--format", "json", "--output", "o.json"
    )
    assert result.exit_code == (0 if refines else 1)
    told = json.loads(Path("o.json").read_bytes())
    jsonschema.validate(told, SCHEMA)
    assert told["refines"] is refines
    assert bool(told["relation"]) is refines
    assert bool(told["game"]) is not refines


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((HANDSHAKE, "--check", "EF busy"), 2, "--refines and --check don't go together"),
        ((HANDSHAKE, "--stats"), 2, "--refines and --stats don't go together"),
        ((VENDING,), 2, 'the concrete parts have the label "busy", and the abstract ones do not'),
        (("nowhere.parts",), 2, "can't read nowhere.parts"),
        ((HANDSHAKE, "--timeout", "1ns"), 2, "duration"),
    ],
)
def test_refused(run, arguments, code, told):
    result = run("compose", "--refines", arguments[0], HANDSHAKE, *arguments[1:])
    assert result.exit_code == code
    assert told in result.stderr


def test_from_python():
    one = PartBuilder("one", actions=["a"]).state("x", initial=True).step("x", "x", "a").build()
    two = PartBuilder("two", actions=["a"]).state("x", initial=True).build()
    assert simulates(one, one).relation
    (start, first), (pair, second) = simulates(one, two).game
    assert (start, first.kind) == (None, "concrete step")
    assert (pair, second.kind, second.action, second.answers) == (
        ((0,), (0,)),
        "abstract step",
        "a",
        (),
    )
    other = PartBuilder("other", actions=["b"]).state("x", initial=True).build()
    with pytest.raises(CheckError, match='the abstract parts have the action "a"'):
        simulates(one, other)
