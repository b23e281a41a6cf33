"""How much memory there is for this process: that of the machine, or of its control group.

Files of the kernel: `memory.max` for version 2 of control groups, `memory.limit_in_bytes` for
version 1. A limit of a group binds all groups inside it. Inside a container the name of the own
group may be one that can't be seen, but the groups above it can.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_VERSION_1 = ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
_VERSION_2 = (("sys/fs/cgroup", "memory.max"), ("sys/fs/cgroup/unified", "memory.max"))


@cache
def memory_there_is() -> int | None:
    """In bytes; None where the system does not say."""
    return smallest([*_of_the_machine(), *group_limits(Path("/"))])


def smallest(amounts: list[int]) -> int | None:
    """The smallest of some amounts; None if there are none."""
    return min(amounts, default=None)


def _of_the_machine() -> Iterator[int]:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return
    if pages > 0 and size > 0:
        yield pages * size


def group_limits(root: Path) -> Iterator[int]:
    """The limits of all control groups that this process is in, in bytes."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in lines.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        places: tuple[tuple[str, str], ...] = _VERSION_2 if number == "0" else ()
        if "memory" in controllers.split(","):
            places = (_VERSION_1,)
        for folder, file in places:
            for each in (PurePosixPath(group), *PurePosixPath(group).parents):
                yield from _number_in(root / folder / str(each).strip("/") / file)


def _number_in(file: Path) -> Iterator[int]:
    try:
        yield int(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # there is none, or it is `max`
        return
