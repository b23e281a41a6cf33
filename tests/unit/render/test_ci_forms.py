"""Verdicts as SARIF and as JUnit's XML, which CI services read."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.main import cli

from support.judges.sarif import LOG

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FAILS, HOLDS = "AG (request -> AF answer)", "EF request"


def run(*arguments, stdin=None):
    return CliRunner().invoke(cli, [*map(str, arguments)], input=stdin, prog_name="pigro")


def sarif(*arguments, code=1, **more):
    done = run(*arguments, "--format", "sarif", **more)
    assert done.exit_code == code, done.output
    log = json.loads(done.stdout)
    jsonschema.Draft202012Validator(LOG).validate(log)
    return log["runs"][0]


def junit(*arguments, code=1):
    done = run(*arguments, "--format", "junit")
    assert done.exit_code == code, done.output
    return ET.fromstring(done.stdout)


def positioned(folder):
    """A model of a program, whose nodes have source positions."""
    (folder / "app.c").write_text("int x;\nint main() {\n  x = 1;\n}\n")
    program = pigro.ModelBuilder(file=str(folder / "app.c"))
    main = program.component("main")
    main.entry("start", at=(2, 1))
    main.exit("out", labels=["bad"], at=(3, 3, 3, 9))
    main.edge("start", "out")
    pigro.save(program.build(initial="main:start"), folder / "app.rsm")
    return folder / "app.rsm"


def test_a_formula_that_fails_has_its_run_as_a_code_flow(tmp_path):
    [result] = sarif("check", positioned(tmp_path), "AG !bad", "EF bad")["results"]
    assert (result["ruleId"], result["level"]) == ("formula-fails", "error")
    assert result["message"]["text"].startswith("AG !bad: ")
    [place] = result["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 2, "startColumn": 1}
    assert place["physicalLocation"]["artifactLocation"]["uri"].endswith("/app.c")
    assert place["logicalLocations"] == [{"fullyQualifiedName": "main:start"}]
    [first, last] = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert first["location"]["physicalLocation"] == place["physicalLocation"]
    region = {"startLine": 3, "startColumn": 3, "endColumn": 9}
    assert last["location"]["physicalLocation"]["region"] == region
    assert last["location"]["message"]["text"] == "main:out: +bad"


def test_calls_nest_the_steps():
    [result] = sarif("check", EXAMPLES / "server.rsm", FAILS, HOLDS)["results"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert max(step["nestingLevel"] for step in steps) == 3
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/examples/server.rsm")


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", EXAMPLES / "handshake.parts"),
        ("compose", EXAMPLES / "handshake.parts"),
        ("check", EXAMPLES / "smv" / "elevator.smv", "AG !(floor = 2)"),
        ("check", f"{EXAMPLES / 'counter.py'}:Counter", "AG !ten"),
    ],
    ids=["check parts", "compose", "smv", "program"],
)
def test_every_subject(arguments):
    [result] = sarif(*arguments)["results"]
    assert result["codeFlows"]
    [failure] = junit(*arguments).iter("failure")
    assert " 0  " in failure.text, "the first state of a run"


def test_verdicts_that_are_unknown():
    arguments = ("check", EXAMPLES / "server.rsm", "G F request", "--depth", "0")
    log = sarif(*arguments, code=3)
    assert [each["ruleId"] for each in log["results"]] == ["formula-unknown"]
    assert log["invocations"][0]["executionSuccessful"] is False
    report = junit(*arguments, code=3)
    assert (report.get("errors"), report.get("failures")) == ("1", "0")
    assert next(report.iter("error")).get("type") == "unknown"


def test_a_test_for_each_formula():
    report = junit("check", EXAMPLES / "server.rsm", FAILS, HOLDS)
    cases = list(report.iter("testcase"))
    assert [case.get("name") for case in cases] == [FAILS, HOLDS]
    assert [len(case) for case in cases] == [1, 0]
    assert all(float(case.get("time")) >= 0 for case in cases)
    assert (report.get("tests"), report.get("failures"), report.get("errors")) == ("2", "1", "0")


def test_runs_are_left_out_if_asked():
    arguments = ("check", EXAMPLES / "server.rsm", FAILS, "--no-witness")
    assert "codeFlows" not in sarif(*arguments)["results"][0]
    assert "a run of" not in next(junit(*arguments).iter("failure")).text
    assert (
        "codeFlows"
        not in sarif("compose", EXAMPLES / "handshake.parts", "--no-witness")["results"][0]
    )


def test_warnings_are_kept():
    arguments = ("check", EXAMPLES / "server.rsm", "AG !nowhere")
    [told] = sarif(*arguments, code=0)["invocations"][0]["toolExecutionNotifications"]
    assert "nowhere" in told["message"]["text"]
    assert "nowhere" in next(junit(*arguments, code=0).iter("system-err")).text


def test_fingerprints_are_those_of_file_and_formula(monkeypatch):
    monkeypatch.chdir(EXAMPLES)
    one, other = (
        sarif("check", "server.rsm", *asked)["results"] for asked in ([FAILS], [HOLDS, FAILS])
    )
    assert one[0]["partialFingerprints"] == other[0]["partialFingerprints"]


def test_a_model_from_standard_input_has_no_file():
    content = (EXAMPLES / "server.rsm").read_text()
    arguments = ("check", "-", FAILS, "--from", "rsm", "--no-witness")
    assert sarif(*arguments, stdin=content)["results"][0]["locations"] == []


def test_hostile_names(tmp_path):
    model = pigro.kripke({"a\x1b]<&": ["a\x1b]<&"]}, labels={"a\x1b]<&": ["p"]}, initial="a\x1b]<&")
    pigro.save(model, tmp_path / "a.rsm")
    assert "\x1b" not in next(junit("check", tmp_path / "a.rsm", "AG !p").iter("failure")).text
    assert "\\u001b" not in json.dumps(sarif("check", tmp_path / "a.rsm", "AG !p"))


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_refinement_has_no_such_form(form):
    file = EXAMPLES / "handshake.parts"
    done = run("compose", file, "--refines", file, "--format", form)
    assert done.exit_code == 2
    assert f"error[P006]: --refines and --format {form} don't go together" in done.stderr


BOOM = """class Boom:
    initial = 0

    def successors(self, state):
        if state == 2:
            raise ValueError("boom")
        return [state + 1]

    def labels(self, state):
        return ["p"] if state == 1 else []
"""


def test_formulas_that_an_error_kept_from_being_checked_are_errors(tmp_path):
    (tmp_path / "boom.py").write_text(BOOM)
    place = f"{tmp_path / 'boom.py'}:Boom"
    suites = junit("check", place, "EF p", "EF q", "AG !q", code=2)
    assert suites.get("tests") == "3"
    assert suites.get("errors") == "2"
    faults = [(each.get("name"), [fault.tag for fault in each]) for each in suites.iter("testcase")]
    assert faults == [("EF p", []), ("EF q", ["error"]), ("AG !q", ["error"])]
    [invocation] = sarif("check", place, "EF p", "EF q", code=2)["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [each["level"] for each in invocation["toolExecutionNotifications"]] == ["error"]


def test_reports_name_the_command_that_asked():
    [suite] = junit("compose", EXAMPLES / "handshake.parts")
    assert suite.get("name").startswith("pigro compose ")
    assert {each.get("classname") for each in suite.iter("testcase")} == {"pigro.compose"}


def test_standard_input_is_no_place():
    text = (EXAMPLES / "server.rsm").read_text()
    [result] = sarif("check", "-", FAILS, stdin=text)["results"]
    assert all("physicalLocation" not in each for each in result["locations"])
