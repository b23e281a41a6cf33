"""The step log: in Python, as text and as JSON."""

import json
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro.engines import with_options
from pigro.engines.native import DEMAND
from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, TERNARY

CHOICES = Path(__file__).parents[4] / "examples" / "choices.rsm"
"""The running example of [Dubslaff2024], Fig. 3."""


def steps(engine, formula):
    return replace(engine, trace=True)(pigro.load(CHOICES), parse(formula)).details.steps


def test_no_trace_unless_asked():
    assert LAZY(pigro.load(CHOICES), parse("EF grey")).details is None


def test_example_10_a_cycle_through_an_exit_is_resolved():
    found = steps(EAGER, "EG white")
    assert found[0].action == "initialize"
    assert "resolve" in {step.action for step in found}
    resolved = next(step for step in found if step.action == "resolve")
    assert (resolved.formula, resolved.value) == ("EG white", "true")
    assert "A2:n6" in resolved.nodes


def test_a_step_tells_its_reason():
    found = [step for step in steps(TERNARY, "EF EG grey & EF AF black") if step.box]
    for step in found:
        assert step.action == "contextualize"
        assert step.nodes
        assert step.formula.startswith("E")
        assert "#" in step.caller
        assert "#" in step.instance
        assert all(value in ("true", "false") for _, _, value in step.context)


def run(*arguments):
    command = [sys.executable, "-m", "pigro", "check", str(CHOICES), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_json_steps_fit_the_schema():
    done = run("EG white", "--engine", "eager", "--trace", "--format", "json")
    document = json.loads(done.stdout)
    schema = json.loads((files("pigro.schemas") / "result.schema.json").read_text())
    jsonschema.validate(document, schema)
    (result,) = document["results"]
    actions = [step["action"] for step in result["steps"]]
    assert actions[0] == "initialize"
    assert actions.count("contextualize") > 0
    assert sum(step["built"] for step in result["steps"]) == result["contexts"]


def test_text_steps():
    done = run("EG white", "--engine", "eager", "--trace")
    assert "step 1: initialize A1#" in done.stdout
    assert "contextualize box " in done.stdout
    assert "resolve a cycle: EG white is true at " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--trace"], "engine auto has no --trace"),
        (["--engine", "eager", "--seed", "1"], "engine eager has no --seed"),
        (["--engine", "ternary", "--heuristic", "next"], "engine ternary has no --heuristic"),
        (["--engine", "lazy", "--heuristic", "nxt"], "there is no heuristic 'nxt'"),
    ],
)
def test_options_that_do_not_fit(arguments, message):
    done = run("EG white", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_options_are_kept():
    assert with_options(LAZY, heuristic="random", seed=3, trace=True) == replace(
        LAZY, heuristic="random", seed=3, trace=True
    )
    assert with_options(DEMAND) is DEMAND
