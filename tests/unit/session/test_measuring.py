"""Engines by turns: which runs count."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import pigro
from pigro.limits import Limits
from pigro.session import measuring
from pigro.session.asking import ask
from pigro.session.measuring import MeasuredRun, cells, disagreements, engines_for, measure
from pigro.session.prepare import prepare
from pigro.session.request import Request


@pytest.fixture
def question():
    model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
    return prepare(Request(model, ("EF p", "AG p")))


def measured(question, repeat):
    engines, _ = engines_for(question, ["demand", "exhaustive"])
    return list(measure(question, engines, repeat, Limits()))


def test_the_first_run_warms_up_unless_it_is_the_only_one(question):
    assert {run.repetition for run in measured(question, 1)} == {0}
    runs = measured(question, 3)
    assert {run.repetition for run in runs} == {0, 1, 2, 3}
    found = cells(runs)
    assert [(each.formula, each.engine, each.outcome) for each in found] == [
        ("EF p", "demand", "holds"),
        ("EF p", "exhaustive", "holds"),
        ("AG p", "demand", "fails"),
        ("AG p", "exhaustive", "fails"),
    ]
    assert all(len(each.seconds) == 3 for each in found)


def test_a_slow_engine_is_run_once(question, monkeypatch):
    def slow(asked):
        outcome = ask(asked)
        if asked.engine.name == "demand":
            return outcome
        verdicts = [
            replace(each, stats=replace(each.stats, seconds=4.0)) for each in outcome.verdicts
        ]
        return replace(outcome, verdicts=tuple(verdicts))

    monkeypatch.setattr(measuring, "ask", slow)
    found = cells(measured(question, 4))
    assert {(each.engine, len(each.seconds)) for each in found} == {
        ("demand", 4),
        ("exhaustive", 1),
    }


def test_an_unknown_verdict_contradicts_nobody():
    runs = [
        MeasuredRun("p", name, 0, said, 1.0, None)
        for name, said in (("a", "holds"), ("b", "unknown"))
    ]
    assert list(disagreements(cells(runs))) == []
    other = MeasuredRun("p", "c", 0, "fails", 1.0, None)
    assert list(disagreements(cells([*runs, other]))) == ["p: a says holds, c says fails"]
