"""The page says what `pigro check`, `pigro explain` and `pigro label` say."""

from __future__ import annotations

import shlex
import threading
import time
from itertools import pairwise

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.main import cli
from pigro.engines.explaining import explain_at
from pigro.engines.labelling import satisfying
from pigro.evidence.states import EMPTY, Stack, State, Steps, enters_call
from pigro.explore import answers, takeaway
from pigro.explore.jobs import RUNNING, BackgroundJob, BackgroundJobs, TooManyJobs
from pigro.explore.states import read_state, step_out, step_over, told_state
from pigro.explore.subject import ExploreOptions, WatchedModel
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.limits import Budget, Limits

from support.processes.children import PATIENCE
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_EXPLORE_CASES", 30)
MODELS = ModelShape(components=4, boxes=2, nodes=6, density=0.3)
FORMULAS = FormulaShape(depth=2, operators=("EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU"))


def walk(model, length=40):
    """States of a walk, taken as the page takes steps."""
    at = {"stack": [], "node": model.initial[0]}
    for number in range(length):
        told = told_state(model, read_state(model, at))
        yield told
        if not told["next"]:
            return
        at = told["next"][number % len(told["next"])]


def assert_is_run(model, run):
    """Each step is one of the model, and so is the last one of a loop."""
    states, steps = [read_state(model, each) for each in run["states"]], Steps(model)
    if run["path"]["ends"] == "loop":
        states.append(states[run["path"]["start"]])
    for before, after in pairwise(states):
        assert after in steps.maximal_next(before)


def test_runs_from_a_state_under_calls():
    model = pigro.load("examples/server.rsm")
    state = State(Stack.of([1]), model.find("serve:ask"))
    answer = answers.checked(model, "AF answer", state, Budget())
    assert answer["report"]["verdicts"][0]["word"] == "fails"
    [run] = answer["runs"]
    assert [each["name"] for each in run["states"]] == ["serve:ask", "log:in", "log:in"]
    assert run["path"]["ends"] == "pump"
    assert run["path"]["end"].endswith("ever deeper: each round calls again")
    assert run["shows"] == " for EG !answer"
    answer = answers.checked(model, "EF sent", state, Budget())
    [run] = answer["runs"]
    assert read_state(model, run["states"][0]) == state
    assert run["states"][-1]["name"] == "main:send"
    assert_is_run(model, run)


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(CASES))
def test_random_models(seed):
    model, formula = random_model(MODELS, seed), random_formula(FORMULAS, seed)
    text, known = str(formula), satisfying(model, formula)
    [verdict] = answers.checked(model, text, None, Budget())["report"]["verdicts"]
    expected = pigro.check(model, formula)
    assert (verdict["word"], verdict["reason"]) == (expected.outcome, expected.reason)
    for component in range(model.core.components):
        nodes = answers.nodes_given(model, component, None, 150)
        told = answers.coloured(model, text, nodes, None, Budget())["truths"]
        assert told == {node: str(known.truth(node)) for node in nodes}
    for told in walk(model, 8):
        state = read_state(model, told)
        answer = answers.checked(model, text, state, Budget())
        [verdict] = answer["report"]["verdicts"]
        assert verdict["word"] == ("holds" if (state.stack, state.node) in known else "fails")
        for run in answer.get("runs", ()):
            assert_is_run(model, run)


@pytest.mark.parametrize(
    "formula",
    ["AG (request -> AF answer)", "G F request", "E [G F answer]", "mu Z. (answer | <> Z)", "true"],
)
def test_all_logics(formula):
    model = pigro.load("examples/server.rsm")
    assert answers.parsed(model, formula)["formula"]
    [verdict] = answers.checked(model, formula, None, Budget())["report"]["verdicts"]
    assert verdict["word"] == pigro.check(model, formula).outcome


def test_explains_as_the_command():
    model, formula = random_model(MODELS, 5), "AG (a -> EX b)"
    for node in answers.nodes_given(model, 1, None, 150):
        rows = answers.explained(model, formula, node, Budget())["rows"]
        expected = explain_at(model, formula, node)
        assert [each["truth"] for each in rows] == [str(each.truth) for each in expected]
        for row, each in zip(rows, expected, strict=True):
            for side in ("true_in", "false_in"):
                there = getattr(each, side)
                assert (row[side] is None) == (there is None)
                if there is not None:
                    assert read_state(model, row[side]) == there


@pytest.mark.parametrize("seed", range(5))
def test_steps_are_those_of_the_model(seed):
    model = random_model(MODELS, seed)
    for told in walk(model):
        state = read_state(model, told)
        after = [read_state(model, each) for each in told["next"]]
        assert after == Steps(model).maximal_next(state)
        for each in told["next"]:
            entered = enters_call(model, state, read_state(model, each))
            assert (each["kind"] == "call") == entered


def test_step_over_and_out():
    model = pigro.load("examples/server.rsm")
    [over] = step_over(model, State(EMPTY, model.find("main:start")), Budget())
    assert over["name"] == "log:out"
    assert over["stack"] == [0]
    after = Steps(model).next(read_state(model, over))
    assert [model.node_name(each.node) for each in after] == ["main:wait"]
    serve = State(Stack.of([1]), model.find("serve:ask"))
    names = {each["name"] for each in step_out(model, serve, Budget())}
    assert names == {"serve:done", "serve:refused"}


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        {},
        {"stack": [], "node": -1},
        {"stack": [], "node": 10**9},
        {"stack": [], "node": "0"},
        {"stack": [], "node": True},
        {"stack": [99], "node": 0},
        {"stack": [-1], "node": 0},
        {"stack": [0], "node": 0},
        {"stack": [0, 1], "node": 16},
        {"stack": "0", "node": 0},
        {"stack": [0] * 20_000, "node": 16},
    ],
)
def test_states_that_there_are_not(given):
    model = pigro.load("examples/server.rsm")
    with pytest.raises(pigro.UsageError):
        read_state(model, given)


def test_command_lines_give_the_same_answer():
    loaded = WatchedModel(ExploreOptions("examples/server.rsm")).now
    formula = "AG (request -> AF answer)"
    line = answers.command_line(ExploreOptions("examples/server.rsm"), loaded, formula, None)
    done = CliRunner().invoke(cli, shlex.split(line)[1:], prog_name="pigro")
    assert done.stdout.startswith("fails")
    start = State(EMPTY, loaded.model.find("main:end"))
    line = answers.command_line(ExploreOptions("examples/server.rsm"), loaded, formula, start)
    done = CliRunner().invoke(cli, shlex.split(line)[1:], prog_name="pigro")
    assert done.stdout.startswith("holds")
    under = State(Stack.of([0]), 16)
    assert (
        answers.command_line(ExploreOptions("examples/server.rsm"), loaded, formula, under) is None
    )


def test_files_to_keep_are_right(tmp_path):
    model, formula = pigro.load("examples/server.rsm"), "AG (request -> AF answer)"
    for make, file in ((takeaway.evidence, "a.json"), (takeaway.certificate, "a.cert")):
        (tmp_path / file).write_bytes(make(model, formula, None, Budget()))
        command = ["validate-witness", "examples/server.rsm", str(tmp_path / file)]
        done = CliRunner().invoke(cli, command, prog_name="pigro")
        assert done.exit_code == 0, done.stderr
    assert takeaway.report(model, formula, None, Budget()).startswith(b"<!doctype html>")


def test_jobs_can_be_stopped_and_are_few():
    jobs, began = BackgroundJobs(), threading.Barrier(RUNNING + 1)

    def endless(budget):
        began.wait(60)
        while True:
            budget.look()

    running = [jobs.start(endless, Limits()) for _ in range(RUNNING)]
    began.wait(60)
    with pytest.raises(TooManyJobs):
        jobs.start(endless, Limits())
    jobs.stop_all()
    for each in running:
        assert each.done.wait(60)
        assert each.told()["state"] == "stopped"
    late = jobs.start(lambda _: {"answer": 1}, Limits())
    assert late.done.wait(60)
    assert late.told() == {"job": RUNNING + 1, "state": "done", "answer": 1}


def test_limits_end_a_job():
    jobs = BackgroundJobs()

    def endless(budget):
        while True:
            budget.look()

    job = jobs.start(endless, Limits(seconds=0.01))
    assert job.done.wait(60)
    assert job.told()["state"] == "unknown"


PIECES = [f"(G F ({'X ' * at}a & X b) | F G ({'X ' * (at + 1)}c))" for at in range(16)]
ENDLESS = f"E [{' & '.join(PIECES)}]"
"""Its automaton has more states than any machine has room for."""


@pytest.mark.parametrize(
    "work",
    [
        lambda model, budget: answers.checked(model, ENDLESS, None, budget),
        lambda model, budget: answers.checked(model, ENDLESS, under_a_call(model), budget),
        lambda model, budget: answers.coloured(model, ENDLESS, [0, 1], None, budget),
        lambda model, budget: answers.explained(model, ENDLESS, 0, budget),
        lambda model, budget: {"content": takeaway.report(model, ENDLESS, None, budget)},
    ],
    ids=["ask", "ask under a call", "colour", "explain", "report"],
)
def test_a_check_is_stopped(work, monkeypatch):
    """The engine itself is: it is in the middle of its work, and then its thread is gone."""
    model = random_model(ModelShape(components=8, boxes=3, nodes=20), 1)
    before, ticks, plain = set(threading.enumerate()), [], BackgroundJob.tick
    monkeypatch.setattr(BackgroundJob, "tick", lambda self: (ticks.append(1), plain(self)))
    job = BackgroundJobs().start(lambda budget: work(model, budget), Limits())
    until(lambda: len(ticks) > 5)  # the engine works, and asks whether to go on
    assert job.told()["state"] == "running"
    job.stop.set()
    assert job.done.wait(PATIENCE)
    assert job.told() == {"job": 1, "state": "stopped"}
    for thread in set(threading.enumerate()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def under_a_call(model):
    box = model.core.boxes_of(0)[0]
    return State(Stack.of([box]), model.core.subject(model.core.listed_calls(box)[0]))


def until(condition):
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + PATIENCE
        time.sleep(0.01)
