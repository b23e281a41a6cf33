"""Plans: TOML, lines of JSON, and folders."""

import io
import json
from pathlib import Path

import pytest

from pigro.batch.plans import read_plan
from pigro.diagnostics import InputError, UsageError

PLAN = """
[defaults]
timeout = "30s"
memory = "2G"

[[task]]
model = ["light*.rsm"]
formulas = ["AG go", "EF go"]
engine = ["demand", "lazy"]

[[task]]
model = "light.rsm"
formula-files = ["light.ctl"]
dead-ends = "stop"
"""


def test_toml_has_globs_and_products(light):
    Path("light2.rsm").write_bytes(Path(light).read_bytes())
    Path("light.ctl").write_text("# one\nAF stop\n")
    Path("plan.toml").write_text(PLAN)
    tasks = list(read_plan("plan.toml"))
    assert len(tasks) == 2 * 2 * 2 + 1
    assert {task.model for task in tasks} == {"light.rsm", "light2.rsm"}
    assert all((task.timeout, task.memory) == (30.0, 2e9) for task in tasks)
    assert (tasks[-1].formula, tasks[-1].dead_ends) == ("AF stop", "stop")


def test_lines_of_json(light, monkeypatch):
    lines = [{"model": light, "formulas": ["AG go", "EF go"]}, {"model": light, "engine": "lazy"}]
    text = "\n".join(map(json.dumps, lines)).encode()
    Path("plan.jsonl").write_bytes(text)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    for name in ("plan.jsonl", "-"):
        tasks = list(read_plan(name))
        assert [task.formula for task in tasks] == ["AG go", "EF go", None]
        assert tasks[2].engine == "lazy"


def test_a_folder_takes_formulas_beside_models(light):
    Path("light.ctl").write_text("AF stop\nEF go\n")
    Path("notes.txt").write_text("not a model")
    assert [task.formula for task in read_plan(".")] == ["AF stop", "EF go"]


def test_lines_are_read_one_by_one(light):
    def lines():
        yield json.dumps({"model": light, "formula": "EF go"}).encode()
        raise AssertionError("read too far")

    from pigro.batch.plans import _lines

    assert next(_lines(lines(), "a test")).formula == "EF go"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"model": "a.rsm", "formulsa": []}', "formulsa"),
        ('{"formulas": ["EF go"]}', "no `model`"),
        ('{"model": "a.rsm", "timeout": "soon"}', "amount"),
        ("{", "not a task"),
    ],
)
def test_wrong_lines_are_told_with_their_place(light, text, told):
    Path("plan.jsonl").write_text('{"model": "light.rsm", "formula": "EF go"}\n' + text)
    with pytest.raises(InputError, match=told) as error:
        list(read_plan("plan.jsonl"))
    assert (error.value.code, error.value.position.line) == ("P017", 2)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("task = 3", "not a plan"),
        ("[[task]]\nmodel = 'x*.rsm'", "no file matches"),
        ("[[task]]\nmodell = 'x.rsm'", "modell"),
        ("[[task", "not a plan"),
    ],
)
def test_wrong_toml_is_told(light, text, told):
    Path("plan.toml").write_text(text)
    with pytest.raises(InputError, match=told):
        list(read_plan("plan.toml"))


def test_other_files_are_not_plans(light):
    with pytest.raises(UsageError, match="is not a plan"):
        read_plan(light)
