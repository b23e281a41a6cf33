"""Names that try to move the cursor, set colours, or break lines and documents."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import pigro

NAMES = [
    "\x1b[31mred",
    "two\nlines",
    "\x9b2J",
    "<script>alert(1)</script>",
    "\u202eright-to-left",
    "bell\x07\x7f",
    'quo"te\\',
    "é漢字😀",
]


def harmless(text):
    return all(c.isprintable() or c == "\n" for c in text)


def hostile_model(name):
    return pigro.kripke({name: [name]}, labels={name: [name]}, initial=name)


@pytest.fixture(params=NAMES, ids=ascii)
def name(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pigro.save(hostile_model(request.param), "hostile.rsm")
    return request.param


@pytest.mark.parametrize("form", ["text", "json"])
def test_names_in_results(run, name, form):
    formula = f"AG {pigro.logic.quote(name)}"
    result = run("check", "hostile.rsm", formula, "--stats", "--format", form)
    assert (result.exit_code, result.stderr) == (0, "")
    assert harmless(result.stdout)
    if form == "json":
        document = json.loads(result.stdout)
        assert document["results"][0]["formula"] == formula
        assert document["model"]["initial"] == [f"kripke:{name}"]
    else:
        assert len(result.stdout.splitlines()) == 10 + 1 + 2


def test_names_in_messages(run, name):
    unknown = pigro.logic.quote(name + "?")
    for args in (
        ["hostile.rsm", f"AG {unknown}", "--start", name],
        ["hostile.rsm", "AG true", "--start", name + "?"],
        ["hostile.rsm", f"AG {unknown}", "--strict"],
        ["hostile.rsm", f"AG ({unknown}"],
        ["hostile.rsm", "AG true", "--engine", name],
        ["hostile.rsm", "AG true", f"--{name}"],
        [f"{name}.rsm", "AG true", "-f", f"{name}.ctl"],
        ["hostile.rsm", "AG true", "--output", f"none/{name}"],
    ):
        result = run("check", *args)
        assert result.exit_code in (1, 2)
        assert harmless(result.stderr)
        assert harmless(result.stdout)


def test_an_unknown_subcommand(run, name):
    result = run(name)
    assert result.exit_code == 2
    assert harmless(result.stderr)


def test_names_in_a_wrong_file(run, name):
    reference = {"type": name, "name": name}
    component = {
        "name": name,
        "nodes": [{"name": name}],
        "transitions": [{"source": reference, "targets": []}],
    }
    model = {"initial_component": name, "initial_node": name, "components": [component]}
    Path("wrong.rsm").write_text(json.dumps(model))
    result = run("check", "wrong.rsm", "AG true")
    assert (result.exit_code, result.stdout) == (2, "")
    assert harmless(result.stderr)


def test_bytes_that_are_no_text(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = os.fsdecode(b"\xff.rsm")
    pigro.save(hostile_model("a"), file)
    result = run("check", file, 'EF "' + os.fsdecode(b"\xfe") + '"', "--format", "json")
    result.stdout_bytes.decode("utf-8")
    assert json.loads(result.stdout)["model"]["file"] == file
    text = run("check", file, 'EF "' + os.fsdecode(b"\xfe") + '"', "--stats").stdout
    assert text.startswith("model       \\udcff.rsm\n")
    assert 'fails    EF "\\udcfe"\n' in text
