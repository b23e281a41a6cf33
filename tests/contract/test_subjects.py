"""One table of subjects: printing a verdict, traces, reports and words are the same for all.

A subject that Pigro can check and that is not in the table makes a test fail. Add a row for it. Each
option with each way to give a subject is tested in `tests/unit/session/test_options.py`, whose table
must have the same ways.
"""

from __future__ import annotations

import json
import pickle
import re
import runpy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import pigro
from pigro.cli import output
from pigro.cli.main import cli
from pigro.evidence.kinds import KINDS, kind_of
from pigro.forms import FORMS
from pigro.logic import Fragment
from pigro.model.kinds import SubjectKind
from pigro.options import FILE, GIVEN, MODEL, PARTS, PARTS_FILE, PROGRAM
from pigro.render.drawing import RunDrawing
from pigro.render.html import verdict_page
from pigro.session.asking import EvidenceRoom
from pigro.verdict import CompositionDetails, Remarks

from support.judges.sarif import LOG

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
    ways: tuple[str, ...]
    """How it is given here, as `pigro.options` has it."""
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
        (FILE, MODEL),
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
        (FILE, MODEL),
        EXAMPLES / "smv" / "elevator.smv",
        (("AG !(floor = 2)", "open"), ("G !(floor = 2)", "open")),
        (),
        "",
    ),
    Row(
        "parts",
        "composition",
        (PARTS_FILE, PARTS),
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
        "program",
        (PROGRAM,),
        Jugs(),
        (("AG !four", "open"), ("F four", "loop"), ("EF four", "open")),
        ("AG EF four",),
        "(3, 4)",
    ),
    Row(
        "program",
        "program",
        (PROGRAM,),
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
    if isinstance(row.subject, str):
        from pigro.session.asking import ask
        from pigro.session.prepare import prepare
        from pigro.session.request import Request

        request = Request((row.subject,), (formula,), witness="full", typed=True)
        return ask(prepare(request)).verdicts[0]
    return pigro.check(row.subject, formula, witness=True)


def test_every_kind_of_subject_is_in_the_table():
    assert {row.kind for row in SUBJECTS} >= {kind.value for kind in SubjectKind}


def test_every_kind_of_evidence_is_met():
    of_verdicts = {*KINDS} - {"refinement", "certificate"}
    assert {asked(row, formula).evidence.KIND for row, formula, _ in CASES} == of_verdicts


@ends
def test_a_trace(row, formula, end):
    verdict = asked(row, formula)
    trace = verdict.trace()
    assert trace.end == end
    assert (trace.start is None) is (end in {"stays", "open"})
    assert len(trace) == len(list(trace)) == len(trace.states)
    assert all(state.name for state in trace)
    assert str(verdict.formula) in trace[0].truths or verdict.formula.fragment is Fragment.MU
    if (formula, row.last) == (row.runs[0][0], row.last) and row.last:
        assert trace[-1].name == row.last
    before = set()
    for state in trace:
        added = {each[1:] for each in state.changes if each[0] == "+"}
        gone = {each[1:] for each in state.changes if each[0] == "-"}
        assert set(state.labels) == (before | added) - gone
        before = set(state.labels)


OF_LABELS = {
    "model": "!request & !answer",
    "smv": "floor = 2",
    "parts": "!busy",
    "object": "four",
    "program": "!ten",
}


@pytest.mark.parametrize("row", SUBJECTS, ids=lambda row: row.name)
def test_one_state_is_a_trace_where_its_labels_decide(row):
    verdict = asked(row, OF_LABELS[row.name])
    [state] = trace = verdict.trace()
    assert (trace.end, state.truths[str(verdict.formula)]) == ("open", verdict.holds)


@runs
def test_printing_shows_the_run(row, formula):
    verdict = asked(row, formula)
    text = str(verdict)
    assert text.startswith(verdict.outcome)
    assert verdict.reason in text
    first = text.splitlines()
    assert any(line.strip().startswith("0  ") for line in first), text
    assert len(first) < 40


TYPED = [(row, formula) for row, formula, _ in CASES if isinstance(row.subject, (str, Path))]
typed = pytest.mark.parametrize(
    ("row", "formula"), TYPED, ids=[f"{row.name}: {formula}" for row, formula in TYPED]
)


@typed
def test_printing_is_what_a_terminal_shows(row, formula, monkeypatch):
    monkeypatch.setattr(output, "on_terminal", lambda: True)
    monkeypatch.setattr(output, "colour_wanted", lambda: False)
    monkeypatch.setenv("COLUMNS", "500")
    shown = typed_in("check", row.subject, formula).stdout.rstrip("\n")
    times = re.compile(r"; [\d.]+ (ms|s|min)\b")
    assert times.sub("", shown) == times.sub("", str(asked(row, formula)))


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


@runs
def test_a_report_has_the_run(row, formula):
    verdict = asked(row, formula)
    data = json.loads(re.search(r'id="data">(.*?)</script>', page_of(verdict), re.DOTALL)[1])
    [told] = data["verdicts"]
    [path] = [each["path"] for each in told["evidence"] if "path" in each]
    trace = verdict.trace()
    assert len(path["nodes"]) == len(trace)
    for node, state in zip(path["nodes"], trace, strict=True):
        _, name, _, labels, *_ = data["nodes"][str(node)]
        assert state.name.endswith(name)
        carried = {data["labels"][each] for each in labels}
        hidden = {*state.labels} - carried  # values of variables are told as such
        assert hidden == {each for each in hidden if " = " in each}
    assert {"loop": "loop", "pump": "deeper", "stays": "stays", "here": "open"}[path["ends"]] == (
        trace.end
    )
    if row.kind == "composition" and verdict.evidence.KIND == "strategy":
        assert told["game"]["claims"]


def page_of(verdict):
    return verdict_page(verdict).decode()


@runs
def test_a_run_is_drawn(row, formula, tmp_path):
    verdict = asked(row, formula)
    drawing = RunDrawing(str(tmp_path / "run.dot"), EvidenceRoom())
    drawing.take(0, verdict)
    drawn = drawing.content.decode()
    assert drawn.startswith("digraph")
    states = {(state.name, state.labels) for state in verdict.trace()}
    marked = [line for line in drawn.splitlines() if "#c0392b" in line and "->" not in line]
    assert len(states) <= len(marked), "a box on the stack may stand for a call"


@pytest.mark.parametrize(("row", "formula"), CLAIMS)
def test_where_no_run_shows_it_nothing_is_drawn(row, formula):
    drawing = RunDrawing("run.dot", EvidenceRoom())
    drawing.take(0, asked(row, formula))
    assert drawing.content is None or row.kind == "model"
    assert drawing.content is not None or "nothing is drawn" in drawing.why_none


@pytest.mark.parametrize("row", SUBJECTS, ids=lambda row: row.name)
def test_a_subject_is_shown_in_notebooks(row):
    subject = asked(row, row.runs[0][0]).subject
    assert subject._repr_html_().startswith("<p><b>")


def public_names(record):
    return [name for name in dir(type(record)) if not name.startswith("_")]


@runs
def test_no_public_name_of_a_verdict_raises(row, formula):
    verdict = asked(row, formula)
    unknown = replace(verdict, holds=None, evidence=None, remarks=Remarks(gave_up="it was late"))
    for each in (verdict, unknown, pickle.loads(pickle.dumps(verdict))):
        assert len(public_names(each)) <= 20
        for record in (each, each.details, each.remarks):
            for name in public_names(record):
                getattr(record, name)
        assert each.reason


def test_details_of_a_composition_that_was_not_decided():
    details = CompositionDetails("concrete", ("client", "server"))
    for name in public_names(details):
        getattr(details, name)
    assert (details.decided_by, details.alone) == ((), {})


@pytest.mark.parametrize(("row", "formula"), CLAIMS)
def test_no_run_shows_what_is_about_all_runs(row, formula):
    verdict = asked(row, formula)
    assert verdict.trace() is None
    assert str(verdict).startswith(verdict.outcome)


@runs
def test_a_verdict_that_travelled_has_no_trace(row, formula):
    again = pickle.loads(pickle.dumps(asked(row, formula)))
    assert again.trace() is None
    assert str(again).startswith(again.outcome)


@runs
def test_one_kind_is_asked(row, formula):
    verdict = asked(row, formula)
    kind = kind_of(verdict.evidence)
    assert kind.is_whole(verdict.evidence)
    assert list(kind.lines(verdict.shown, full=True))


WORDS = {"holds", "fails", "unknown"}
FORMULAS = [[formula for other, formula in TYPED if other is row] for row in SUBJECTS]
FILES = [(row, formulas) for row, formulas in zip(SUBJECTS, FORMULAS, strict=True) if formulas]
files = pytest.mark.parametrize(("row", "formulas"), FILES, ids=[row.name for row, _ in FILES])
NOT_LABELLED = {PARTS_FILE, PROGRAM}
"""Ways to give a subject whose states `explain` and `label` do not list."""


def typed_in(*arguments):
    return CliRunner().invoke(cli, [*map(str, arguments)], prog_name="pigro")


def test_every_way_to_give_a_subject_is_in_the_table():
    """A new way needs a row here, and one in the table of options."""
    assert {way for row in SUBJECTS for way in row.ways} == set(GIVEN)


@files
def test_one_set_of_words_in_every_form(row, formulas):
    """Text, JSON, SARIF and JUnit's XML tell the same verdicts, in the same words."""
    told = {}
    for form in FORMS:
        done = typed_in("check", row.subject, *formulas, "--format", form)
        assert done.exit_code in {0, 1}, done.output
        told[form] = done.stdout
    words = [each["verdict"] for each in json.loads(told["json"])["results"]]
    assert set(words) <= WORDS
    lines = [line.split()[0] for line in told["text"].splitlines() if line and line[0] != " "]
    assert [word for word in lines if word in WORDS] == words
    [log] = [json.loads(told["sarif"])]
    jsonschema.Draft202012Validator(LOG).validate(log)
    results = log["runs"][0]["results"]
    assert [each["properties"]["verdict"] for each in results] == [w for w in words if w != "holds"]
    assert all(each["codeFlows"] for each in results)
    assert told["junit"].count('type="fails"') == words.count("fails")
    assert told["junit"].count("<testcase ") == len(words)


def object_of(row):
    """What a program makes of the file."""
    if PROGRAM not in row.ways:
        return pigro.load(row.subject)
    file, _, name = row.subject.rpartition(":")
    return runpy.run_path(file)[name]()


@files
def test_objects_have_the_words_of_their_files(row, formulas):
    there = [asked(row, each).outcome for each in formulas]
    assert [pigro.check(object_of(row), each).outcome for each in formulas] == there


@files
@pytest.mark.parametrize("command", ["explain", "label"])
def test_words_of_states(row, formulas, command):
    formula = next((each for each in formulas if "X" not in each), formulas[0])
    done = typed_in(command, row.subject, formula)
    if row.ways[0] in NOT_LABELLED:
        assert "error[P006]: explain and label need a model" in done.stderr
        return
    assert done.exit_code == 0, done.output
    rows = [line for line in done.stdout.splitlines() if line and line[0] != " "]
    words = {line.split()[0].rstrip(":") for line in rows}
    assert words - {"at"} <= WORDS | {"depends"}
    assert words & WORDS


@files
def test_words_of_batches(row, formulas, tmp_path):
    plan, rows = tmp_path / "plan.jsonl", tmp_path / "rows.jsonl"
    task = {"model": str(row.subject), "formulas": formulas}
    plan.write_text(json.dumps(task) + "\n")
    store = ("--store", tmp_path / "store.sqlite")
    assert typed_in("batch", plan, *store, "--jobs", 1).exit_code in {0, 1}
    assert typed_in("batch", *store, "--export", rows).exit_code == 0
    told = [json.loads(line) for line in rows.read_text().splitlines()]
    words = {each["formula"]: each["verdict"] for each in told}
    verdicts = [asked(row, each) for each in formulas]
    assert words == {str(each.formula): each.outcome for each in verdicts}


@files
def test_words_of_the_judge(row, formulas, tmp_path):
    why = tmp_path / "why.json"
    typed_in("check", row.subject, *formulas, "--witness", "--format", "json", "--output", why)
    done = typed_in("validate-witness", row.subject, why)
    assert done.exit_code == 0, done.output
    assert {line.split("  ")[0] for line in done.stdout.splitlines()} == {"accepted"}
    whole = json.loads(why.read_text())
    for each in whole["results"]:
        each["verdict"] = "holds" if each["verdict"] == "fails" else "fails"
    why.write_text(json.dumps(whole))
    done = typed_in("validate-witness", row.subject, why)
    assert done.exit_code == 1
    words = {line.split("  ")[0] for line in done.stdout.splitlines() if line[0] != " "}
    assert words == {"rejected"}
