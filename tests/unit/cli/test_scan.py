"""`pigro scan` and `pigro extract`."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """\
import os


def write(fd, data):
    os.write(fd, data)


def save(path, data):
    fd = os.open(path, os.O_WRONLY)
    write(fd, data)
    if not data:
        return False
    os.close(fd)
    return True
"""


def test_a_finding_as_text(run):
    Path("app.py").write_text(PROGRAM, encoding="utf-8")
    result = run("scan", "app.py")
    assert result.exit_code == 1
    assert result.stdout.startswith(
        "warning[fd-leak]: `fd` from `os.open` is not released\n  --> app.py:9:10\n"
    )
    assert "12 : return False" in result.stdout
    assert result.stdout.endswith("1 finding in 1 file\n")


def test_a_finding_as_json(run):
    Path("app.py").write_text(PROGRAM, encoding="utf-8")
    result = run("scan", "--format", "json")
    document = json.loads(result.stdout)
    assert document["schema"] == "pigro.scan/1"
    [finding] = document["findings"]
    assert (finding["rule"], finding["file"], finding["line"]) == ("fd-leak", "app.py", 9)
    assert [each["line"] for each in finding["steps"]][-1] == 12
    assert finding["steps"][-1]["decisive"]


def test_no_findings(run):
    Path("app.py").write_text("x = 1\n", encoding="utf-8")
    result = run("scan", ".")
    assert (result.exit_code, result.stdout) == (0, "0 findings in 1 file\n")


def test_a_broken_file_is_told_and_the_rest_is_scanned(run):
    Path("app.py").write_text(PROGRAM, encoding="utf-8")
    Path("broken.py").write_text("def f(:\n", encoding="utf-8")
    Path("odd.py").write_bytes(b"# coding: nonsense\nx = 1\n")
    Path("deep.py").write_text("x = " + "(" * 300 + ")" * 300, encoding="utf-8")
    Path("sum.py").write_text("x = " + "-" * 5000 + "1", encoding="utf-8")
    result = run("scan", ".")
    assert result.exit_code == 2
    assert "fd-leak" in result.stdout
    assert "error[P150]" in result.stderr
    assert "broken.py:1" in result.stderr
    assert "error[P151]" in result.stderr


def test_wrong_command_lines(run):
    assert "error[P001]" in run("scan", "missing.py").stderr
    Path("empty").mkdir()
    assert "error[P153]" in run("scan", "empty").stderr
    assert "error[P162]" in run("scan", "--select", "nothing").stderr
    assert "error[P009]" in extract(run, "--entry", "app.nothing").stderr


def extract(run, *more):
    Path("app.py").write_text(PROGRAM, encoding="utf-8")
    return run("extract", "app.py", "-o", "app.rsm", *more)


def test_extracted_models_are_checked(run):
    result = extract(run, "--stats")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "calls of functions outside of the sources: 3" in result.stderr
    result = run("check", "app.rsm", "--use-def", "all")
    assert result.stdout.count("holds") == 5
    run("check", "app.rsm", 'AG !("call_os.close")', "--witness")
    assert run("check", "app.rsm", 'EF "call_os.close"').exit_code == 0


def test_runs_of_extracted_models_show_source_lines(run):
    extract(run)
    result = run("check", "app.rsm", 'AG !"call_os.close"', "--witness")
    assert "app.py:13" in result.stdout


def test_tests_are_left_out_unless_asked_for(run):
    Path("tests").mkdir()
    Path("tests/app.py").write_text(PROGRAM, encoding="utf-8")
    Path("fine.py").write_text("x = 1\n", encoding="utf-8")
    assert run("scan").exit_code == 0
    assert run("scan", "--all-files").exit_code == 1


def test_the_hash_seed_changes_nothing(tmp_path):
    (tmp_path / "app.py").write_text(PROGRAM + PROGRAM.replace("save", "store"), encoding="utf-8")
    command = [sys.executable, "-m", "pigro", "scan", "--select", "ALL", "--format", "json"]
    told = {
        subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
    assert b"fd-leak" in told.pop()
