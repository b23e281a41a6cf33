"""`pigro validate-witness` judges a whole file of results, not only the evidence in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pigro
from pigro.evidence.data import EVIDENCE, RUN

FORMULAS = ["AG (def -> AF use)", "EF use", "G (def -> F use)"]


@pytest.fixture
def why(run, app):
    """Results with evidence of both kinds, as decoded JSON."""
    args = ("--witness", "--stats", "--format", "json", "--output", "why.json")
    assert run("check", app, *FORMULAS, *args, "--depth", "3").exit_code == 1
    return json.loads(Path("why.json").read_text("utf-8"))


@pytest.fixture
def judged(run, app):
    """What the command says of a document."""

    def judge(document):
        Path("why.json").write_text(json.dumps(document), "utf-8")
        return run("validate-witness", app, "why.json")

    return judge


def test_as_it_was_written(judged, why):
    done = judged(why)
    assert (done.exit_code, done.stderr) == (0, "")
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [
        ["accepted", "fails"],
        ["accepted", "holds"],
        ["accepted", "fails"],
    ]


@pytest.mark.parametrize(
    "change, problem",
    [
        ({"initial": ["main:wait"]}, "starts at other nodes than the result says"),
        ({"initial": ["helper:in"]}, "starts at other nodes than the result says"),
        ({"initial": ["nobody"]}, "its initial nodes are not nodes of the model"),
        ({"initial": ["start"]}, "its initial nodes are not nodes of the model"),
        ({"initial": []}, "its initial nodes are not nodes of the model"),
        ({"initial": ["main:start", "main:start"]}, "its initial nodes are not nodes"),
        ({"dead_ends": "stop"}, "reads dead ends as stutter, the results do not"),
        ({"semantics": "rsmcheck"}, "in standard semantics, the results do not"),
    ],
)
def test_the_model_that_results_name(judged, why, change, problem):
    why["model"].update(change)
    done = judged(why)
    assert done.exit_code == 1
    assert problem in done.stdout
    assert "rejected" in done.stdout


def test_dead_ends_that_are_said_to_be_none(run):
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start")
    main.node("end", labels=["use"])
    main.edge("start", "end")
    pigro.save(model.build(initial="main:start"), "app.rsm")
    args = ("--witness", "--format", "json", "--output", "why.json")
    run("check", "app.rsm", "EF use", "F G use", *args)
    why = json.loads(Path("why.json").read_text("utf-8"))
    Path("why.json").write_text(json.dumps(why), "utf-8")
    assert run("validate-witness", "app.rsm", "why.json").exit_code == 0
    why["model"]["dead_ends"] = "error"
    Path("why.json").write_text(json.dumps(why), "utf-8")
    done = run("validate-witness", "app.rsm", "why.json")
    assert done.exit_code == 1
    assert "rejected  model  app.rsm\n          the model can't be read so: " in done.stdout


def test_sentences_sizes_and_times_are_not_judged(judged, why):
    """Other versions of Pigro may use other words."""
    as_written = judged(why).stdout
    why["model"]["statistics"]["nodes"] += 1
    why["model"]["load_seconds"] += 1
    why["warnings"] = ['1 label is on no node of the model, so false everywhere: "use"']
    for row in why["results"]:
        row["reason"] = "because"
        row["contexts"], row["seconds"] = 77, 7.0
    done = judged(why)
    assert (done.exit_code, done.stdout, done.stderr) == (0, as_written, "")


@pytest.mark.parametrize("row", range(len(FORMULAS)))
@pytest.mark.parametrize(
    "change, problem",
    [
        ({"engine": "guess"}, "there is no engine 'guess'"),
        ({"initial": ["main:wait"]}, "starts at other nodes than the result says"),
        ({"initial": ["main:start"]}, "repeats the initial nodes of the model"),
        ({"formula": "EF done"}, "for another formula or verdict"),
        ({"verdict": "unknown"}, "for another formula or verdict"),
    ],
)
def test_what_stands_around_evidence(judged, why, row, change, problem):
    why["results"][row].update(change)
    done = judged(why)
    assert done.exit_code == 1
    assert problem in done.stdout
    assert done.stdout.count("rejected") == 1


def test_a_verdict_without_evidence(judged, why):
    """Nobody vouches for it."""
    del why["results"][1]["evidence"]
    why["results"][1]["verdict"] = "fails"
    done = judged(why)
    assert done.exit_code == 1
    assert "no evidence  fails  EF use\n" in done.stdout


def test_an_unknown_verdict_claims_nothing(judged, why):
    del why["results"][1]["evidence"]
    why["results"][1].update(verdict="unknown", reason="no verdict within 1 s")
    done = judged(why)
    assert done.exit_code == 0
    assert "no evidence  unknown  EF use\n" in done.stdout
    why["results"][1]["formula"] = "EF ("
    assert "its formula can't be read" in judged(why).stdout


def test_a_file_without_evidence(judged, why):
    for row in why["results"]:
        del row["evidence"]
    done = judged(why)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no result has evidence" in done.stderr


@pytest.mark.parametrize("where", [[], ["model"], ["results", 0], ["results", 2, "evidence"]])
def test_unknown_fields(judged, why, where):
    at = why
    for key in where:
        at = at[key]
    at["proof"] = "it is so"
    assert judged(why).exit_code == 2


def test_labels_on_no_node_are_told_again(run, app, judged, why):
    args = ("--witness", "--format", "json", "--output", "why.json")
    run("check", app, "EF nowhere", "EF use", *args)
    why = json.loads(Path("why.json").read_text("utf-8"))
    [warning] = why["warnings"]
    done = judged(why | {"warnings": []})
    assert (done.exit_code, done.stderr) == (0, f"warning: {warning}\n")
    assert "warning" not in done.stdout


def test_several_initial_nodes(run, app, judged):
    args = ("--start", "main:start", "--start", "helper:in", "--start", "main:wait")
    run("check", app, "EF done", "F done", *args, "--depth", "3", "--witness",
        "--format", "json", "--output", "why.json")  # fmt: skip
    why = json.loads(Path("why.json").read_text("utf-8"))
    assert judged(why).exit_code == 0
    assert sum(row["verdict"] == "fails" for row in why["results"]) > 1


def test_steps_can_not_be_judged(run, app, judged):
    args = ("--trace", "--witness", "--format", "json", "--output", "why.json")
    run("check", app, "EF use", "--engine", "lazy", *args)
    done = judged(json.loads(Path("why.json").read_text("utf-8")))
    assert done.exit_code == 0
    assert "not judged  steps, in 1 of the results\n" in done.stdout


@pytest.mark.parametrize(
    "formula", ["A [x BU 0..2 EX TRUE]", "E [E [x BU 0..1 x] BU 0..1 AG x]", "EBG 1..2 (x | AX x)"]
)
def test_bounded_operators_share_subformulas(run, formula):
    """The numbers of subformulas are those of the text that the file has."""
    Path("m.smv").write_text(f"MODULE main\nVAR x : boolean;\nSPEC {formula}\n")
    run("check", "m.smv", "--witness", "--format", "json", "--output", "why.json")
    run("check", "m.smv", "--certificate", "proof.pgc")
    for name in ("why.json", "proof.pgc"):
        judged = run("validate-witness", "m.smv", name)
        assert (judged.exit_code, judged.stderr) == (0, "")


def test_certificates_of_states_on_demand(run):
    """They are about listed states, and so list the states to be judged."""
    bits = range(18)
    lines = ["MODULE main", "VAR", *(f"  b{at} : boolean;" for at in bits), "ASSIGN"]
    lines += [f"  init(b{at}) := FALSE; next(b{at}) := !b{at - 1 if at else 17};" for at in bits]
    Path("m.smv").write_text("\n".join([*lines, "SPEC EF b3", "SPEC AG (b2 -> AF b5)"]))
    assert run("check", "m.smv", "--certificate", "proof.pgc").exit_code in (0, 1)
    judged = run("validate-witness", "m.smv", "proof.pgc")
    assert judged.exit_code == 0
    assert "2 accepted, 0 rejected" in judged.stdout


def test_runs_and_certificates_together(run, app):
    """A formula outside of CTL has a run in the results, and a certificate of its own."""
    formulas = ("E [G F use]", "A [G (use -> F done)]", "EF use")
    args = ("--witness", "--format", "json", "--output", "why.json", "--certificate", "proof.pgc")
    assert run("check", app, *formulas, *args).exit_code == 1
    for name in ("why.json", "proof.pgc"):
        judged = run("validate-witness", app, name)
        assert (judged.exit_code, judged.stderr) == (0, "")
    results = json.loads(Path("why.json").read_text("utf-8"))["results"]
    assert [each["evidence"]["schema"] for each in results] == [
        RUN, RUN, EVIDENCE,
    ]  # fmt: skip


@pytest.mark.parametrize("formula", ["EG p", "E [G p & F q]"])
def test_a_run_that_stops_does_not_stay(run, formula):
    graph, labels = {"a": ["b"], "b": []}, {"a": ["p"], "b": ["p", "q"]}
    pigro.save(pigro.kripke(graph, labels=labels, initial="a"), "m.rsm")
    for dead_ends, word, other in (("stop", "stops", "stays"), ("stutter", "stays", "stops")):
        args = ("--dead-ends", dead_ends, "--witness", "--format", "json", "--output", "why.json")
        assert run("check", "m.rsm", formula, *args).exit_code == 0
        text = Path("why.json").read_text("utf-8")
        assert text.count(f'"ends": "{word}"') == 1
        assert run("validate-witness", "m.rsm", "why.json").exit_code == 0
        Path("why.json").write_text(text.replace(f'"{word}"', f'"{other}"'), "utf-8")
        done = run("validate-witness", "m.rsm", "why.json")
        assert (done.exit_code, "a path does not end as it says" in done.stdout) == (1, True)


def test_labels_of_the_formula_as_given_are_shown(run):
    """The label p is in no part of the simplified formula, and the first state carries it."""
    pigro.save(pigro.kripke({"a": ["b"], "b": []}, labels={"a": ["p"]}, initial="a"), "m.rsm")
    told = run("check", "m.rsm", "EX (p | !p)", "EF (EX !q & (p | !p))", "--witness").stdout
    assert "none of the labels" not in told.split("kripke:b")[0]
    assert told.count("kripke:a   [p]") == 2  # the paths of the second formula are one run
