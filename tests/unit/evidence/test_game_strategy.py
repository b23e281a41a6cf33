"""Strategies for the mu-calculus on models: their documents, and each rule of the checker."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import pigro
from pigro.certificates import Mismatch
from pigro.diagnostics import InputError
from pigro.evidence import WrongEvidence, replay_game
from pigro.evidence.data import NotEvidence

from support.evidence.documents import document_of, read
from support.judges.game_strategies import (
    cases,
    claims_of,
    faults,
    made,
    problem,
    spoiled,
    strategy_for,
)
from support.selection.cases import number_of_cases

EACH = number_of_cases("PIGRO_GAME_STRATEGIES", 20, least=4)
"""Strategies that break a rule."""

SERVER = """Rules:

start # -> run serve #;
run serve -> run work again;
run again -> run serve;
run work -> run granted;
run work -> run work more;
run more -> run _;
run granted -> run _;

Propositions:

run granted granted;
"""
HOLDS = "nu X. mu Y. <> (granted & X | Y)"
FAILS = "nu X. mu Y. [] (granted & X | Y)"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "server.pds"
    path.write_text(SERVER)
    return path


@pytest.fixture
def model(file):
    return pigro.load(file)


def replayed(model, data):
    shown = read(model, data)
    replay_game(shown.subject, shown.evidence)


@pytest.mark.parametrize(("asked", "holds"), [(HOLDS, True), (FAILS, False)])
def test_a_strategy_goes_to_a_document_and_back(model, file, asked, holds):
    verdict = pigro.check(model, asked, witness=True)
    assert verdict.holds is holds
    data = document_of(verdict)
    shown = read(model, data)
    started, strategy = shown.subject, shown.evidence
    assert strategy == verdict.evidence
    replay_game(started, strategy)
    found = pigro.validate(file, data)
    assert [each.word for each in found.findings] == ["accepted"]


def test_a_strategy_has_what_callers_promise(model):
    strategy = strategy_for(model, HOLDS)
    [work] = [frame for frame in strategy.frames if frame.promises]
    assert model.names.components[work.component] == "work"
    [promise] = work.promises
    assert model.node_name(promise.exit) == "work:granted"
    assert promise.seen == 2, "X was met inside of the call"


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"formula": "<a> true"}, "its formula names actions"),
        ({"formula": "AG ("}, "its formula can't be read"),
        ({"formula": "A G F p"}, "its formula can't be read"),
        ({"claims": [[0, 0, 0]]}, "length >= 4"),
        ({"claims": [[0, 0, 0, -1]]}, ">= 0"),
        ({"tables": None}, "tables"),
    ],
)
def test_values_that_are_no_document(model, changed, what):
    verdict = pigro.check(model, HOLDS, witness=True)
    told = json.loads(document_of(verdict)) | changed
    with pytest.raises(NotEvidence, match=what):
        read(model, json.dumps(told).encode())


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"initial": [99]}, "initial nodes"),
        ({"initial": [0, 0]}, "named twice"),
        ({"subformulas": []}, "other subformulas"),
        ({"starts": [99]}, "W9"),
        ({"verdict": "fails"}, "W"),
    ],
)
def test_what_is_wrong(model, changed, what):
    verdict = pigro.check(model, HOLDS, witness=True)
    told = json.loads(document_of(verdict)) | changed
    with pytest.raises(WrongEvidence, match=what):
        replayed(model, json.dumps(told).encode())


def test_texts_and_nodes_are_those_of_the_model(model):
    verdict = pigro.check(model, HOLDS, witness=True)
    told = json.loads(document_of(verdict))
    told["subformulas"][0]["text"] = "Z"
    with pytest.raises(WrongEvidence, match="the text of a subformula"):
        read(model, json.dumps(told).encode())
    told = json.loads(document_of(verdict))
    told["tables"]["nodes"].pop()
    with pytest.raises(WrongEvidence, match="not in the tables"):
        read(model, json.dumps(told).encode())
    told = json.loads(document_of(verdict))
    told["frames"][1]["component"] = "\x1b[31m"
    with pytest.raises(WrongEvidence, match=r"there is no component '\\\\x1b"):
        read(model, json.dumps(told).encode())


def test_another_model(model, tmp_path):
    verdict = pigro.check(model, HOLDS, witness=True)
    data = document_of(verdict)
    other = tmp_path / "other.pds"
    other.write_text(SERVER.replace("run more -> run _;", "run more -> run granted;"))
    with pytest.raises(Mismatch):
        read(pigro.load(other), data)
    with pytest.raises(InputError, match="another model"):
        pigro.validate(other, data)


@cache
def broken_alone():
    """Of each rule, strategies that break this one only, with their models."""
    rng = Random(1)
    found = {f"W{number}": [] for number in range(1, 10)}
    for seed in range(2000):
        for _, model, _, strategy in cases(seed):
            for _ in range(30):
                one = spoiled(rng, model, strategy)
                broken = faults(model, one)
                if len(broken) == 1 and len(found[min(broken)]) < EACH:
                    found[min(broken)].append((model, one))
        if all(len(each) == EACH for each in found.values()):
            break
    return found


@pytest.mark.random
@pytest.mark.parametrize("rule", [f"W{number}" for number in range(1, 10)])
def test_a_strategy_that_breaks_one_rule_only_is_rejected(rule):
    """So a checker that forgets a rule is noticed."""
    spoils = broken_alone()[rule]
    assert len(spoils) == EACH
    for model, strategy in spoils:
        assert problem(model, strategy).startswith(f"the strategy breaks a rule: {rule} at ")


def test_promises_that_are_not_kept(model):
    strategy = strategy_for(model, HOLDS)
    frames = [replace(frame, promises=()) for frame in strategy.frames]
    assert faults(model, replace(strategy, frames=tuple(frames))) == {"W3", "W7"}
    assert "W3" in problem(model, replace(strategy, frames=tuple(frames)))


def test_each_initial_node_needs_a_start():
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"a": ["p"]}, initial="a")
    model = model.with_initial([model.find("kripke:a"), model.find("kripke:b")])
    strategy = strategy_for(model, "nu X. <> X")
    assert len(strategy.starts) == 2
    for start in strategy.starts:
        assert "W9" in problem(model, replace(strategy, starts=(start,)))
    fails = strategy_for(model, "nu X. p & [] X")
    assert len(fails.starts) == 1
    assert problem(model, fails) is None
    assert "W9" in problem(model, replace(fails, starts=()))


def test_nothing_was_seen_at_the_bottom(model):
    """No claim rests on the start of this formula, so only W1 tells."""
    strategy = strategy_for(model, "<> mu Y. (granted | <> Y)")
    [start] = strategy.starts
    claims = claims_of(strategy)
    assert all(start not in claim.rests for claim in claims)
    claims[start] = claims[start]._replace(seen=1)
    assert faults(model, made(strategy, claims)) == {"W1"}
    assert "W1" in problem(model, made(strategy, claims))


def test_a_circle_of_the_wrong_priority():
    """Without calls `seen` is 0, so only the priority tells the fixpoints apart."""
    loop = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    strategy = replace(strategy_for(loop, "nu X. <> X"), formula=pigro.parse("mu X. <> X"))
    assert "W8" in problem(loop, strategy)
