"""The text of source lines: shown where it can be read safely, left out where it can't."""

from __future__ import annotations

import os

import pytest

from pigro import RSM, ModelBuilder, load, save
from pigro.evidence.source_lines import _LARGEST, SourceLines, line_text, shown_position
from pigro.model import SourcePosition


def machine(file: str, line: int = 1) -> RSM:
    model = ModelBuilder(file=file)
    model.component("main").entry("start", at=line)
    return model.build(initial="main:start")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where Pigro runs. Its parent is out of bounds."""
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    return inside


def shown(model: RSM) -> str:
    return shown_position(model, model.position(0))


def test_the_line_is_shown_on_one_line(folder):
    (folder / "a.c").write_bytes(b"first\n\tx =  1;\r\nlast")
    assert shown(machine("a.c")) == "a.c:1: first"
    assert shown(machine("a.c", 2)) == "a.c:2: x = 1;"
    assert shown(machine("a.c", 3)) == "a.c:3: last"


def test_a_line_that_is_no_longer_there(folder):
    (folder / "a.c").write_bytes(b"first\n")
    assert shown(machine("a.c", 3)) == "a.c:3"
    assert shown(machine("a.c", 2)) == "a.c:2"


def test_files_beside_the_model(folder):
    beside = folder.parent / "models"
    beside.mkdir()
    (beside / "a.c").write_text("beside")
    save(machine("a.c"), beside / "m.rsm")
    assert shown(load(beside / "m.rsm")) == "a.c:1: beside"


def test_the_folder_where_pigro_runs_comes_first(folder):
    beside = folder / "models"
    beside.mkdir()
    (folder / "a.c").write_text("here")
    (beside / "a.c").write_text("beside")
    save(machine("a.c"), beside / "m.rsm")
    assert shown(load(beside / "m.rsm")) == "a.c:1: here"


def test_private_files_are_not_shown(folder):
    secret = folder.parent / "secret"
    secret.write_text("secret")
    (folder / "link").symlink_to(secret)
    for name in (str(secret), "../secret", "link", "/etc/passwd", "../inside/../secret"):
        model = machine(name)
        assert line_text(model, model.position(0)) == ""
    (folder.parent / "inside2").mkdir()
    (folder.parent / "inside2" / "a.c").write_text("other")
    assert shown(machine("../inside2/a.c")) == "../inside2/a.c:1"
    (folder / "a.c").write_text("mine")
    assert shown(machine(str(folder / "a.c"))).endswith("a.c:1: mine")


def test_a_file_that_the_user_named_is_shown(folder):
    outside = folder.parent / "x.smv"
    outside.write_text("MODULE main\nVAR x : boolean;\n")
    assert shown(load("../x.smv")) == "../x.smv:1:8: MODULE main"


def test_files_that_are_no_text(folder):
    (folder / "folder").mkdir()
    (folder / "binary").write_bytes(b"first\n\0")
    with (folder / "huge").open("wb") as file:
        file.truncate(_LARGEST + 1)
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to("loop")
    for name in ("folder", "binary", "huge", "pipe", "loop", "gone", "", "x" * 5000, "\ud800"):
        position = SourcePosition(name, 1, 0, 1, 0)
        assert line_text(machine("a.c"), position) == "", name


def test_hostile_lines_are_harmless_and_short(folder):
    lines = [b"\x1b[31mred", b"\xff\xfe", b"x" * 10_000_000, "\u202egnp".encode(), b"<b>&", b""]
    (folder / "a.c").write_bytes(b"\xef\xbb\xbf" + b"\n".join(lines))
    found = [shown(machine("a.c", number)) for number in range(1, 7)]
    assert found[0] == "a.c:1: \\x1b[31mred"
    assert found[1] == "a.c:2: \ufffd\ufffd"
    assert len(found[2]) < 100
    assert found[2].startswith("a.c:3: xxx")
    assert found[3] == "a.c:4: \\u202egnp"
    assert found[4] == "a.c:5: <b>&"
    assert found[5] == "a.c:6"


def test_all_files_together_are_limited(folder, monkeypatch):
    monkeypatch.setattr("pigro.evidence.source_lines._ALL", 10)
    for name in "abc":
        (folder / name).write_text("12345\n")
    lines = SourceLines(machine("a"))
    assert [lines.text(SourcePosition(name, 1, 0, 1, 0)) for name in "aba"] == [
        "12345",
        "",
        "12345",
    ]


def test_hostile_names_are_harmless():
    assert str(SourcePosition("a\n\x1b[0m", 3, 4, 3, 5)) == "a\\n\\x1b[0m:3:4"
    assert str(SourcePosition("", 3, 0, 3, 0)) == "line 3"
