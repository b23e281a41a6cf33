"""Labels that no node carries: one warning for all, or an error."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import pigro
from pigro.diagnostics import InputError
from pigro.formats.rsm_keys import UnknownKeyWarning

WARNING = (
    "2 labels are on no node of the model, so false everywhere: "
    '"dnoe" (did you mean "done"?), "zebra"'
)


def test_one_warning_for_all_formulas(run, app, recwarn):
    result = run("check", app, "EF dnoe", "EF zebra", "AG !dnoe", "EF use")
    assert (result.exit_code, result.stderr) == (1, f"warning: {WARNING}\n")
    assert not recwarn.list


def test_in_json_too(run, app):
    result = run("check", app, "EF dnoe", "EF zebra", "--format", "json")
    assert json.loads(result.stdout)["warnings"] == [WARNING]
    assert result.stderr == f"warning: {WARNING}\n"


def test_strict(run, app):
    result = run("check", app, "EF dnoe", "EF zebra", "--strict")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error[P402]: {WARNING}\n"
    assert run("check", app, "EF use", "--strict").exit_code == 0


def test_a_label_that_is_a_file_gets_a_hint(run, app):
    Path("props.ctl").write_text("EF use\n")
    result = run("check", app, "props.ctl")
    assert result.stderr.count("warning: ") == 1
    assert result.stderr.endswith("to read formulas from the file props.ctl, write -f before it\n")


@pytest.mark.parametrize("translation", ["split", "general", "single"])
def test_a_label_of_a_name_that_is_in_no_rule_of_a_pushdown_system(run, translation):
    """`bad` is on a symbol of a rule that no run comes to: nobody mistyped it."""
    Path("a.pds").write_text(
        "(p <a>)\np <a> --> p <b>\np <b> --> p <b>\np <c> --> q <c>\n"
        "ATOMS a start\nATOMS c bad\nATOMS typo ghost\nATOMS p <typo> ghost\nATOMS q <a> pair\n"
    )
    format_ = f"pds:{translation}"
    for label in ("start", "bad", "pair"):
        done = run("check", "a.pds", f"AG !{label}", "--strict", "--from", format_)
        assert (done.exit_code, done.stderr) == (int(label == "start"), "")
    done = run("check", "a.pds", "AG !ghost", "--strict", "--from", format_)
    assert done.exit_code == 2
    assert "error[P402]: 1 label is on no node of the model" in done.stderr


MISSPELLED = 'the key "lables" in app.rsm:{line} is ignored (did you mean "labels"?)'


@pytest.fixture(params=["app.rsm", "placed.rsm"])
def misspelled(run, app, request):
    """A file with `lables` in place of `labels`. The second one has source positions."""
    text = Path(app).read_text().replace('"labels": ["done"]', '"lables": ["done"]')
    text = re.sub(r'"labels": \[\s*"done"\s*\]', '"lables": ["done"]', text, count=1)
    assert "lables" in text
    if request.param == "placed.rsm":
        text = text.replace('"name": "main",', '"name": "main", "at": [1], "file": "m.c",', 1)
    Path(app).write_text(text)
    line = text[: text.index('"lables"')].count("\n") + 1
    return MISSPELLED.format(line=line)


def test_misspelled_keys_of_a_file(run, app, misspelled, recwarn):
    done = run("check", app, "EF use", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, f"warning: {misspelled}\n")
    assert json.loads(done.stdout)["warnings"] == [misspelled]
    assert not recwarn.list
    assert run("show", app).stderr == f"warning: {misspelled}\n"


def test_misspelled_keys_are_errors_with_strict(run, app, misspelled):
    done = run("check", app, "EF use", "--strict")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith('error[P107]: the key "lables" is ignored\n  --> app.rsm:')
    assert done.stderr.endswith('hint: did you mean "labels"?\n')
    with pytest.raises(InputError, match="lables"):
        pigro.check(app, "EF use", strict=True)


def test_programs_get_the_warning_too(app, misspelled):
    for read in (pigro.load, lambda name: pigro.check(name, "EF use")):
        with pytest.warns(UnknownKeyWarning) as told:
            read(app)
        assert [str(each.message) for each in told] == [misspelled]


def test_other_keys_are_ignored(run, app):
    """Also if they are like keys that their object has."""
    text = re.sub(r'"name":', '"notes": [], "formulas": {}, "name":', Path(app).read_text())
    Path(app).write_text(text.replace('"nodes"', '"nodez": 1, "own": {"lables": 1}, "nodes"'))
    done = run("check", app, "EF use", "--strict")
    assert (done.exit_code, done.stderr) == (0, "")
