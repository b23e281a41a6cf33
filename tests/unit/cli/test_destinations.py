"""A file that can't be written is refused before any work begins, by every command that writes one.

An option that names such a file and is not in the table makes a test fail. Add a row for it.
"""

from __future__ import annotations

import pytest

from pigro.cli.main import _COMMANDS, cli

MISSING = "missing/out.rsm"
ROWS = {
    ("scan", "output"): ("nowhere.py", "--output", MISSING),
    ("scan", "write_baseline"): ("nowhere.py", "--write-baseline", "--baseline", MISSING),
    ("extract", "output"): ("nowhere.py", "--output", MISSING),
    ("check", "certify"): ("nowhere.rsm", "p", "--certificate", MISSING),
    ("check", "output"): ("nowhere.rsm", "p", "--output", MISSING),
    ("check", "html"): ("nowhere.rsm", "p", "--html", MISSING),
    ("check", "draw"): ("nowhere.rsm", "p", "--draw", "missing/out.dot"),
    ("compose", "assumption"): ("nowhere.parts", "--check", "p", "--method", "refine",
                                "--save-assumption", "missing/out.parts"),
    ("compose", "output"): ("nowhere.parts", "--output", MISSING),
    ("compose", "html"): ("nowhere.parts", "--html", MISSING),
    ("compose", "draw"): ("nowhere.parts", "--draw", "missing/out.dot"),
    ("label", "automaton"): ("app.rsm", "use", "--automaton", "missing/out.json"),
    ("show", "draw"): ("nowhere.rsm", "--draw", "missing/out.dot"),
    ("convert", "out"): ("nowhere.rsm", MISSING),
    ("generate ctl", "output"): ("--output", MISSING),
    ("generate pds", "output"): ("--output", MISSING),
    ("generate rsm", "output"): ("--output", MISSING),
    ("generate smv", "output"): ("--output", MISSING),
    ("bench", "csv"): ("nowhere.rsm", "--csv", MISSING),
    ("bench", "json"): ("nowhere.rsm", "--json", MISSING),
    ("batch", "export"): ("nowhere.jsonl", "--store", "new.sqlite", "--export", "missing/out.csv"),
}  # fmt: skip
"""By command and option. Inputs are missing too: nobody came to read them, but for `label`."""
OTHERS = {("convert", "to"), ("extract", "to"), ("scan", "form")}
"""A folder that is made, and formats."""
_VERBS = ("Write ", "Draw ", "Put ", "With --method refine or refine-one and one formula: also")


def commands():
    for name in _COMMANDS:
        command = cli.get_command(None, name)
        inner = getattr(command, "commands", {}) if name == "generate" else {}
        yield from ((f"{name} {each}", inner[each]) for each in inner)
        if not inner:
            yield name, command


def writers():
    for name, command in commands():
        for each in command.params:
            help_text = getattr(each, "help", None) or ""
            if each.name in {"out", "output"} or help_text.startswith(_VERBS):
                yield name, each.name


def test_every_option_that_names_a_file_to_write_is_in_the_table():
    assert {*writers()} - OTHERS == {*ROWS}


@pytest.mark.parametrize(("command", "option"), ROWS)
def test_a_missing_folder_is_refused_before_work_begins(run, app, tmp_path, command, option):
    result = run(*command.split(), *ROWS[command, option])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "error[P003]: can't write missing/out" in result.stderr
    assert "its folder does not exist" in result.stderr
    assert [each.name for each in tmp_path.iterdir()] == [app]


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["--export", "out.csv"], "P006", "about the results in a store"),
        (["--show"], "P006", "about the results in a store"),
        (["--store", "new.sqlite", "--export", "out.txt"], "P007", "does not end in a format"),
        (["--store", "new.sqlite", "--export", "new.sqlite"], "P007", "does not end in a format"),
    ],
)
def test_batches_refuse_exports_before_they_run(run, tmp_path, arguments, code, text):
    result = run("batch", "nowhere.jsonl", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"error[{code}]" in result.stderr
    assert text in result.stderr
    assert not [*tmp_path.iterdir()]
