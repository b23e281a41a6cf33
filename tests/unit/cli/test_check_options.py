"""Choices: engine, semantics, dead ends, statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pigro
from pigro.engines import ENGINES
from pigro.options import ENGINE_NAMES


def test_engine_names_are_those_of_the_engines():
    assert list(ENGINE_NAMES) == ["auto", *ENGINES]


@pytest.mark.parametrize("name", ENGINE_NAMES)
def test_engine(run, app, name):
    depth = ["--depth", "3"] if name == "onthefly" else []  # the model is recursive
    if name == "game":  # for models without calls
        pigro.save(pigro.kripke({"a": ["a"]}, labels={"a": ["use"]}, initial="a"), app)
    result = run("check", app, "EF use", "--engine", name, *depth, "--format", "json")
    (found,) = json.loads(result.stdout)["results"]
    assert found["verdict"] == "holds"
    assert found["engine"] in ENGINES
    assert name in ("auto", found["engine"])


def test_unknown_choice(run, app):
    result = run("check", app, "EF use", "--engine", "exhaustiv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P006]: invalid value for '--engine': 'exhaustiv' ")
    assert result.stderr.endswith('  hint: did you mean "exhaustive"?\n')


def with_dead_ends():
    """`main` calls a node that is entry and exit at once, then stops at a dead end."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start")
    main.node("stuck", labels=["stuck"])
    box = main.box("call", calls="line")
    main.edge("start", box.call("x"))
    main.edge(box.returned("x"), "stuck")
    line = model.component("line")
    line.node("x", entry=True, exit=True)
    return model.build(initial="main:start")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], ["holds", "holds"]),
        (["--dead-ends", "stutter"], ["holds", "holds"]),
        (["--dead-ends", "stop"], ["holds", "fails"]),
        (["--semantics", "rsmcheck"], ["fails", "fails"]),
        (["--semantics", "rsmcheck", "--dead-ends", "stutter"], ["fails", "holds"]),
    ],
)
def test_semantics_and_dead_ends(run, tmp_path, options, words):
    file = tmp_path / "dead.rsm"
    pigro.save(with_dead_ends(), file)
    result = run("check", str(file), "EF stuck", "AG EX true", *options, "--format", "json")
    assert [each["verdict"] for each in json.loads(result.stdout)["results"]] == words


def test_dead_ends_as_errors(run, tmp_path):
    file = tmp_path / "dead.rsm"
    pigro.save(with_dead_ends(), file)
    result = run("check", str(file), "EF stuck", "--dead-ends", "error")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P211]: 1 dead end; the first: main:stuck ")


def test_statistics_in_text(run, app):
    lines = run("check", app, "EF use", "--stats").stdout.splitlines()
    assert lines[:9] == [
        "model       app.rsm",
        "semantics   standard, dead ends: stutter",
        "initial     main:start",
        "components  2 (1 recursive, 0 unreachable)",
        "nodes       5 (2 entries, 2 exits, 0 both; at most 1 exit each)",
        "edges       7",
        "boxes       2 (2 calls, 2 returns)",
        "labels      3",
        "dead ends   none",
    ]
    assert lines[9].startswith("loaded in   ")
    assert lines[-1].endswith(" passes")
    assert " visited, " in lines[-1]


def test_dead_ends_are_counted_by_kind(run, tmp_path):
    file = tmp_path / "dead.rsm"
    pigro.save(with_dead_ends(), file)
    text = run("check", str(file), "EF stuck", "--stats", "--semantics", "rsmcheck").stdout
    assert "\ndead ends   2 (1 plain, 1 call of an entry-exit node)\n" in text


def test_many_formulas_get_a_line_each(run, app):
    few = run("check", app, *["EF use"] * 20).stdout
    many = run("check", app, *["EF use"] * 21).stdout
    assert len(few.splitlines()) == 2 * 20 + 2
    assert len(many.splitlines()) == 21 + 2
    assert many.splitlines()[-1].startswith("21 hold, ")


def test_a_verdict_of_the_unsound_variant_is_marked(run):
    """It is wrong, has no proof, and says so."""
    choices = str(Path(__file__).resolve().parents[3] / "examples" / "choices.rsm")
    options = ("--engine", "ternary", "--variant", "tool", "--witness")
    result = run("check", choices, "EF EG black", *options)
    assert result.exit_code == 1
    assert "NOT PROVED: the variant `tool` decided a cycle without grounds" in result.stdout


_FEW = """
class Few:
    def __init__(self, seed):
        self.seed = seed

    def __call__(self, situation):
        assert situation.formula and situation.model
        for each in situation.instances():
            assert set(each.context.values()) <= {True, False}
            assert {node for node, _ in each.interpretation} <= set(each.nodes)
        boxes = situation.boxes()
        for box in boxes:
            known = box.caller_instance.interpretation
            assert len(known) > 0 and box.callee_instance.component == box.callee
        return boxes[:1]


def broken(seed):
    raise ValueError("not today")


def wrong(seed):
    return lambda situation: [7]


nothing = 7
"""


def test_a_heuristic_from_a_file(run, tmp_path):
    choices = str(Path(__file__).resolve().parents[3] / "examples" / "choices.rsm")
    file = tmp_path / "mine.py"
    file.write_text(_FEW)
    ask = ("check", choices, "AG EF black", "--engine", "lazy", "--heuristic")
    assert run(*ask, f"{file}:Few").exit_code == 1
    faults = {
        f"{file}:Fwe": "has nothing called 'Fwe'",
        f"{file}:broken": "raised ValueError: not today",
        f"{file}:nothing": "is not a function or class that takes a seed",
        f"{tmp_path}/other.py:Few": "there is no file",
        "few": "there is no heuristic 'few'",
    }
    for name, fault in faults.items():
        result = run(*ask, name)
        assert (result.exit_code, "error[P405]" in result.stderr) == (2, True), name
        assert fault in result.stderr, name
    result = run(*ask, f"{file}:wrong")
    assert (result.exit_code, "error[P405]" in result.stderr) == (2, True)
    assert "gave int, not a box" in result.stderr
    assert "warning: stopped by an error: 0 of 1 formulas" in result.stderr, (
        "it is no fault of ours"
    )


def test_no_certificate_for_a_verdict_without_grounds(run, tmp_path):
    choices = str(Path(__file__).resolve().parents[3] / "examples" / "choices.rsm")
    ask = ("check", choices, "EF EG black", "--engine", "ternary", "--variant", "tool")
    result = run(*ask, "--certificate", str(tmp_path / "proof"))
    assert "NOT PROVED" in result.stdout
    assert "1 verdict has no certificate: the engine did not prove it\n" in result.stderr
    assert "limits" not in result.stderr
