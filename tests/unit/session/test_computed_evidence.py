"""Runs over states that are computed on demand: shown, written, and judged by the file."""

import json
import re
import subprocess
import sys
from contextlib import suppress

import pytest

import pigro
from pigro.formats import smv
from pigro.render.html import render_html


def run(*arguments):
    """The command, in a process of its own."""
    command = [sys.executable, "-m", "pigro", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


COUNTER = """
MODULE main
VAR
  n : 0..40000;
  flag : boolean;
  free : boolean;
ASSIGN
  init(n) := 0;
  next(n) := n < 40000 ? n + 1 : n;
  init(flag) := FALSE;
  next(flag) := n = 2 ? TRUE : flag;
"""
FAIR = COUNTER + "FAIRNESS free\n"
LARGE = COUNTER.replace("40000", "3000000")


@pytest.fixture
def path(tmp_path):
    found = tmp_path / "counter.smv"
    found.write_text(COUNTER)
    return found


def results(path, *formulas):
    done = run("check", str(path), *formulas, "--witness", "--format", "json")
    return json.loads(done.stdout)


def judged(path, document):
    validation = pigro.validate(str(path), json.dumps(document).encode())
    return [(each.word, each.problem) for each in validation.findings]


def test_runs_are_shown_without_a_list_of_states(path):
    model = pigro.load(path)
    verdict = pigro.check(model, "AG !flag", witness=True)
    assert verdict.holds is False
    assert not model.is_listed
    values = [
        verdict.evidence.nodes_of(verdict.subject).values(state.node)
        for state in verdict.evidence.path.states
    ]
    assert [(each["n"], each["flag"]) for each in values] == [
        ("0", "FALSE"),
        ("1", "FALSE"),
        ("2", "FALSE"),
        ("3", "TRUE"),
    ]
    assert b"variables by step" in render_html(model, [verdict])


def test_evidence_of_several_verdicts_is_right(path):
    document = results(path, "AG !flag", "EF n = 5", "E [F (flag & X free)]")
    assert judged(path, document) == [("accepted", None)] * 3


@pytest.mark.parametrize("change", ["skip", "start", "values", "label", "verdict"])
def test_evidence_that_is_changed_is_wrong(path, change):
    document = results(path, "AG !flag")
    [result] = document["results"]
    nodes = document["tables"]["nodes"]
    run_path = result["evidence"]["evidence"][0]["path"]
    if change == "skip":  # a step that is none
        for column in ("nodes", "stacks"):
            del run_path[column][1]
    elif change == "start":
        for column in ("nodes", "stacks"):
            del run_path[column][0]
        first = run_path["nodes"][0]
        result["evidence"]["evidence"][0]["node"] = first
        result["evidence"]["initial"] = [first]
        row = next(each for each in nodes if each["number"] == first)
        document["model"]["initial"] = [row["name"]]
    elif change == "values":
        nodes[-1]["values"]["n"] = "77"
    elif change == "label":
        nodes[-1]["labels"] = []
    else:
        result["verdict"] = result["evidence"]["verdict"] = "holds"
    assert "rejected" in [word for word, _ in judged(path, document)]


@pytest.mark.parametrize("number", [0, 99, -1, 2**40])
def test_a_start_that_the_tables_do_not_list_is_wrong(path, number):
    document = results(path, "AG !flag")
    document["results"][0]["evidence"]["initial"] = [number]
    assert {word for word, _ in judged(path, document)} == {"rejected"}


@pytest.mark.parametrize("start", [2, 99, -1, 2**70])
def test_a_loop_that_begins_outside_of_its_path_is_wrong(tmp_path, start):
    path = tmp_path / "loop.smv"
    path.write_text("MODULE main VAR x : 0..99999; b : boolean; ASSIGN next(x) := x;")
    document = results(path, "F x = 4")
    run_path = document["results"][0]["evidence"]["evidence"][0]["path"]
    assert run_path["ends"] == "loop"
    run_path["start"] = start + (len(run_path["nodes"]) if 0 <= start < 99 else 0)
    assert {word for word, _ in judged(path, document)} == {"rejected"}


def test_no_number_of_a_document_ends_the_judge(path):
    """Each is wrong, or makes no difference, or the document is none: nothing else is raised."""
    text = json.dumps(results(path, "AG !flag"))
    places = [each.span(1) for each in re.finditer(r"[ \[](-?[0-9]+)\b(?=[,\]}])", text)]
    assert len(places) > 20
    for start, end in places:
        for number in (0, 7, -1, 2**40):
            changed = f"{text[:start]}{number}{text[end:]}"
            with suppress(pigro.PigroError):
                pigro.validate(str(path), changed.encode())


def test_claims_about_too_many_states_are_not_judged(path):
    document = results(path, "AG n >= 0")
    words = [word for word, _ in judged(path, document)]
    assert words == ["not judged"]


def test_evidence_about_another_file_is_refused(path, tmp_path):
    other = tmp_path / "other.smv"
    other.write_text(COUNTER.replace("n = 2 ?", "n = 4 ?"))
    with pytest.raises(pigro.InputError) as caught:
        judged(other, results(path, "AG !flag"))
    assert caught.value.code == "P502"


@pytest.mark.long
def test_fair_runs_are_shown_on_demand(path):
    path.write_text(FAIR)
    document = results(path, "AG !flag", "AF n = 4")
    first, second = document["results"]
    assert (first["written"], first["paths"]) == ("AG !flag", "fair")
    assert second["verdict"] == "holds"


def test_a_certificate_is_refused_with_what_to_do(path, tmp_path):
    path.write_text(LARGE)
    done = run("check", str(path), "AG !flag", "--certificate", str(tmp_path / "proof"))
    assert "error[P128]" in done.stderr
    assert "--witness" in done.stderr


def test_names_and_states_are_the_same():
    document = smv.SmvDocument(COUNTER.encode())
    computed = document.model().computed
    [state] = computed.after((), 1)
    find = computed.named(())
    assert find(computed.name(state)) == tuple(state)
    assert find("1,2") is None
    assert computed.inputs((), state) == {}
    assert computed.inputs(state, state) is None
