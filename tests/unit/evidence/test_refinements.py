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

WIDE = """
part one
  labels p, q
  state s {} initial
  state a { p }
  state b { q }
  s -> a | b
"""
SAME = """
part one
  labels p, q
  state s {} initial
  state a { p }
  state b { q }
  state c { q }
  s -> a | b | c
"""
NEITHER = """
part one
  labels p, q
  state s {} initial
  state a { p }
  state n {}
  s -> a | n
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
        "wide": WIDE,
        "same": SAME,
        "neither": NEITHER,
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


@pytest.fixture(scope="module")
def wide(files):
    """An abstract part with a hyper-step, and two others: one refines it, one does not."""
    return [files[0].replace("abstract", name) for name in ("wide", "same", "neither")]


def test_right_ones_with_hyper_steps(wide):
    abstract, same, neither = wide
    related, refuted = told(abstract, same), told(abstract, neither)
    assert (related["refines"], refuted["refines"]) == (True, False)
    assert problem((abstract, same), related) is None
    assert problem((abstract, neither), refuted) is None


WIDE_RELATIONS = {
    "a state of the hyper-step has no partner": lambda it: it["relation"].remove(
        {"concrete": ["c"], "abstract": ["b"]}
    ),
    "a pair whose labels differ": lambda it: it["relation"].append(
        {"concrete": ["c"], "abstract": ["a"]}
    ),
    "a pair with a step that is not there": lambda it: it["relation"].append(
        {"concrete": ["a"], "abstract": ["s"]}
    ),
    "no start": lambda it: it["relation"].remove({"concrete": ["s"], "abstract": ["s"]}),
    "no pair": lambda it: it["relation"].clear(),
    "the contrary": lambda it: it.update(refines=False),
}


@pytest.mark.parametrize("name", WIDE_RELATIONS)
def test_spoiled_relations_with_hyper_steps(wide, name):
    document = told(*wide[:2])
    WIDE_RELATIONS[name](document)
    assert problem(wide[:2], document) is not None


NONE = {"label": None, "concrete_value": None, "abstract_value": None, "action": None}


def position(pair, kind, target, answers, **more):
    return NONE | {"pair": pair, "kind": kind, "target": target, "answers": answers} | more


def differs(concrete, abstract, label, values):
    pair = {"concrete": [concrete], "abstract": [abstract]}
    here, there = values
    more = {"label": label, "concrete_value": here, "abstract_value": there}
    return position(pair, "label", None, [], **more)


def by_choice():
    """The game of `neither` by the hyper-step, in place of the concrete step to n."""
    start = {"concrete": ["s"], "abstract": ["s"]}
    return [
        position(None, "concrete step", ["s"], [1]),
        position(start, "abstract step", ["a"], [2], others=[["b"]]),
        position(start, "concrete choice", ["n"], [3, 4]),
        differs("n", "a", "p", ("false", "true")),
        differs("n", "b", "q", ("false", "true")),
    ]


def change(at, **fields):
    return lambda game: game[at].update(fields)


WIDE_GAMES = {
    "the hyper-step has one state less": change(1, others=[]),
    "a state twice": change(1, others=[["b"], ["b"]]),
    "a hyper-step that is not there": change(1, target=["s"]),
    "the choice is left out": change(1, answers=[]),
    "a state that the choice does not have": change(2, target=["s"]),
    "a state of the choice that has a partner": change(2, target=["a"]),
    "an answer to the choice is left out": change(2, answers=[3]),
    "an answer to the choice that is none": change(2, answers=[3, 4, 1]),
    "the choice of another pair": change(2, pair={"concrete": ["n"], "abstract": ["s"]}),
    "the choice with an action": change(2, action="go"),
    "the choice leads to several states": change(2, others=[["a"]]),
    "the choice in place of its pair": change(0, answers=[2]),
    "the choice instead of the start": change(0, kind="concrete choice"),
    "a choice that no step needs": lambda game: game.append(dict(game[2])),
    "a label that does not differ": change(3, label="q"),
    "another kind": change(1, kind="concrete step", others=[]),
}


@pytest.mark.parametrize("name", ["nothing", *WIDE_GAMES])
def test_spoiled_games_with_hyper_steps(wide, name):
    sides = wide[0], wide[2]
    document = told(*sides)
    document["game"] = by_choice()
    if name == "nothing":
        assert problem(sides, document) is None
        return
    WIDE_GAMES[name](document["game"])
    assert problem(sides, document) is not None
