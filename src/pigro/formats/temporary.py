"""Temporary files next to the files that they become, and what killed runs left of them.

A process that is killed can't remove its files. So their names can be recognised, and each is
locked as long as its process lives. If a file of such a name can be locked, its process is gone,
and the next run that writes into the folder removes the file.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from pigro.limits.system import lock_file

_SUFFIX = ".pigro-tmp"
_OURS = re.compile(rf"\..*\.[a-z0-9_]{{8}}{re.escape(_SUFFIX)}", re.DOTALL)
_LONGEST = 50
"""Characters of the target's name."""


def open_temporary(target: Path) -> tuple[int, Path]:
    """A new empty file in the folder of `target`, open and locked, and its path."""
    remove_left_overs(target.parent)
    prefix = f".{target.name[:_LONGEST]}."
    while True:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=prefix, suffix=_SUFFIX)
        if _lock(handle) and os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # another run took it for a left-over before it was locked
        Path(name).unlink(missing_ok=True)


def _lock(handle: int) -> bool:
    """Locks a file. False if another process holds the lock."""
    try:
        lock_file(handle)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: then no run removes the file
        pass
    return True


def remove_left_overs(folder: Path) -> None:
    """Removes files of runs that were killed while they wrote into the folder."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if _OURS.fullmatch(entry.name):
                _remove_if_left(folder / entry.name)


def _remove_if_left(file: Path) -> None:
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    try:
        found = os.fstat(handle)
        if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
            lock_file(handle)
            file.unlink(missing_ok=True)
    except OSError:  # its process lives, or there are no locks here
        pass
    finally:
        os.close(handle)
