"""A batch warns as `pigro check` does, and keeps the warnings."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import pigro
from pigro.batch.answering import Answerer
from pigro.batch.exporting import write_results
from pigro.batch.plans import read_plan
from pigro.batch.store import Store
from pigro.batch.tasks import Task, digest_of
from pigro.cli.batch.telling import result_line
from pigro.cli.main import cli


def model_file(folder):
    path = folder / "small.rsm"
    pigro.save(pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a"), path)
    return str(path)


def parts_file(folder):
    part = pigro.PartBuilder("one", labels=["p"]).state("a", "p", initial=True).step("a", "a")
    pigro.save(part.build(), folder / "one.parts")
    return str(folder / "one.parts")


def programmed(folder):
    path = folder / "computing.py"
    path.write_text(
        "class System:\n    initial = 0\n"
        "    def successors(self, state):\n        return [state]\n"
        "    def labels(self, state):\n        return ['p']\n"
    )
    return f"{path}:System"


SUBJECTS = [model_file, parts_file]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_labels_that_are_nowhere(tmp_path, subject):
    task = Task(model=subject(tmp_path), formula="EF (p & q)")
    (found,) = Answerer().answer(task)
    assert found.verdict == "fails"
    assert '"q"' in found.warnings
    (error,) = Answerer().answer(Task(model=task.model, formula=task.formula, strict=True))
    assert error.verdict == "error"
    assert "P402" in error.reason


def test_all_kinds_of_warnings(tmp_path):
    name = model_file(tmp_path)
    answerer = Answerer()
    (found,) = answerer.answer(Task(model=name, formula="AG (!p -> p)"))
    assert "no reachable state satisfies its premise" in found.warnings
    (found,) = answerer.answer(Task(model=name, formula="AG p U p"))
    assert "write brackets" in found.warnings


def test_warnings_about_the_file_are_those_of_each_task(tmp_path):
    name = tmp_path / "small.rsm"
    text = Path(model_file(tmp_path)).read_text()
    name.write_text(text.replace("{", '{"semantic": "standard",', 1))
    answerer = Answerer()
    for formula in ("EF p", "AG p"):
        (found,) = answerer.answer(Task(model=str(name), formula=formula))
        assert found.verdict == "holds"
        assert "semantic" in found.warnings
    (found,) = answerer.answer(Task(model=str(name), formula="EF p", strict=True))
    assert (found.verdict, "P107" in found.reason) == ("error", True)


def test_programs_are_tasks(tmp_path):
    (found,) = Answerer().answer(Task(model=programmed(tmp_path), formula="AG p"))
    assert (found.verdict, found.warnings) == ("holds", "")


def test_how_parts_are_read(tmp_path):
    name = parts_file(tmp_path)
    for value, word in (("stop", "holds"), ("stutter", "holds"), ("error", "error")):
        (found,) = Answerer().answer(Task(model=name, formula="AG p", dead_ends=value))
        assert found.verdict == word
    (found,) = Answerer().answer(Task(model=name, formula="AG p", certify=True))
    assert "certify is for models, not for compositions" in found.reason


def test_warnings_are_kept_and_shown(tmp_path):
    (tmp_path / "plan.toml").write_text(
        f'[defaults]\nstrict = false\n[[task]]\nmodel = "{model_file(tmp_path)}"\nformula = "EF q"\n'
    )
    (task,) = read_plan(str(tmp_path / "plan.toml"))
    results = Answerer().answer(task)
    with Store(tmp_path / "store.sqlite") as store:
        store.add(digest_of(task), results)
        store.write()
        assert store.found([digest_of(task)])[digest_of(task)] == results
        write_results(store.results(), str(tmp_path / "out.jsonl"))
    row = json.loads((tmp_path / "out.jsonl").read_text())
    assert row["warnings"] == results[0].warnings
    assert "\n         warning: 1 label is on no node" in result_line(results[0])


@pytest.mark.parametrize("subject", SUBJECTS)
def test_evidence_is_kept_and_accepted(tmp_path, subject):
    name = subject(tmp_path)
    (found,) = Answerer().answer(Task(model=name, formula="AG p", witness=True))
    (tmp_path / "why.json").write_bytes(found.evidence)
    ended = CliRunner().invoke(cli, ["validate-witness", name, str(tmp_path / "why.json")])
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.startswith("accepted")
