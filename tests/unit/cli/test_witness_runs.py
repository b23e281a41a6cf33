"""`--witness`, `--html`, `--draw` and `pigro validate-witness` with formulas of LTL and CTL*."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import pigro

HOME = Path(pigro.__file__).parent
RESULT = json.loads((HOME / "schemas" / "result.schema.json").read_text("utf-8"))
RUN = json.loads((HOME / "schemas" / "run.schema.json").read_text("utf-8"))
EVIDENCE = json.loads((HOME / "schemas" / "evidence.schema.json").read_text("utf-8"))
FORMULAS = [
    "G (def -> F use)",
    "AG EF true",
    "E [F (use & X X done)]",
    "F (def & E [G !use])",
    "def & X !def",
]


@pytest.fixture
def why(run, app):
    """Results with evidence of both kinds, in a file."""
    options = ("--witness", "--depth", "3", "--format", "json", "--output", "why.json")
    done = run("check", app, *FORMULAS, *options)
    assert (done.exit_code, done.stderr) == (1, "")
    return "why.json"


def results(path):
    return json.loads(Path(path).read_text("utf-8"))["results"]


def alone(path, number=0):
    """The evidence of a result as a document of its own."""
    report = json.loads(Path(path).read_text("utf-8"))
    return {**report["results"][number]["evidence"], "tables": report["tables"]}


def test_text(run, app):
    done = run("check", app, "G (def -> F use)", "--witness", "--depth", "3")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[2:] == [
        "         a run of 2 states on which G (def -> F use) fails:",
        "              0  main:start   [def]",
        "              1  main:wait   [none of the labels]",
        "           and there it stays",
    ]


def test_a_terminal_gets_it_too(run, app, monkeypatch):
    monkeypatch.setattr("pigro.cli.output.on_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    question = ("check", app, "G (def -> F use)", "--depth", "3")
    assert "a run of 2 states" in run(*question).stdout
    assert "a run of" not in run(*question, "--no-witness").stdout


def test_without_asking_there_is_none(run, app):
    assert "a run of" not in run("check", app, "G F use", "--depth", "3").stdout
    done = run("check", app, "G F use", "--depth", "3", "--format", "json")
    assert "evidence" not in json.loads(done.stdout)["results"][0]


def test_json_is_as_the_schemas_say(why):
    report = json.loads(Path(why).read_text("utf-8"))
    jsonschema.validate(report, RESULT)
    for each in report["results"]:
        run_ = each["evidence"]["schema"] == "pigro.run/2"
        whole = {**each["evidence"], "tables": report["tables"]}
        jsonschema.validate(whole, RUN if run_ else EVIDENCE)
        assert each["evidence"]["verdict"] == each["verdict"]
    kinds = [each["evidence"]["schema"] for each in report["results"]]
    assert kinds == ["pigro.run/2", "pigro.evidence/2", *["pigro.run/2"] * 3]


def test_an_unknown_verdict_has_no_evidence(run, app):
    done = run("check", app, "G !def", "F G done", "--depth", "0", "--witness", "--format", "json")
    told = json.loads(done.stdout)["results"]
    assert [("evidence" in each) for each in told] == [
        each["verdict"] != "unknown" for each in told
    ]


def test_right_evidence(run, app, why):
    done = run("validate-witness", app, why)
    words = [each["verdict"] for each in results(why)]
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"accepted  {word}  {formula}"
        for word, formula in zip(words, map(str, map(pigro.parse, FORMULAS)), strict=True)
    ]


def test_evidence_alone(run, app, why):
    Path("one.json").write_text(json.dumps(alone(why)), "utf-8")
    assert run("validate-witness", app, "one.json").stdout == "accepted  fails  G (def -> F use)\n"


def test_another_start(run, app):
    options = ("--start", "helper:in", "--start", "main:wait", "--depth", "2", "--witness")
    done = run("check", app, "F G use", *options, "--format", "json", "--output", "why.json")
    assert done.exit_code == 1
    assert run("validate-witness", app, "why.json").exit_code == 0


def test_recursion_needs_no_depth(run, app, why):
    report = json.loads(Path(why).read_text("utf-8"))
    report["results"][0]["evidence"]["depth"] = None
    Path("deep.json").write_text(json.dumps(report), "utf-8")
    assert run("validate-witness", app, "deep.json").exit_code == 0


def test_a_run_that_goes_deeper_in_each_round(run):
    server = str(Path(__file__).resolve().parents[3] / "examples" / "server.rsm")
    asked = ("G F request", "E [F G (!answer & E [F sent])]", "E [G F request & G !request]")
    run("check", server, *asked, "--witness", "--format", "json", "--output", "pump.json")
    report = json.loads(Path("pump.json").read_text("utf-8"))
    for each in report["results"]:
        jsonschema.validate({**each["evidence"], "tables": report["tables"]}, RUN)
    ends = [each["evidence"]["evidence"][0]["path"] for each in report["results"]]
    assert [each and each["ends"] for each in ends] == ["pump", "pump", None]
    assert run("validate-witness", server, "pump.json").exit_code == 0
    report["results"][1]["evidence"]["evidence"][0]["facts"][0]["truths"] = [None, False, False]
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", server, "bad.json")
    assert done.exit_code == 1
    assert "a run does not show what it should" in done.stdout


def drop_last_state(evidence):
    evidence["evidence"][0]["path"]["nodes"].pop()
    evidence["evidence"][0]["path"]["stacks"].pop()


@pytest.mark.parametrize(
    "change, problem",
    [
        (drop_last_state, "does not stay"),
        (lambda e: e["evidence"][0]["path"].update(ends="here"), "does not show what it should"),
        (lambda e: e["evidence"][0].update(truth=True), "not for the verdict"),
        (lambda e: e["evidence"][0].update(formula="G use"), "the text of a subformula"),
        (lambda e: e.update(dead_ends="stop"), "reads dead ends as stop, the results do not"),
        (lambda e: e.update(verdict="holds"), "not for the verdict"),
        (lambda e: e.update(initial=[1]), "does not start at an initial node"),
        (lambda e: e["evidence"][0].update(kind="claim", path=None), "needs a run"),
    ],
)
def test_wrong_evidence(run, app, why, change, problem):
    report = json.loads(Path(why).read_text("utf-8"))
    change(report["results"][0]["evidence"])
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert done.exit_code == 1
    assert problem in done.stdout
    assert done.stdout.count("accepted") == 4


def test_a_claim_that_is_wrong(run, app):
    """The document says that a formula holds, which fails. No run is needed for that."""
    options = ("--depth", "3", "--witness", "--format", "json", "--output", "why.json")
    run("check", app, "def & X !def", "G (def -> F use)", *options)
    claim, wrong = alone("why.json", 0), alone("why.json", 1)
    assert claim["evidence"][0]["kind"] == "claim"
    wrong["verdict"] = "holds"
    wrong["evidence"][0] |= {"kind": "claim", "path": None, "truth": True, "facts": []}
    Path("bad.json").write_text(json.dumps(wrong), "utf-8")
    assert "a claim is wrong" in run("validate-witness", app, "bad.json").stdout


@pytest.mark.parametrize(
    "change",
    [
        lambda e: e.pop("digest"),
        lambda e: e.update(depth=2**40),
        lambda e: e.update(formula="G ("),
        lambda e: e.update(schema="pigro.run/9"),
        lambda e: e["evidence"][0].pop("facts"),
    ],
)
def test_no_evidence(run, app, why, change):
    evidence = alone(why)
    change(evidence)
    Path("bad.json").write_text(json.dumps(evidence), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[P503]" in done.stderr


def test_evidence_of_another_model(run, app, why):
    model = pigro.kripke({"a": ["a"]}, labels={"a": ["use"]}, initial="a")
    pigro.save(model, "other.rsm")
    Path("one.json").write_text(json.dumps(alone(why)), "utf-8")
    done = run("validate-witness", "other.rsm", "one.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[P502]" in done.stderr


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("semantics", ["standard", "rsmcheck"])
def test_models_are_read_as_they_were(run, app, semantics, dead_ends):
    options = ("--semantics", semantics, "--dead-ends", dead_ends, "--depth", "3", "--witness")
    run("check", app, *FORMULAS, *options, "--format", "json", "--output", "why.json")
    evidence = results("why.json")[0]["evidence"]
    assert (evidence["semantics"], evidence["dead_ends"]) == (semantics, dead_ends)
    assert run("validate-witness", app, "why.json").exit_code == 0


def test_a_report(run, app):
    done = run("check", app, *FORMULAS, "--depth", "3", "--html", "report.html")
    assert done.exit_code == 1
    page = Path("report.html").read_text("utf-8")
    assert "a run of 2 states on which G (def -&gt; F use) fails:" in page


def test_a_run_is_drawn(run, app):
    done = run("check", app, "G (def -> F use)", "--depth", "3", "--draw", "run.dot")
    assert done.exit_code == 1
    assert "#c0392b" in Path("run.dot").read_text("utf-8")
    done = run("check", app, "def & X !def", "--depth", "3", "--draw", "none.dot")
    assert "nothing is drawn" in done.stderr


def test_time_for_evidence_is_limited(run, app, monkeypatch):
    """The verdict is there, so it is told, without evidence."""
    from pigro.engines.onthefly import native_evidence
    from pigro.limits import OutOfTime

    def late(*_):
        raise OutOfTime

    monkeypatch.setattr(native_evidence, "show", late)
    done = run("check", app, "G (def -> F use)", "--depth", "3", "--witness")
    assert done.exit_code == 1
    assert done.stdout.count("\n") == 2
