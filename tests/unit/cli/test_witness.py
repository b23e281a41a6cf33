"""`pigro check --witness`, `--draw` and `pigro validate-witness`."""

import base64
import json
from pathlib import Path

import jsonschema
import pytest

import pigro

from support.evidence.documents import document_of
from support.evidence.texts import evidence_text
from support.samples.deep_calls import deep_calls

HOME = Path(pigro.__file__).parent
RESULT = json.loads((HOME / "schemas" / "result.schema.json").read_text("utf-8"))
EVIDENCE = json.loads((HOME / "schemas" / "evidence.schema.json").read_text("utf-8"))
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def why(run, app):
    """Results with evidence, in a file."""
    formulas = ["AG (def -> AF use)", "EF (use & EX done)", "AG EF true", "EX EX use"]
    done = run("check", app, *formulas, "--witness", "--format", "json", "--output", "why.json")
    assert done.exit_code == 1
    return "why.json"


def test_a_run_with_its_calls(run, app):
    done = run("check", app, "EF (use & EX done)", "--witness")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[2:] == [
        "         a run of 4 states for EF (use & EX done):",
        "              0  main:start",
        "              1  | helper:in   (called by call)   (at exit out: EX done)",
        "              2  | helper:out   [use]   (at exit out: EX done)   from here: EX done",
        "              3  main:out   [done]",
    ]


def test_a_loop(run, app):
    lines = run("check", app, "AG (def -> AF use)", "--witness").stdout.splitlines()
    assert lines[-2:] == [
        "              1  main:wait   [none of the labels]",
        "           and on from state 1 again, forever",
    ]


def test_a_pump(run, app):
    done = run("check", app, "EX EX EG !use", "--start", "helper:in", "--witness")
    assert "ever deeper: each round calls again" in done.stdout


class TestHowAClaimIsKnown:
    DECIDED = "(decided by the search, not proved)"
    MEANING = "(proved: a certificate shows it. decided by the search: only the engine says so;"

    def test_the_words_are_explained_once(self, run, app):
        formulas = ("AG EF true", "G F true | F done", "F G true | X done")
        done = run("check", app, *formulas, "--witness")
        lines = [each.strip() for each in done.stdout.splitlines()]
        first = next(at for at, each in enumerate(lines) if each.endswith(self.DECIDED))
        assert lines[first + 1] == self.MEANING
        assert "--certificate FILE" in lines[first + 2]
        assert "--verify" in lines[first + 2]
        assert done.stdout.count(self.DECIDED) == 2
        assert done.stdout.count(self.MEANING) == 1
        run("check", app, *formulas, "--witness", "--output", "told.txt")
        assert Path("told.txt").read_text().count(self.MEANING) == 1

    def test_nothing_to_explain(self, run, app):
        for formulas in (["AG EF true"], ["EF use", "AG !use"], ["G F use"]):
            assert self.MEANING not in run("check", app, *formulas, "--witness").stdout
        assert (
            self.MEANING not in run("check", app, "F G true", "--witness", "--format=json").stdout
        )

    @pytest.mark.parametrize("option", ["--verify", "--certificate=proof.cert"])
    def test_a_proof_that_was_made_is_not_denied(self, run, app, option):
        told = run("check", app, "F G true | X done", "--witness", option).stdout
        assert "(decided by the search; the certificate proves the verdict)" in told
        assert "not proved" not in told
        assert self.MEANING not in told
        page = run(
            "check", app, "F G true | X done", "--html", "-", option, "-o", "told.txt"
        ).stdout
        assert "not proved" not in page


def test_without_asking_there_is_none(run, app):
    plain = run("check", app, "EF use").stdout
    assert "run of" not in plain
    assert plain.count("\n") == run("check", app, "EF use", "--no-witness").stdout.count("\n")


def test_a_terminal_gets_the_short_form(run, app, monkeypatch):
    monkeypatch.setattr("pigro.cli.output.on_terminal", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "a shortest run of 3 states" in run("check", app, "EF use").stdout
    assert "a run" not in run("check", app, "EF use", "--no-witness").stdout


def test_the_short_form_folds_calls_and_long_runs():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start")
    for number in range(40):
        main.node(f"n{number}")
    main.node("end", labels=["p"])
    box = main.box("b", calls="callee")
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), "n0")
    main.path(*[f"n{number}" for number in range(40)], "end")
    callee = model.component("callee")
    callee.entry("in")
    callee.node("mid")
    callee.exit("out")
    callee.path("in", "mid", "out")
    verdict = pigro.check(model.build(initial="main:start"), "EF p", certify=True)
    short = evidence_text(verdict.subject, verdict.formula, verdict.evidence, 0, full=False)
    assert "... 3 states inside a call" in short
    assert "more lines; --witness shows all" in short
    assert short.count("\n") == 14


def test_json_is_as_the_schemas_say(why):
    report = json.loads(Path(why).read_text("utf-8"))
    jsonschema.validate(report, RESULT)
    for result in report["results"]:
        jsonschema.validate({**result["evidence"], "tables": report["tables"]}, EVIDENCE)
        assert result["evidence"]["formula"] == result["formula"]


def test_right_evidence(run, app, why):
    done = run("validate-witness", app, why)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "accepted  fails  AG (def -> AF use)",
        "accepted  holds  EF (use & EX done)",
        "accepted  holds  AG EF true",
        "accepted  holds  EX EX use",
    ]


def test_evidence_alone(run, app):
    verdict = pigro.check(pigro.load(app), "AG (def -> AF use)", certify=True)
    data = document_of(verdict)
    jsonschema.validate(json.loads(data), EVIDENCE)
    Path("one.json").write_bytes(data)
    assert (
        run("validate-witness", app, "one.json").stdout == "accepted  fails  AG (def -> AF use)\n"
    )


def drop_state(item):
    item["path"]["nodes"].pop(1)
    item["path"]["stacks"].pop(1)


@pytest.mark.parametrize(
    "change, problem",
    [
        (drop_state, "a step that is not there"),
        (lambda e: e["path"]["nodes"].pop(), "different numbers of stacks and nodes"),
        (lambda e: e["path"]["stacks"].__setitem__(1, 99), "not in the tables"),
        (lambda e: e.update(node=99), "not in the tables"),
        (lambda e: e.update(truth=False), "not for the verdict"),
        (lambda e: e.update(formula="EF (done & EX done)"), "the text of a subformula"),
        (lambda e: e.update(explored=3), "only claims are proved at places"),
    ],
)
def test_wrong_evidence(run, app, why, change, problem):
    report = json.loads(Path(why).read_text("utf-8"))
    change(report["results"][1]["evidence"]["evidence"][0])
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert done.exit_code == 1
    assert "rejected  holds  EF (use & EX done)" in done.stdout
    assert problem in done.stdout
    assert done.stdout.count("accepted") == 3


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda t: t["nodes"][0].update(name="main:wait"), "not those of node 0"),
        (lambda t: t["nodes"][0].update(labels=["use"]), "not those of node 0"),
        (lambda t: t["nodes"][0].update(number=-1), "not in the model"),
        (lambda t: t["nodes"].append(t["nodes"][0]), "not in order"),
        (lambda t: t["boxes"][0].update(name="main:other"), "not that of box 0"),
        (lambda t: t["stacks"].append([0, 0]), "twice"),
        (lambda t: t["stacks"].append([1, 0]), "does not fit"),
        (lambda t: t["stacks"].append([9, 0]), "not there"),
        (lambda t: t["stacks"].append([0, 9]), "not there"),
        (lambda t: t["stacks"].append(None), "twice"),
        (lambda t: t["stacks"].pop(0), "not the empty one"),
    ],
)
def test_wrong_tables(run, app, why, change, problem):
    report = json.loads(Path(why).read_text("utf-8"))
    change(report["tables"])
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert (done.exit_code, done.stdout.count("accepted")) == (1, 0)
    assert problem in done.stdout


@pytest.mark.parametrize(
    "change, problem",
    [
        (lambda e: e.update(certificate=1), "the certificate is for another formula"),
        (lambda e: e.update(certificate=9), "its certificate is not there"),
        (lambda e: e.update(certificate=-1), "its certificate is not there"),
        (lambda e: e.update(verdict="holds"), "the certificate is for another verdict"),
    ],
)
def test_another_certificate(run, app, why, change, problem):
    report = json.loads(Path(why).read_text("utf-8"))
    change(report["results"][0]["evidence"])
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert done.exit_code == 1
    assert problem in done.stdout


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.pop("tables"),
        lambda r: r.pop("certificates"),
        lambda r: r.update(certificates="?"),
        lambda r: r.update(certificates=""),
        lambda r: r["model"].pop("dead_ends"),
        lambda r: r["results"][0]["evidence"].update(tables=r["tables"]),
        lambda r: r["results"][0]["evidence"].update(certificate=r["certificates"]),
        lambda r: r["results"][1]["evidence"]["evidence"][0]["parts"].clear(),
        lambda r: r["results"][1]["evidence"]["evidence"][0]["parts"].append(0),
        lambda r: r["results"][1]["evidence"]["evidence"][0].update(parts=[2, 1, 1]),
        lambda r: r["results"][1]["evidence"]["evidence"].clear(),
    ],
)
def test_results_that_are_no_evidence(run, app, why, change):
    report = json.loads(Path(why).read_text("utf-8"))
    change(report)
    Path("bad.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", app, "bad.json")
    assert done.exit_code == 2
    assert "error[P503]" in done.stderr


def test_the_model_is_loaded_once(run, app, why, monkeypatch):
    from pigro.session.subject import EvidenceSubject

    made, loads = EvidenceSubject.model, []
    monkeypatch.setattr(EvidenceSubject, "model", lambda *each: loads.append(each) or made(*each))
    assert run("validate-witness", app, why).exit_code == 0
    assert len(loads) == 1


def test_what_evidence_shares_stands_once(run, app):
    formulas = ["EF (use & EX done)", "EF EX done", "EF (done & EF done)", "E [!done U use]"]
    done = run("check", app, *formulas, "--witness", "--format", "json")
    report = json.loads(done.stdout)
    states = sum(
        len(item["path"]["nodes"])
        for result in report["results"]
        for item in result["evidence"]["evidence"]
        if item["path"]
    )
    names = [row["name"] for row in report["tables"]["nodes"]]
    assert len(names) == len(set(names)) < states
    assert all(done.stdout.count(f'"{name}"') == 1 for name in names if name != "main:start")
    file = base64.b64decode(report["certificates"])
    assert [each.formula for each in pigro.check_certificates(pigro.load(app), file)] == formulas


def test_deep_runs_take_linear_space(run):
    """Twice as deep is about twice as long, as JSON and as text."""
    sizes = {"json": [], "text": []}
    for depth in (1000, 2000):
        pigro.save(deep_calls(depth), "deep.rsm")
        for form, found in sizes.items():
            done = run("check", "deep.rsm", "EF goal", "--witness", "--format", form)
            found.append(len(done.stdout))
        Path("why.json").write_text(
            run("check", "deep.rsm", "EF goal", "--witness", "--format", "json").stdout, "utf-8"
        )
        assert run("validate-witness", "deep.rsm", "why.json").exit_code == 0
    for small, large in sizes.values():
        assert large < 2.2 * small < 2_000_000


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"results": []}', '{"schema": "pigro.evidence/2"}', '{"schema": 2}']
)
def test_no_evidence(run, app, text):
    Path("bad.json").write_text(text)
    done = run("validate-witness", app, "bad.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[P503]" in done.stderr


@pytest.mark.parametrize("schema", ["pigro.result/1", "pigro.evidence/1", "pigro.run/3"])
def test_documents_of_another_version(run, app, schema):
    Path("bad.json").write_text(json.dumps({"schema": schema}))
    done = run("validate-witness", app, "bad.json")
    assert done.exit_code == 2
    assert f"this is {schema}, made by another version of Pigro" in done.stderr


def test_evidence_of_another_model(run, app, why):
    done = run("validate-witness", str(EXAMPLES / "walk.rsm"), why)
    assert done.exit_code == 2 or "rejected" in done.stdout


def test_a_run_is_drawn(run, app):
    done = run("check", app, "EF (use & EX done)", "--draw", "run.dot")
    assert done.exit_code == 0
    drawing = Path("run.dot").read_text("utf-8")
    assert drawing.count("#c0392b") == 8
    done = run("check", app, "AG EF true", "--draw", "none.dot")
    assert "nothing is drawn" in done.stderr
    assert not Path("none.dot").exists()
    assert "P007" in run("check", app, "EF use", "--draw", "run.png").stderr


def test_a_run_is_drawn_as_svg(run, app):
    pytest.importorskip("pygraphviz")
    assert run("check", app, "EF use", "--draw", "run.svg").exit_code == 0
    assert b"#c0392b" in Path("run.svg").read_bytes()


def test_evidence_of_another_model_whose_formulas_it_can_not_read(run):
    found = run(
        *("check", str(EXAMPLES / "mutex.smv"), "G F in1", "AG !in1"),
        *("--witness", "--format", "json", "--output", "why.json"),
    )
    assert found.exit_code == 1
    done = run("validate-witness", str(EXAMPLES / "protocol.smv"), "why.json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error[P502]: the evidence is about another model")


@pytest.mark.parametrize("change", [{"verdict": "holds"}, {"formula": "A [G F in2]"}])
def test_evidence_in_a_result_that_says_something_else(run, change):
    model = str(EXAMPLES / "mutex.smv")
    run("check", model, "G F in1", "--witness", "--format", "json", "--output", "why.json")
    assert run("validate-witness", model, "why.json").exit_code == 0
    report = json.loads(Path("why.json").read_text("utf-8"))
    report["results"][0].update(change)
    Path("why.json").write_text(json.dumps(report), "utf-8")
    done = run("validate-witness", model, "why.json")
    assert done.exit_code == 1
    assert "the evidence is for another formula or verdict" in done.stdout
