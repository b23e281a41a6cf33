"""Properties that a model's file states, and use-def formulas, by a format of another package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pigro.limits import Budget

from support.samples.plug_ins import TOGGLE, install_plug_in


@pytest.fixture
def lamp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    install_plug_in(tmp_path, monkeypatch, TOGGLE, "toggle = toggle_plugin")
    Path("lamp.toggle").write_text("toggle on off\n")
    return "lamp.toggle"


def rows(result):
    return [line for line in result.stdout.splitlines() if line[:1].isalpha()]


def test_properties_of_the_file_each_with_its_own_start(run, lamp):
    result = run("check", lamp)
    assert (result.exit_code, result.stderr) == (1, "")
    assert rows(result) == [
        "holds    on (from kripke:on)",
        "holds    off (from kripke:off)",
        "fails    on (from kripke:off)",
    ]


def test_in_json_a_result_tells_its_start(run, lamp):
    report = json.loads(run("check", lamp, "--format", "json").stdout)
    assert report["model"]["initial"] == ["kripke:on"]
    assert [each.get("initial") for each in report["results"]] == [
        None,
        ["kripke:off"],
        ["kripke:off"],
    ]


def test_a_start_of_the_command_line_is_for_all(run, lamp):
    words = [row.split()[0] for row in rows(run("check", lamp, "--start", "off"))]
    assert words == ["fails", "holds", "fails"]


def test_with_a_formula_the_file_is_not_asked(run, lamp):
    assert rows(run("check", lamp, "AF off")) == ["holds    AF off"]


def test_one_time_limit_for_all_starts(run, lamp, monkeypatch):
    left = iter([200, 1e-9, 1e-9])

    class Late(Budget):
        seconds_left = property(lambda self: next(left))

    monkeypatch.setattr("pigro.session.prepare.Budget", Late)
    result = run("check", lamp, "--timeout", "10m")
    assert [row.split()[0] for row in rows(result)] == ["holds", "unknown", "unknown"]
    assert "no verdict within the time limit of 600 s" in result.stdout
    assert result.exit_code == 3


def test_use_def(run, lamp):
    assert run("check", lamp, "--list-variables").stdout == "on\noff\n"
    assert rows(run("check", lamp, "--use-def", "off")) == [
        "holds    AG (off -> EF (!off | used_off))"
    ]
    both = ["holds    AG (on -> EF (!on | used_on))", "holds    AG (off -> EF (!off | used_off))"]
    assert rows(run("check", lamp, "--use-def", "all")) == both
    assert rows(run("check", lamp, "on", "--use-def", "all")) == ["holds    on", *both]
    result = run("check", "-", "--list-variables", stdin="toggle a b")
    assert result.stdout == "a\nb\n"


def test_labels_that_only_a_template_names_are_no_mistake(run, lamp):
    for args in (["--use-def", "all"], ["on", "--use-def", "all", "--strict"]):
        assert (run("check", lamp, *args).exit_code, run("check", lamp, *args).stderr) == (0, "")
    assert "warning: 1 label is on no node" in run("check", lamp, "onn", "--use-def", "all").stderr


def test_unknown_variables(run, lamp, app):
    result = run("check", lamp, "--use-def", "offf")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        'error[P008]: the model has no variable "offf"\n  hint: did you mean "off"?\n'
    )
    result = run("check", app, "--use-def", "all")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "error[P008]: the model has no variables\n"
        "  hint: they are known by labels def_V, use_V and usedef_V of nodes\n"
    )
    assert run("check", app, "--list-variables").exit_code == 2


def test_no_formula_where_a_file_states_none(run, app):
    result = run("check", app)
    assert result.exit_code == 2
    assert result.stderr.startswith("error[P002]: no formula given\n")


def test_formats_of_other_packages_are_listed(run, lamp):
    text = run("formats").stdout
    assert text.splitlines()[-1].split(maxsplit=5) == [
        "toggle", ".toggle", "yes", "yes", "properties,",
        "use-def  two states, by their names (from toggle_plugin)",
    ]  # fmt: skip


def test_from(run, lamp):
    Path("lamp.rsm").write_text("toggle on off")
    assert run("check", "lamp.rsm", "on", "--from", "toggle").exit_code == 0
    result = run("check", lamp, "on", "--from", "rsm")
    assert result.stderr.startswith("error[P101]: not valid JSON")
    result = run("check", lamp, "on", "--from", "togle")
    assert result.stderr == (
        'error[P006]: there is no format "togle"\n  hint: did you mean "toggle"?\n'
    )


def test_convert_to_and_from(run, lamp):
    assert run("convert", lamp, "lamp.rsm").exit_code == 0
    assert run("convert", "lamp.rsm", "again.toggle").exit_code == 0
    assert Path("again.toggle").read_text() == "toggle on off\n"
