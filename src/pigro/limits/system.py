"""What depends on the operating system: memory, groups of processes, signals and locks of files.

Pigro runs on Linux. A port to another system begins here and in `processes.py`, which copies
processes. A test lists the few other places.

How much memory there is for this process, the machine or its control group says. Files of the
kernel: `memory.max` for version 2 of control groups, `memory.limit_in_bytes` for version 1. A limit
of a group binds all groups inside it. Inside a container the name of the own group may be one that
can't be seen, but the groups above it can.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from functools import cache
from io import FileIO
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION_1 = ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
_VERSION_2 = (("sys/fs/cgroup", "memory.max"), ("sys/fs/cgroup/unified", "memory.max"))
_END_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux."""


@cache
def available_memory() -> int | None:
    """Bytes that the machine and its control groups allow. None where the system does not say."""
    return min([*_of_the_machine(), *group_limits("")], default=None)


def _of_the_machine() -> Iterator[int]:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return
    if pages > 0 and size > 0:
        yield pages * size


def group_limits(root: str) -> Iterator[int]:
    """The limits of all control groups that this process is in, in bytes. `root` is "" for /."""
    for line in _text_of(f"{root}/proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        places: tuple[tuple[str, str], ...] = _VERSION_2 if number == "0" else ()
        if "memory" in controllers.split(","):
            places = (_VERSION_1,)
        for folder, file in places:
            names = [name for name in group.split("/") if name]
            for length in range(len(names), -1, -1):
                limit = _text_of("/".join([root, folder, *names[:length], file])).strip()
                if limit.isdecimal():  # it may be missing, or `max`
                    yield int(limit)


def _text_of(file: str) -> str:
    """The content of a file of the kernel. Nothing if it can't be read."""
    try:
        with FileIO(file) as opened:  # quicker to import than `pathlib`
            return opened.read().decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def memory_of(pid: int) -> int:
    """Bytes of memory that a process uses. 0 if it is gone."""
    numbers = _text_of(f"/proc/{pid}/statm").split()
    return int(numbers[1]) * os.sysconf("SC_PAGE_SIZE") if len(numbers) > 1 else 0


def end_first_without_memory() -> None:
    """If memory runs out, the system ends this process before its parent."""
    with suppress(OSError), FileIO("/proc/self/oom_score_adj", "w") as opened:
        opened.write(b"500")


def can_fork() -> bool:
    """Whether a process can be copied."""
    return hasattr(os, "fork")


def end_with_parent(parent: int) -> None:
    """Lets this process end when its parent does, where the system can."""
    import signal
    import sys

    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Keeps Ctrl-C of the terminal from threads and processes that start here, and from theirs."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def lock_file(handle: int) -> None:
    """Locks an open file until it is closed.

    Raises `BlockingIOError` if another process holds the lock, and another `OSError` if the file
    system has no locks.
    """
    import fcntl

    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_open_file(path: str) -> bool:
    """Whether a path stands for a file that a process has open, as /dev/stdout does."""
    return path.startswith(("/dev/fd/", "/dev/std", "/proc/"))


def kill_group(leader: int) -> None:
    """Ends all processes of a group, if it is still there."""
    import signal

    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
