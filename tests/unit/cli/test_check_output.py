"""Where results go: whole files or none, never over an input."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest


def test_text_file(run, app):
    result = run("check", app, "EF use", "AF done", "--output", "out.txt")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "")
    written = Path("out.txt").read_text()
    assert written.startswith("holds    EF use\n         a state with use is reachable; ")
    assert written.splitlines()[-1].startswith("1 holds, 1 fails, ")


def test_file_tells_the_warnings_and_the_model_too(run, app):
    run("check", app, "EF zebra", "--output", "out.txt", "--stats")
    written = Path("out.txt").read_text()
    assert written.startswith("model       app.rsm\n")
    assert "\nwarning: 1 label is on no node" in written


def test_input_error_leaves_the_old_file(run, app):
    Path("out.txt").write_text("old")
    assert run("check", app, "EF (", "--output", "out.txt").exit_code == 2
    assert Path("out.txt").read_text() == "old"


def test_failed_write_leaves_the_old_file_and_no_other(run, app, monkeypatch):
    Path("out.txt").write_text("old")
    before = sorted(Path().iterdir())

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    result = run("check", app, "EF use", "--output", "out.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[P003]: can't write ")
    assert result.stderr.endswith("out.txt: No space left on device\n")
    assert (Path("out.txt").read_text(), sorted(Path().iterdir())) == ("old", before)


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("no/out.txt", "its folder does not exist"),
        ("folder", "it is a folder"),
        ("", "the name is empty"),
        ("app.rsm", "it is an input of this run"),
        ("link.rsm", "it is an input of this run"),
        ("props.ctl", "it is an input of this run"),
    ],
)
def test_refused_before_checking(run, app, engine, output, why):
    engine(AssertionError("nothing is checked"))
    Path("folder").mkdir()
    Path("link.rsm").symlink_to(app)
    Path("props.ctl").write_text("EF use\n")
    result = run("check", app, "-f", "props.ctl", "--output", output)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error[P003]: can't write {output}: {why}\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_is_not_writable(run, app):
    Path("locked").mkdir(mode=0o500)
    result = run("check", app, "EF use", "--output", "locked/out.txt")
    assert result.stderr == "error[P003]: can't write locked/out.txt: its folder is not writable\n"


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_standard_output_by_name(run, app, output):
    assert run("check", app, "EF use", "--output", output).stdout.startswith("holds    EF use\n")


def test_a_link_stays_a_link(run, app):
    Path("real.txt").write_text("old")
    Path("link.txt").symlink_to("real.txt")
    run("check", app, "EF use", "--output", "link.txt")
    assert Path("link.txt").is_symlink()
    assert Path("real.txt").read_text().startswith("holds")


def test_a_pipe_is_written_to_and_not_replaced(run, app):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("check", app, "EF use", "--output", "pipe").exit_code == 0
        assert os.read(reader, 100).startswith(b"holds    EF use\n")
    finally:
        os.close(reader)
    assert Path("pipe").is_fifo()


OUTPUTS = [
    *(["--output"], ["--format", "json", "--output"], ["--certificate"]),
    *(["--html"], ["--draw"]),
]


@pytest.mark.parametrize("options", OUTPUTS, ids=lambda options: options[-1])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o622])
def test_permissions_stay(run, app, options, mode):
    file = Path("out.dot")
    file.write_text("old")
    file.chmod(mode)
    assert run("check", app, "EF use", *options, str(file)).exit_code == 0
    assert file.read_bytes() != b"old"
    assert file.stat().st_mode & 0o7777 == mode


@pytest.mark.parametrize("options", OUTPUTS, ids=lambda options: options[-1])
def test_a_read_only_file_is_not_replaced(run, app, engine, options):
    engine(AssertionError("nothing is checked"))
    Path("real.dot").write_text("old")
    Path("real.dot").chmod(0o444)
    Path("link.dot").symlink_to("real.dot")
    for name in ("real.dot", "link.dot"):
        done = run("check", app, "EF use", *options, name)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == f"error[P003]: can't write {name}: it is read-only\n"
    assert Path("real.dot").read_text() == "old"


@pytest.mark.parametrize("command", [["convert", "app.rsm"], ["generate", "rsm", "--output"]])
def test_other_commands_do_not_replace_a_read_only_file(run, app, command):
    Path("out.rsm").write_text("old")
    Path("out.rsm").chmod(0o444)
    done = run(*command, "out.rsm")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error[P003]: can't write out.rsm: it is read-only\n"
    assert Path("out.rsm").read_text() == "old"


def test_a_link_to_nothing_makes_its_file(run, app):
    Path("link.txt").symlink_to("new.txt")
    assert run("check", app, "EF use", "--output", "link.txt").exit_code == 0
    assert Path("link.txt").is_symlink()
    assert Path("new.txt").read_text().startswith("holds")
