"""JSON schemas are made from types. Documents that commands write fit them, and damaged ones do not."""

from __future__ import annotations

import json
import runpy
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from random import Random

import jsonschema
import pytest

from pigro.cli.main import cli

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
SERVER, WALK, DATAFLOW = (str(EXAMPLES / f"{each}.rsm") for each in ("server", "walk", "dataflow"))
HANDSHAKE = str(EXAMPLES / "handshake.parts")
TOOL = runpy.run_path(str(ROOT / "tools" / "schemas.py"))
NAMES = list(TOOL["DOCUMENTS"])
CHECK = (
    "check",
    SERVER,
    "AG (request -> AX answer)",
    "EF request",
    "--witness",
    "--format",
    "json",
)
PROVE = ("check", SERVER, "EF request", "--certificate", "proofs", "--output", "told")
COMMANDS = {
    "result": [
        [(*CHECK, "--stats", "--verify")],
        [("check", DATAFLOW, "AG EF use_i", "--engine", "lazy", "--trace", "--format", "json")],
    ],
    "composition": [
        [("compose", HANDSHAKE, "--stats", "--witness", "--format", "json")],
        [("compose", HANDSHAKE, "--method", "refine", "--trace", "--format", "json")],
        [("compose", HANDSHAKE, "--method", "symbolic", "--format", "json")],
    ],
    "explanation": [
        [("explain", SERVER, "AG (request -> EF answer)", "--format", "json")],
        [("explain", SERVER, "AG (request -> EF answer)", "--at", "log:in", "--format", "json")],
        [("explain", WALK, "EX closed", "--at", "visit:leave", "--format", "json")],
        [("explain", str(EXAMPLES / "mutex.smv"), "EF two = critical", "--format", "json")],
        [("explain", DATAFLOW, "AG (def_i -> EF nowhere)", "--format", "json")],
        [("label", WALK, "EX closed", "--format", "json")],
    ],
    "automaton": [
        [("label", WALK, "EX closed", "--automaton", "-")],
        [("label", SERVER, "EF request", "--automaton", "out.json", "--semantics", "rmv")],
    ],
    "certificates": [
        [PROVE, ("validate-witness", SERVER, "proofs", "--format", "json")],
        [PROVE, ("validate-witness", SERVER, "proofs", "--check", "EF p", "--format", "json")],
    ],
    "validation": [
        [(*CHECK, "--output", "why"), ("validate-witness", SERVER, "why", "--format", "json")],
    ],
    "scan": [[("scan", str(EXAMPLES / "leak.py"), "--format", "json")]],
    "model": [[("convert", SERVER, "out.json")], [("convert", WALK, "out.json")]],
}
CASES = [(name, commands) for name, all_of in COMMANDS.items() for commands in all_of]


def validator(name):
    schema = json.loads(files("pigro.schemas").joinpath(f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", NAMES)
def test_files_are_those_that_types_make(name):
    text = files("pigro.schemas").joinpath(f"{name}.schema.json").read_text("utf-8")
    assert text == TOOL["text"](name), "run `make schemas`"


def test_every_schema_has_a_place_in_the_documentation():
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    for name in NAMES:
        assert f"`{name}`" in page


def written(commands, capfd):
    for each in commands:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main([*each], prog_name="pigro")
        assert ended.value.code in {0, 1}
    out = Path("out.json")
    return json.loads(out.read_text("utf-8") if out.exists() else capfd.readouterr().out)


@pytest.mark.parametrize("name, commands", CASES)
def test_outputs_fit_and_damaged_ones_do_not(name, commands, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    document = written(commands, capfd)
    check = validator(name)
    check.validate(document)
    rng, places = Random(7), [each for each in objects(document) if not is_open(each)]
    for _ in range(60):
        spoiled = deepcopy(document)
        at = reached(spoiled, rng.choice(places))
        at["no such field"] = 1
        assert not check.is_valid(spoiled)
        spoiled = deepcopy(document)
        at = reached(spoiled, rng.choice(places))
        key = rng.choice(list(at))
        at[key] = {"wrong": "type"}
        assert not check.is_valid(spoiled), key


def objects(whole, path=()):
    """The places of all objects in a document."""
    if isinstance(whole, dict):
        yield path
    if isinstance(whole, (dict, list)):
        inside = whole.items() if isinstance(whole, dict) else enumerate(whole)
        for key, each in inside:
            yield from objects(each, (*path, key))


def is_open(path):
    """Whether it is inside evidence in results, which has a schema of its own."""
    return "evidence" in path


def reached(whole, path):
    for key in path:
        whole = whole[key]
    return whole


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["results"][0].update(formula=""),
        lambda d: d["results"][0].update(verdict="maybe"),
        lambda d: d["results"][0].update(seconds=-1),
        lambda d: d["results"][0].update(contexts=-1),
        lambda d: d["results"][0].update(initial=[]),
        lambda d: d["results"][0].pop("states"),
        lambda d: d["results"][0]["evidence"].pop("schema"),
        lambda d: d["model"].update(initial=[]),
        lambda d: d["model"].pop("statistics"),
        lambda d: d["model"]["statistics"].pop("recursive"),
        lambda d: d.update(schema="pigro.result/1"),
        lambda d: d.update(warnings=[""]),
        lambda d: d.pop("tables"),
        lambda d: d["tables"]["stacks"].append(None),
        lambda d: d["tables"].update(stacks=[[0, 1]]),
    ],
)
def test_what_only_the_schema_of_results_asks(change, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    document = written([(*CHECK, "--stats")], capfd)
    change(document)
    assert not validator("result").is_valid(document)
