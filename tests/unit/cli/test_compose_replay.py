"""Evidence of `pigro compose`, and its validation."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from pigro.engines.game.checking import decide

from support.samples.compose_examples import (
    EXAMPLES,
    HANDSHAKE,
    HOLDS,
    OPEN,
    SCHEMA,
    VENDING,
)

SYMBOLIC = {
    **dict.fromkeys(("variables", "nodes", "rounds_alone", "rounds"), 0),
    "alone": [],
    "second_step": False,
    "package": "autoref",
}


def test_witness_as_text(run):
    result = run("compose", HANDSHAKE, "--check", HOLDS, "--witness")
    assert "as this run shows:" in result.stdout
    assert "run shows" not in run("compose", HANDSHAKE, "--check", HOLDS).stdout


@pytest.mark.parametrize("method", ["concrete", "refine", "refine-one", "full"])
@pytest.mark.parametrize("file", [HANDSHAKE, VENDING], ids=["handshake", "vending"])
def test_replay(run, file, method):
    args = ("compose", file, "--witness", "--format", "json", "--output", "why.json")
    assert run(*args, "--method", method).exit_code == 1
    document = json.loads(Path("why.json").read_bytes())
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert all(each["evidence"]["schema"] == "pigro.strategy/1" for each in document["results"])
    result = run("validate-witness", file, "why.json")
    assert result.exit_code == 0
    told = [line.split()[:2] for line in result.stdout.splitlines()]
    assert told[: len(document["results"])] == [
        ["accepted", each["verdict"]] for each in document["results"]
    ]
    refined = method.startswith("refine")
    assert result.stdout.count("not judged  rounds of refinement") == refined
    assert len(told) == len(document["results"]) + refined


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "guess"}, "there is no such method"),
        ({"method": "symbolic"}, "only the symbolic method has diagrams"),
        ({"symbolic": SYMBOLIC}, "only the symbolic method has diagrams"),
        ({"decided_by": ["client"]}, "the evidence needs other parts"),
        ({"decided_by": ["server", "client"]}, "these are not parts"),
        ({"decided_by": []}, "these are not parts"),
        ({"formula": "AG ((request -> busy))"}, "the evidence is for another formula"),
    ],
)
def test_replay_judges_all_that_results_say(run, change, words):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    document["results"][3].update(change)
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert result.exit_code == 1
    formula = document["results"][3]["formula"]
    assert f"rejected  fails  {formula}\n          {words}" in result.stdout
    document["results"][3]["evidence"]["formula"] = "AG ((request -> busy))"
    Path("why.json").write_text(json.dumps(document))
    if words != "the evidence is for another formula":
        assert "another formula" in run("validate-witness", HANDSHAKE, "why.json").stdout


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        (["client"], "the evidence needs other parts"),
        (["client", "nobody"], "these are not parts"),
        ([], "these are not parts"),
    ],
)
def test_replay_judges_which_parts_decided_a_run(run, parts, words):
    run(
        *("compose", HANDSHAKE, "--check", "G (request -> busy)", "--witness"),
        *("--format", "json", "--output", "why.json"),
    )
    document = json.loads(Path("why.json").read_bytes())
    assert run("validate-witness", HANDSHAKE, "why.json").exit_code == 0
    document["results"][0]["decided_by"] = parts
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert (result.exit_code, words in result.stdout) == (1, True)


@pytest.mark.parametrize("at, value", [(0, "holds"), (0, "fails"), (2, "holds")])
def test_replay_judges_the_values_of_games(run, at, value):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    layers = document["results"][3]["layers"]
    assert [each["value"] for each in layers] == ["unknown", "unknown", "fails"]
    layers[at]["value"] = value
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert result.exit_code == 1
    assert "a game has a value that is not shown" in result.stdout


def test_replay_of_wrong_evidence(run):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    first, second, third, fourth = document["results"]
    first["verdict"] = "fails"
    second["evidence"]["layers"][0]["claims"].pop()
    fourth["formula"] = "true"
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    words = [line.split()[0] for line in result.stdout.splitlines() if line[0] != " "]
    assert (result.exit_code, words) == (1, ["rejected", "rejected", "accepted", "rejected"])
    assert "the evidence is for another formula or verdict than the result" in result.stdout
    Path("one.json").write_text(json.dumps(third["evidence"]))
    assert run("validate-witness", HANDSHAKE, "one.json").exit_code == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("[", "P503"),
        ("{}", "P503"),
        ('{"results": [{"evidence": 1}]}', "P503"),
        ("[" * 9**5, "P503"),
    ],
    ids=range(4),
)
def test_replay_of_no_evidence(run, content, code):
    Path("why.json").write_text(content)
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[{code}]")


def test_replay_with_other_parts(run):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    assert run("validate-witness", VENDING, "why.json").stderr.startswith("error[P502]")
    assert run("validate-witness", "no.parts", "why.json").stderr.startswith("error[P001]")
    result = run("validate-witness", str(EXAMPLES / "mutex.smv"), "why.json")
    assert result.stderr.startswith("error[P502]: ")


def test_replay_tells_what_has_no_evidence(run):
    Path("open.parts").write_text(OPEN)
    checks = ("--check", "true", "--check", "AG p")
    run("compose", "open.parts", *checks, "--witness", "--format", "json", "--output", "why.json")
    result = run("validate-witness", "open.parts", "why.json")
    assert (result.exit_code, result.stdout) == (
        0,
        "accepted  holds  true\nno evidence  unknown  AG p\n",
    )
    document = json.loads(Path("why.json").read_bytes())
    document["results"][1]["verdict"] = "fails"
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", "open.parts", "why.json")
    assert (result.exit_code, result.stdout.splitlines()[1]) == (1, "no evidence  fails  AG p")


@pytest.mark.parametrize(
    ("field", "value", "code", "words"),
    [
        ("dead_ends", "stop", 1, "the evidence reads dead ends as stutter, the results do not"),
        ("schema", "pigro.result/1", 2, "error[P503]: no evidence here: this is pigro.result/1"),
        ("parts", [], 2, "error[P502]: the results are about other parts"),
        ("results", [{"formula": "true"}], 2, "error[P503]: no evidence here: Object missing"),
        ("results", [], 2, "no result has evidence"),
        ("proof", "none", 2, "unknown field"),
    ],
)
def test_replay_of_results_that_were_changed(run, field, value, code, words):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes()) | {field: value}
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert result.exit_code == code
    assert words in result.stdout + result.stderr


def test_sentences_sizes_and_times_are_not_judged(run):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    as_written = run("validate-witness", HANDSHAKE, "why.json").stdout
    document = json.loads(Path("why.json").read_bytes())
    document |= {"composed_states": 7, "warnings": ["1 label is seen by no part"]}
    for row in document["results"]:
        row |= {"reason": "because", "full_nodes": 1, "seconds": 7.0}
    Path("why.json").write_text(json.dumps(document))
    result = run("validate-witness", HANDSHAKE, "why.json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, as_written, "")


def test_evidence_beyond_the_limits_is_missed(run, monkeypatch):
    def bare(*args, witness, **options):
        return decide(*args, **options)

    monkeypatch.setattr("pigro.engines.game.checking.decide", bare)
    result = run("compose", HANDSHAKE, "--witness")
    assert result.stderr == (
        "warning: 4 verdicts have no evidence: to find it took more than the limits\n"
    )
