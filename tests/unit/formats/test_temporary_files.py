"""Temporary files: nothing of a killed run stays, nothing of others is touched."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pigro.diagnostics import UsageError
from pigro.formats import write_atomically
from pigro.formats.temporary import open_temporary, remove_left_overs

HOLD = """
import sys, time
from pathlib import Path
from pigro.formats.temporary import open_temporary
handle, path = open_temporary(Path(sys.argv[1]))
print(path, flush=True)
time.sleep(600)
"""


@pytest.fixture
def writer(tmp_path):
    """Another process that is writing `out.json`, and its temporary file."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "out.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        path = Path(process.stdout.readline().strip())
        assert path.exists()
        yield process, path
        process.kill()


def test_left_overs_of_a_killed_run_are_removed_by_the_next(writer, tmp_path):
    process, path = writer
    process.send_signal(signal.SIGKILL)
    process.wait(60)
    assert path.exists()
    write_atomically(tmp_path / "other.json", b"new")
    assert os.listdir(tmp_path) == ["other.json"]


def test_files_of_a_run_that_lives_stay(writer, tmp_path):
    _, path = writer
    write_atomically(tmp_path / "out.json", b"new")
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, "out.json"])


@pytest.mark.parametrize(
    "name",
    [".out.json.abcdefgh.pigro-tmp.bak", "out.json.abcdefgh.pigro-tmp", ".out.json.pigro-tmp",
     ".out.json.abcdefgh", ".out.json.ABCDEFGH.pigro-tmp", "pigro-tmp"],
)  # fmt: skip
def test_files_of_others_stay(tmp_path, name):
    (tmp_path / name).write_text("mine")
    remove_left_overs(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_no_links_folders_and_pipes(tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".a.aaaaaaaa.pigro-tmp").symlink_to("mine")
    (tmp_path / ".a.bbbbbbbb.pigro-tmp").mkdir()
    os.mkfifo(tmp_path / ".a.cccccccc.pigro-tmp")
    before = sorted(os.listdir(tmp_path))
    remove_left_overs(tmp_path)
    assert sorted(os.listdir(tmp_path)) == before


def test_one_that_is_removed_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    """Another run may lock and remove a file between its creation and its own lock."""
    from pigro.formats import temporary

    lock, calls = temporary.lock_file, []

    def late(handle):
        if not calls:
            remove_left_overs_of(tmp_path)
        calls.append(handle)
        lock(handle)

    def remove_left_overs_of(folder):
        for entry in list(folder.iterdir()):
            entry.unlink()

    monkeypatch.setattr(temporary, "lock_file", late)
    handle, path = open_temporary(tmp_path / "out")
    os.close(handle)
    assert path.exists()
    assert len(calls) == 2


def test_one_that_another_run_is_about_to_remove_is_made_again(tmp_path, monkeypatch):
    """The other run has locked it, but not removed it yet."""
    from pigro.formats import temporary

    lock, doomed = temporary.lock_file, []

    def late(handle):
        if not doomed:
            doomed.extend(tmp_path.iterdir())
            raise BlockingIOError
        lock(handle)

    monkeypatch.setattr(temporary, "lock_file", late)
    handle, path = open_temporary(tmp_path / "out")
    os.close(handle)
    assert path not in doomed
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_system_without_locks(tmp_path, monkeypatch):
    from pigro.formats import temporary

    def flock(*_):
        raise OSError(errno.ENOLCK, "no locks")

    monkeypatch.setattr(temporary, "lock_file", flock)
    write_atomically(tmp_path / "out", b"new")
    assert (tmp_path / "out").read_bytes() == b"new"


def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch):
    target = tmp_path / "out.json"
    target.write_text("old")

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(target, b"new")
    assert os.listdir(tmp_path) == ["out.json"]
    assert target.read_text() == "old"


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UsageError):
        write_atomically(tmp_path / "none" / "out", b"")
