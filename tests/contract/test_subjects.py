"""One table of subjects: printing a verdict, traces, reports and refusals are the same for all.

A subject that Pigro can check and that is not in the table makes a test fail. Add a row for it.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import pigro
from pigro.evidence.kinds import KINDS, kind_of
from pigro.model.kinds import Kind

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class Jugs:
    """Two jugs, of three and of five litres: states are made by a program."""

    initial = (0, 0)

    def successors(self, state):
        small, large = state
        pour, back = min(small, 5 - large), min(large, 3 - small)
        return [
            (3, large),
            (small, 5),
            (0, large),
            (small, 0),
            (small - pour, large + pour),
            (small + back, large - back),
        ]

    def labels(self, state):
        return ["four"] if state[1] == 4 else []


@dataclass(frozen=True)
class Row:
    """A subject, with formulas that one run shows to hold or fail, and one that none shows."""

    name: str
    kind: str
    """As `pigro.model.kinds` has it, or how states are made."""
    subject: Any
    runs: tuple[tuple[str, str], ...]
    """Formulas, and how their runs end."""
    claims: tuple[str, ...]
    last: str
    """The name of the last state of the first run."""


SUBJECTS = [
    Row(
        "model",
        "model",
        EXAMPLES / "server.rsm",
        (
            ("AG !request", "open"),
            ("AG (request -> AF answer)", "deeper"),
            ("G (request -> F answer)", "deeper"),
            ("nu X. !request & [] X", "open"),
        ),
        ("EF request & AG EF answer",),
        "serve:ask",
    ),
    Row(
        "smv",
        "model",
        EXAMPLES / "smv" / "elevator.smv",
        (("AG !(floor = 2)", "open"), ("G !(floor = 2)", "open")),
        (),
        "",
    ),
    Row(
        "parts",
        "composition",
        EXAMPLES / "handshake.parts",
        (
            ("AG (request -> busy)", "open"),
            ("G (request -> busy)", "open"),
            ("EF busy", "open"),
            ("E [G F busy]", "loop"),
        ),
        ("AG (busy -> AF !busy)",),
        "client=asking, server=noticed",
    ),
    Row(
        "object",
        "system",
        Jugs(),
        (("AG !four", "open"), ("F four", "loop"), ("EF four", "open")),
        ("AG EF four",),
        "(3, 4)",
    ),
    Row(
        "program",
        "program",
        f"{EXAMPLES / 'counter.py'}:Counter",
        (("EF ten", "open"),),
        (),
        "",
    ),
]
CASES = [(row, formula, end) for row in SUBJECTS for formula, end in row.runs]
CLAIMS = [(row, formula) for row in SUBJECTS for formula in row.claims]
IDS = [f"{row.name}: {formula}" for row, formula, _ in CASES]
ends = pytest.mark.parametrize(("row", "formula", "end"), CASES, ids=IDS)
runs = pytest.mark.parametrize(("row", "formula"), [case[:2] for case in CASES], ids=IDS)


def asked(row, formula):
    if row.kind == "program":
        from pigro.session.asking import ask
        from pigro.session.reading import prepare
        from pigro.session.request import Request

        request = Request((row.subject,), (formula,), witness="full", typed=True)
        return ask(prepare(request)).verdicts[0]
    return pigro.check(row.subject, formula, witness=True)


def test_every_kind_of_subject_is_in_the_table():
    assert {row.kind for row in SUBJECTS} >= {kind.value for kind in Kind}


def test_every_kind_of_evidence_is_met():
    of_verdicts = {*KINDS} - {"refinement"}
    assert {asked(row, formula).evidence.KIND for row, formula, _ in CASES} == of_verdicts


@ends
def test_a_trace(row, formula, end):
    verdict = asked(row, formula)
    trace = verdict.trace()
    assert trace.end == end
    assert (trace.start is None) is (end in {"stays", "open"})
    assert len(trace) == len(list(trace)) == len(trace.states)
    assert all(state.name for state in trace)
    if (formula, row.last) == (row.runs[0][0], row.last) and row.last:
        assert trace[-1].name == row.last
    before = set()
    for state in trace:
        added = {each[1:] for each in state.changes if each[0] == "+"}
        gone = {each[1:] for each in state.changes if each[0] == "-"}
        assert set(state.labels) == (before | added) - gone
        before = set(state.labels)


@runs
def test_printing_shows_the_run(row, formula):
    verdict = asked(row, formula)
    text = str(verdict)
    assert text.startswith(verdict.outcome)
    assert verdict.reason in text
    first = text.splitlines()
    assert any(line.strip().startswith("0  ") for line in first), text
    assert len(first) < 40


@runs
def test_a_requirement_that_fails_tells_the_run(row, formula):
    verdict = asked(row, formula)
    if verdict.holds:
        assert verdict.require() is None
        return
    with pytest.raises(AssertionError) as caught:
        verdict.require()
    assert str(caught.value) == str(verdict)


@runs
def test_a_report_is_written(row, formula, tmp_path):
    verdict = asked(row, formula)
    verdict.to_html(tmp_path / "why.html")
    page = (tmp_path / "why.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert f'"word":"{verdict.outcome}"' in page
    assert verdict._repr_html_().startswith("<iframe")


@pytest.mark.parametrize(("row", "formula"), CLAIMS)
def test_no_run_shows_what_is_about_all_runs(row, formula):
    verdict = asked(row, formula)
    assert verdict.trace() is None
    assert str(verdict).startswith(verdict.outcome)


@runs
def test_a_verdict_that_travelled_has_no_trace(row, formula):
    if row.kind in {"system", "program"}:
        pytest.skip("its states are made by a program")
    again = pickle.loads(pickle.dumps(asked(row, formula)))
    assert again.trace() is None
    assert str(again).startswith(again.outcome)


@runs
def test_one_kind_is_asked(row, formula):
    verdict = asked(row, formula)
    kind = kind_of(verdict.evidence)
    assert kind.is_whole(verdict.evidence)
    assert list(kind.lines(verdict.shown, full=True))
