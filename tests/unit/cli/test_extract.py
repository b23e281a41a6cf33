"""`pigro extract` writes a model of code that it reads, and no model of anything else."""

from pathlib import Path

import pytest

BROKEN = "def f(:\n    pass\n"
JAVA = "class Dataflow {\n  int i = 1;\n}\n"


def refused(result):
    """What was said by a run that wrote no model."""
    assert (result.exit_code, result.stdout) == (2, "")
    assert not Path("x.rsm").exists()
    return result.stderr


@pytest.mark.parametrize(
    ("name", "language"),
    [("Dataflow.java", "Java"), ("fig.c", "C"), ("FIG.C", "C"), ("a.ipynb", "a Jupyter notebook")],
)
def test_a_file_in_another_language_is_refused_by_its_name(run, name, language):
    Path(name).write_text(JAVA, encoding="utf-8")
    told = refused(run("extract", name, "-o", "x.rsm"))
    assert f"error[P154]: this is {language}, which Pigro does not read\n  --> {name}\n" in told
    assert "hint: Pigro reads models from Python (.py .pyw)" in told
    assert "P150" not in told


def test_a_file_of_an_unknown_kind_is_refused(run):
    for name in ("notes.txt", "notes"):
        Path(name).write_text("x = 1\n", encoding="utf-8")
        told = refused(run("extract", name, "-o", "x.rsm"))
        assert "error[P154]: not source code that Pigro reads" in told
        assert "error[P154]" in run("scan", name).stderr


def test_an_old_model_is_kept_when_its_source_is_refused(run):
    Path("fig.c").write_text("int x;\n", encoding="utf-8")
    Path("old.rsm").write_text("old", encoding="utf-8")
    assert run("extract", "fig.c", "-o", "old.rsm").exit_code == 2
    assert Path("old.rsm").read_text(encoding="utf-8") == "old"


def test_a_script_says_its_language_in_its_first_line(run):
    Path("tool").write_text("#!/usr/bin/env python3\nx = 1\n", encoding="utf-8")
    assert run("extract", "tool", "-o", "tool.rsm").exit_code == 0
    Path("other").write_text("#!/bin/sh\nx=1\n", encoding="utf-8")
    assert "error[P154]" in run("extract", "other", "-o", "x.rsm").stderr


def test_a_named_file_with_a_syntax_error_makes_no_model(run):
    Path("fine.py").write_text("x = 1\n", encoding="utf-8")
    Path("broken.py").write_text(BROKEN, encoding="utf-8")
    assert "--> broken.py:1:7" in refused(run("extract", "broken.py", "-o", "x.rsm"))
    assert "error[P150]" in refused(run("extract", "fine.py", "broken.py", "-o", "x.rsm"))


def test_a_folder_is_read_without_its_broken_files(run):
    Path("src").mkdir()
    Path("src/fine.py").write_text("def g():\n    x = 1\n", encoding="utf-8")
    Path("src/broken.py").write_text(BROKEN, encoding="utf-8")
    Path("src/other.c").write_text("int x;\n", encoding="utf-8")
    result = run("extract", "src", "-o", "src.rsm")
    assert result.exit_code == 2
    assert "--> src/broken.py:1:7" in result.stderr
    assert "note: 1 file left out of the model" in result.stderr
    assert run("check", "src.rsm", "EF def_fine.g.x").exit_code == 0


def test_a_folder_with_only_broken_files_makes_no_model(run):
    Path("src").mkdir()
    Path("src/broken.py").write_text(BROKEN, encoding="utf-8")
    assert "error[P150]" in refused(run("extract", "src", "-o", "x.rsm"))


def test_an_entry_of_a_broken_file_shows_why_it_is_missing(run):
    Path("src").mkdir()
    Path("src/fine.py").write_text("x = 1\n", encoding="utf-8")
    Path("src/broken.py").write_text(BROKEN, encoding="utf-8")
    told = refused(run("extract", "src", "-o", "x.rsm", "--entry", "broken.f"))
    assert "error[P150]" in told
    assert "error[P009]" in told
