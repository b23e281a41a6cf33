"""Files: which are read, and that writing is whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from pigro import InputError, UsageError, kripke, load, save
from pigro.formats import read_bytes, write_atomically

MODEL = kripke({"a": ["a"]}, labels={}, initial="a")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("model.rsm", b"hello", "P101"),
        ("model.json", b"", "P101"),
        ("model.txt", b"hello", "P105"),
        ("model", b"", "P105"),
        ("model.pds", b" \r\n{", "P101"),
        ("model.pds", b"\xef\xbb\xbf []", "P103"),
    ],
)
def test_values_that_are_no_model(name: str, content: bytes, code: str, tmp_path):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load(file)
    assert caught.value.code == code
    assert caught.value.position.source == str(file)


@pytest.mark.parametrize("name", ["m.rsm", "m", "m.txt"])
def test_any_name_will_do_for_json(name: str, tmp_path):
    save(MODEL, tmp_path / name)
    assert repr(load(tmp_path / name)) == repr(MODEL)


def test_programs_are_no_models(tmp_path):
    path = tmp_path / "app.py"
    path.write_text("def f():\n    return 1\n")
    with pytest.raises(InputError) as caught:
        load(path)
    assert "pigro extract" in str(caught.value.hint)


def test_unreadable_files(tmp_path):
    cases = [
        (tmp_path / "none.rsm", "No such file or directory"),
        (tmp_path, "Is a directory"),
        (f"{tmp_path}/a\0b", "embedded null byte"),
        (f"{tmp_path}/x\n\x1b[31m", "No such file or directory"),
        (f"{tmp_path}/{'x' * 300}", "File name too long"),
    ]
    for path, reason in cases:
        with pytest.raises(UsageError) as caught:
            load(path)
        assert caught.value.code == "P001"
        assert caught.value.message.endswith(f": {reason}")
        assert caught.value.message.isprintable()
    with pytest.raises(UsageError):
        read_bytes(tmp_path)


def test_files_are_replaced_and_nothing_else_is_left(tmp_path):
    file = tmp_path / "out.rsm"
    write_atomically(file, b"one")
    write_atomically(str(file), b"two")
    assert file.read_bytes() == b"two"
    assert os.listdir(tmp_path) == ["out.rsm"]
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(file.stat().st_mode) == 0o666 & ~umask


def test_failure_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "out.rsm"
    file.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(UsageError) as caught:
        save(MODEL, file)
    assert caught.value.code == "P003"
    assert caught.value.message == f"can't write {file}: No space left on device"
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.rsm"]


def test_interruption_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "out.rsm"
    file.write_bytes(b"old")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "chmod", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(MODEL, file)
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.rsm"]


@pytest.mark.parametrize("name", ["no/such/folder/x.rsm", "a\0b", "."])
def test_unwritable_places(name: str, tmp_path):
    with pytest.raises(UsageError) as caught:
        write_atomically(f"{tmp_path}/{name}", b"x")
    assert caught.value.code == "P003"
    assert os.listdir(tmp_path) == []


def test_a_model_without_a_file_form_leaves_the_old_file(tmp_path):
    file = tmp_path / "out.rsm"
    file.write_bytes(b"old")
    with pytest.raises(UsageError):
        save(kripke({"\ud800": []}, labels={}, initial="\ud800"), file)
    assert file.read_bytes() == b"old"


def test_permissions_and_owner_stay(tmp_path):
    file = tmp_path / "out.rsm"
    file.write_bytes(b"old")
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 12, 34)
    before = file.stat()
    save(MODEL, file)
    after = file.stat()
    assert file.read_bytes() != b"old"
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )


def test_a_read_only_file_stays(tmp_path):
    file = tmp_path / "out.rsm"
    file.write_bytes(b"old")
    file.chmod(0o444)
    with pytest.raises(UsageError) as caught:
        save(MODEL, file)
    assert (caught.value.code, caught.value.message) == (
        "P003",
        f"can't write {file}: it is read-only",
    )
    assert file.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["out.rsm"]


def test_links_and_pipes_stay_what_they_are(tmp_path):
    link, real, pipe = (tmp_path / name for name in ("link.rsm", "real.rsm", "pipe"))
    real.write_bytes(b"old")
    link.symlink_to(real)
    save(MODEL, link)
    assert link.is_symlink()
    assert real.read_bytes() != b"old"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    write_atomically("/dev/null", b"gone")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
