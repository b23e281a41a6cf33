"""Labels that no node carries: one warning for all, or an error."""

from __future__ import annotations

import json
from pathlib import Path

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
