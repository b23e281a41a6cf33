"""Documents of refinements are judged: right ones, and spoiled ones."""

import copy
import json

import pytest
from click.testing import CliRunner

from pigro.cli.main import cli
from pigro.diagnostics import InputError
from pigro.session.validating import validate

ABSTRACT = """
part server
  labels request, busy
  state free     {}          initial
  state working  { request, busy? }
  free    ~> free, working
  working ~> working, free
"""
CONCRETE = """
part server
  labels request, busy
  state free     {}          initial
  state noticed  { request }
  state working  { request, busy }
  free    -> free, noticed
  noticed -> working
  working -> free
"""
OTHER = """
part server
  labels request, busy
  state free     {}          initial
  state working  { request, busy }
  free    -> working
  working -> working
"""
LOOP = """
part loop
  labels p
  state s {} initial
  s -> s
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """An abstract system and a concrete one."""
    folder = tmp_path_factory.mktemp("refinements")
    for name, text in {
        "abstract": ABSTRACT,
        "concrete": CONCRETE,
        "other": OTHER,
        "loop": LOOP,
    }.items():
        (folder / f"{name}.parts").write_text(text)
    return str(folder / "abstract.parts"), str(folder / "concrete.parts")


@pytest.fixture(scope="module")
def others(files):
    """One that is no abstraction of the concrete system."""
    return files[1].replace("concrete", "other"), files[1]


def told(abstract, concrete):
    """The document that the command writes."""
    words = ["compose", "--refines", abstract, concrete, "--format", "json"]
    return json.loads(CliRunner().invoke(cli, words, prog_name="pigro").stdout)


def problem(sides, document):
    """What is wrong with it."""
    (found,) = validate(sides, json.dumps(document).encode()).findings
    return found.problem


def test_right_ones(files, others):
    found = told(*files)
    assert found["refines"]
    assert problem(files, found) is None
    refuted = told(*others)
    assert not refuted["refines"]
    assert {each["kind"] for each in refuted["game"]} >= {"label"}
    assert problem(others, refuted) is None


RELATIONS = {
    "no pair": lambda it: it["relation"].clear(),
    "a pair less": lambda it: it["relation"].pop(),
    "a label that differs": lambda it: it["relation"].append(
        {"concrete": ["working"], "abstract": ["free"]}
    ),
    "no such state": lambda it: it["relation"].append({"concrete": ["x"], "abstract": ["free"]}),
    "more parts": lambda it: it["relation"].append(
        {"concrete": ["free"] * 2, "abstract": ["free"]}
    ),
    "the contrary": lambda it: it.update(refines=False),
}


@pytest.mark.parametrize("name", RELATIONS)
def test_spoiled_relations(files, name):
    document = copy.deepcopy(told(*files))
    RELATIONS[name](document)
    assert problem(files, document) is not None


GAMES = {
    "no position": lambda it: it["game"].clear(),
    "another start": lambda it: it["game"].pop(0),
    "the contrary": lambda it: it.update(refines=True),
    "an answer less": lambda it: next(p for p in it["game"] if p["answers"])["answers"].pop(),
    "an answer that is not there": lambda it: it["game"][0].update(answers=[99]),
    "a step that is not there": lambda it: it["game"][0].update(target=["working"]),
    "another label": lambda it: next(p for p in it["game"] if p["label"]).update(label="nope"),
    "another value": lambda it: next(p for p in it["game"] if p["label"]).update(
        concrete_value="true", abstract_value="true"
    ),
}


@pytest.mark.parametrize("name", GAMES)
def test_spoiled_games(others, name):
    document = copy.deepcopy(told(*others))
    GAMES[name](document)
    assert problem(others, document) is not None


def test_a_game_that_rests_on_itself(files):
    loop = files[1].replace("concrete", "loop")
    document = told(loop, loop)
    step = {"kind": "concrete step", "target": ["s"], "action": None, "answers": [1]}
    step |= {"label": None, "concrete_value": None, "abstract_value": None}
    pair = {"concrete": ["s"], "abstract": ["s"]}
    document |= {
        "refines": False,
        "relation": [],
        "game": [step | {"pair": None}, step | {"pair": pair}],
    }
    assert problem((loop, loop), document) == "a position of the game rests on itself"


def test_other_parts(files):
    document = told(*files)
    with pytest.raises(InputError, match="P502: .*about abstract parts"):
        validate([files[0]], json.dumps(document).encode())
    document["abstract_parts"] = ["client"]
    with pytest.raises(InputError, match="P502: .*about other parts"):
        validate(files, json.dumps(document).encode())
