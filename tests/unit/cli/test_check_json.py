"""`--format json` is what its schema says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import pigro

SCHEMA = json.loads((Path(pigro.__file__).parent / "schemas" / "result.schema.json").read_bytes())


def valid(text):
    document = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_plain(run, app):
    document = valid(run("check", app, "E F use", "AF done", "--format", "json").stdout)
    assert list(document) == ["schema", "model", "results", "warnings"]
    assert document["schema"] == "pigro.result/2"
    assert document["model"] == {
        "file": "app.rsm",
        "semantics": "standard",
        "dead_ends": "stutter",
        "initial": ["main:start"],
    }
    for result in document["results"]:
        assert result.pop("seconds") > 0
        assert result.pop("contexts") > 0
    assert document["results"] == [
        {
            "formula": "EF use",
            "verdict": "holds",
            "reason": "a state with use is reachable",
            "engine": "demand",
        },
        {
            "formula": "AF done",
            "verdict": "fails",
            "reason": "some run never reaches done",
            "engine": "demand",
        },
    ]


def test_statistics(run, app):
    document = valid(run("check", app, "EF use", "--format", "json", "--stats").stdout)
    assert document["model"]["statistics"]["components"] == 2
    assert document["model"]["statistics"]["recursive"] is True
    assert document["model"]["load_seconds"] > 0
    counts = {key: document["results"][0][key] for key in ("contexts", "visited", "passes")}
    assert counts == {"contexts": 1, "visited": 6, "passes": 0}


@pytest.mark.parametrize("options", [[], ["--stats"], ["--semantics", "rsmcheck"]])
def test_unknown_and_interrupted_are_valid_too(run, app, engine, options):
    engine(MemoryError(), None, KeyboardInterrupt())
    found = run("check", app, "EF use", "EF zebra", "EF use", "--format", "json", *options)
    document = valid(found.stdout)
    assert [each["verdict"] for each in document["results"]] == ["unknown", "fails"]
    assert document["results"][0]["contexts"] is None
    assert len(document["warnings"]) == 2


def test_formulas_are_never_shortened(run, app):
    long = " & ".join(["EF use"] * 3000)
    document = valid(run("check", app, long, "--format", "json").stdout)
    assert document["results"][0]["formula"] == long


def test_an_input_error_writes_nothing(run, app):
    assert run("check", app, "EF (", "--format", "json").stdout == ""
