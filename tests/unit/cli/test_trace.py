"""`--trace` of the engines of RMV. That of the others is tested with them."""

import json
from pathlib import Path

import pytest

import pigro

WALK = str(Path(__file__).resolve().parents[3] / "examples" / "walk.rsm")


@pytest.fixture
def one_exit(tmp_path):
    builder = pigro.ModelBuilder()
    main = builder.component("main")
    main.entry("start")
    main.node("end", labels=["p"])
    box = main.box("b", calls="callee")
    main.edge("start", box.call("in"))
    main.edge(box.returned("ok"), "end")
    callee = builder.component("callee")
    callee.entry("in")
    callee.exit("ok")
    callee.edge("in", "ok")
    path = tmp_path / "one.rsm"
    pigro.save(builder.build(initial="main:start"), path)
    return str(path)


@pytest.mark.parametrize("engine", ["incremental", "knowledge", "basic"])
def test_steps_as_text_and_json(run, one_exit, engine):
    done = run("check", one_exit, "EF p", "--engine", engine, "--trace")
    assert done.exit_code == 0
    assert "label: E [true U p] is true at main:" in done.stdout
    told = json.loads(
        run("check", one_exit, "EF p", "--engine", engine, "--trace", "--format", "json").stdout
    )
    steps = told["results"][0]["steps"]
    assert {step["action"] for step in steps} <= {"visit", "label"}
    assert all(step["reason"] for step in steps)
    labelled = {node for step in steps if step["action"] == "label" for node in step["nodes"]}
    assert "main:start" in labelled


def test_without_trace_there_are_no_steps(run, one_exit):
    told = json.loads(
        run("check", one_exit, "EF p", "--engine", "knowledge", "--format", "json").stdout
    )
    assert "steps" not in told["results"][0]


def test_engines_without_steps(run, one_exit):
    done = run("check", one_exit, "EF p", "--engine", "demand", "--trace")
    assert done.exit_code == 2
    assert "knowledge or basic" in done.stderr


def test_dead_ends_must_stutter(run, one_exit):
    done = run("check", one_exit, "EF p", "--engine", "knowledge", "--dead-ends", "stop")
    assert done.exit_code == 2
    assert "P404" in done.stderr


def test_a_component_about_whose_return_nothing_is_assumed(run):
    """It returns, to states that differ in the label."""
    result = run("check", WALK, "EX closed", "--engine", "knowledge", "--trace")
    second = result.stdout.splitlines()[3].strip()
    assert second == "step 2: visit visit for closed (collect); nothing is assumed about a return"
