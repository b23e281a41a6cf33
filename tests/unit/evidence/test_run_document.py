"""Evidence of runs as a document: there and back, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path as File

import jsonschema
import pytest

import pigro
from pigro.certificates import Mismatch
from pigro.engines.onthefly import ONTHEFLY
from pigro.engines.onthefly.recheck import decider
from pigro.evidence import WrongEvidence, replay_run
from pigro.evidence.data import NotEvidence
from pigro.logic import parse

from support.evidence.documents import document_of, head_of, read

HOME = File(pigro.__file__).parent / "schemas"
SCHEMA = json.loads((HOME / "run.schema.json").read_text("utf-8"))
OTHER = json.loads((HOME / "evidence.schema.json").read_text("utf-8"))
FORMULAS = [
    "G F p",
    "F p",
    "E [G F p & G F q]",
    "A [F G q] | E [G F p] & !q",
    "G (p -> X !E [G F p])",
    "X X !p",
]


@pytest.fixture(params=["stutter", "stop"])
def model(request):
    after = {"a": ["b"], "b": ["a", "c"], "c": []}
    labels = {"a": ["p"], "c": ["q"]}
    return pigro.kripke(after, labels=labels, initial=["a", "b"], dead_ends=request.param)


def show(model, text):
    return replace(ONTHEFLY, show=True)(model, parse(text))


def data_of(model, text="G (p -> X !E [G F p])"):
    verdict = show(model, text)
    return json.loads(document_of(verdict))


def read_back(model, data):
    head_of(json.dumps(data).encode(), "run")
    return read(model, json.dumps(data).encode())


@pytest.mark.parametrize("text", FORMULAS)
def test_there_and_back(model, text):
    verdict = show(model, text)
    data = document_of(verdict)
    jsonschema.validate(json.loads(data), SCHEMA)
    head = head_of(data, "run")
    assert (head.formula, head.verdict) == (str(parse(text)), verdict.outcome)
    assert (head.semantics, head.dead_ends, head.depth) == ("standard", str(model.dead_ends), None)
    shown = read(model.with_initial([model.initial[0]]), data)
    started, formula, evidence = shown.subject, shown.formula, shown.evidence
    assert (started.initial, formula, evidence) == (model.initial, parse(text), verdict.evidence)
    replay_run(started, formula, verdict.holds, evidence, decider(model, formula))


def test_facts_are_told():
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"a": ["p"]}, initial="a")
    data = data_of(model)
    [fact] = data["evidence"][0]["facts"]
    assert (fact["formula"], fact["truths"]) == ("E [G F p]", [None, True])


def test_both_schemas_say_the_same_of_states(model):
    for name in ("TablesData", "NodeRow", "BoxRow", "SourcePlaceData"):
        assert SCHEMA["$defs"][name] == OTHER["$defs"][name]
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda d: d.update(schema="pigro.evidence/2"), "Invalid enum value"),
        (lambda d: d.update(schema="pigro.run/1"), "Invalid enum value"),
        (lambda d: d.pop("depth"), "missing required field"),
        (lambda d: d.update(depth=-1), "Expected `int` >= 0"),
        (lambda d: d.update(depth=2**31), "Expected `int` <="),
        (lambda d: d.update(more=1), "unknown field"),
        (lambda d: d.update(verdict="unknown"), "Invalid enum value"),
        (lambda d: d.update(dead_ends="explode"), "Invalid enum value"),
        (lambda d: d.update(formula="G F"), "its formula can't be read"),
        (lambda d: d.pop("tables"), "a part of results"),
        (lambda d: d["evidence"][0].pop("facts"), "required field `facts`"),
        (lambda d: d["evidence"][0].update(truth=1), "Expected `bool`"),
        (lambda d: d["evidence"][0].update(node="a"), "Expected `int`"),
        (lambda d: d["evidence"].append(d["evidence"][0]), "not a tree"),
    ],
)
def test_no_evidence(model, change, problem):
    data = data_of(model)
    change(data)
    with pytest.raises(NotEvidence, match=problem):
        read_back(model, data)


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda d: d.update(initial=[]), "initial nodes"),
        (lambda d: d.update(initial=[99]), "initial nodes"),
        (lambda d: d["evidence"][0].update(part=99), "a subformula is not there"),
        (lambda d: d["evidence"][0].update(part=-1), "a subformula is not there"),
        (lambda d: d["evidence"][0].update(formula="G p"), "the text of a subformula"),
        (
            lambda d: d["evidence"][0]["facts"][0].update(formula="E [G F q]"),
            "the text of a subformula",
        ),
        (lambda d: d["evidence"][0]["facts"][0].update(part=99), "a subformula is not there"),
        (lambda d: d["evidence"][0].update(node=99), "not in the tables"),
        (lambda d: d["evidence"][0].update(stack=1), "not in the tables"),
        (lambda d: d["tables"]["nodes"][0].update(name="kripke:b"), "the name or the labels"),
        (lambda d: d["tables"]["nodes"][1].update(labels=["q"]), "the name or the labels"),
    ],
)
def test_wrong_evidence(model, change, problem):
    data = data_of(model)
    change(data)
    with pytest.raises(WrongEvidence, match=problem):
        read_back(model, data)


def test_another_model(model):
    other = pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    with pytest.raises(Mismatch, match="another model"):
        read_back(other, data_of(model))


def test_one_kind_is_not_the_other(model):
    with pytest.raises(NotEvidence):
        head_of(json.dumps(data_of(model)).encode(), "tree")
    verdict = pigro.check(model, "AG EF p", certify=True)
    data = document_of(verdict)
    jsonschema.validate(json.loads(data), OTHER)
    with pytest.raises(NotEvidence):
        head_of(data, "run")
    with pytest.raises(NotEvidence):
        head_of(b"[" * 100_000, "run")
    with pytest.raises(NotEvidence):
        head_of(b"\xff", "run")


def test_facts_do_not_belong_to_ctl(model):
    verdict = pigro.check(model, "AG EF p", certify=True)
    data = json.loads(document_of(verdict))
    data["evidence"][0]["facts"] = []
    with pytest.raises(NotEvidence, match="unknown field `facts`"):
        read(model, json.dumps(data).encode())


def test_a_depth_is_told():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("in", labels=["p"])
    main.edge("in", main.box("b", calls="main").call("in"))
    made = model.build(initial="main:in")
    verdict = replace(ONTHEFLY, show=True, depth=3)(made, parse("X X G p"))
    assert (verdict.holds, verdict.evidence) == (None, None)
    verdict = replace(ONTHEFLY, show=True, depth=3)(made, parse("X X !p & F p"))
    assert head_of(document_of(verdict)).depth == 3
