"""Runs another program within limits, and tells what it said, how long it took and what it used."""

from __future__ import annotations

import os
import select
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.worker import peak_of
from pigro.limits.system import memory_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pigro.engines import Limits

_BETWEEN_LOOKS = 10
"""Milliseconds between two looks at a program that works."""
_ROUGH = 16 << 20
"""Bytes by which two of the kernel's counts of one memory may differ. It counts per processor."""
_KEPT = 1 << 20
"""Bytes that are kept of what a program says: the last ones."""

_SLOW = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
"""Settings for who develops programs in Python. With them they start and print slowly."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """A run of a program."""

    code: int
    """Its exit code. Minus the signal if one ended it."""
    over: str | None
    """`timeout` or `memout` if it was killed for that."""
    seconds: float
    """On the clock."""
    peak_memory: int
    output: str
    errors: str
    processor_seconds: float = 0.0
    """Of the processor, in the program and in the kernel for it."""


class _Pipe:
    """One stream of a program, of which the end is kept."""

    def __init__(self) -> None:
        self.ours, self.theirs = os.pipe()
        os.set_blocking(self.ours, False)
        self._kept = bytearray()

    def take(self) -> bool:
        """Whatever is there by now. Whether there may come more."""
        try:
            while part := os.read(self.ours, 1 << 16):
                self._kept += part
                del self._kept[:-_KEPT]
        except BlockingIOError:
            return True
        return False

    def close(self) -> str:
        """All that was kept. What a child of the program may still say is not waited for."""
        self.take()
        os.close(self.ours)
        return self._kept.decode(errors="replace")


def run_command(
    command: Sequence[str], limits: Limits, folder: Path | None = None
) -> CommandResult:
    """Runs a program in a folder, in the process group of who asks."""
    out, err = _Pipe(), _Pipe()
    began = time.perf_counter()
    try:
        process = subprocess.Popen(  # noqa: S603 - the tool that the user names
            command,
            stdin=subprocess.DEVNULL,
            stdout=out.theirs,
            stderr=err.theirs,
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in _SLOW},
        )
    except OSError as error:
        said = f"{command[0]}: {error.strerror}"
        return CommandResult(
            127, None, time.perf_counter() - began, 0, out.close(), err.close() + said
        )
    finally:
        os.close(out.theirs)
        os.close(err.theirs)
    ours = peak_of("self")
    over, seen = _watch(process, limits, began, (out, err))
    if over is not None:
        process.kill()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    peak = _own_peak(used.ru_maxrss * 1024, seen, ours)
    spent = used.ru_utime + used.ru_stime
    return CommandResult(process.returncode, over, seconds, peak, out.close(), err.close(), spent)


def _own_peak(counted: int, seen: int, ours: int) -> int:
    """The peak of a program's memory, of which the kernel counted one and looks saw the other.

    Before it became the program the process was a copy of this one. The kernel counts that too, so
    its count tells something only if it is clearly more than our own peak.
    """
    return max(counted, seen) if counted > ours + _ROUGH or not seen else seen


def _watch(
    process: subprocess.Popen[bytes], limits: Limits, began: float, pipes: tuple[_Pipe, ...]
) -> tuple[str | None, int]:
    """Waits for the end. Which limit was reached first, and the peak of memory that was seen."""
    end = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(end, select.POLLIN)
    open_pipes = {pipe.ours: pipe for pipe in pipes}
    for each in open_pipes:
        poll.register(each, select.POLLIN)
    peak = 0
    looked = began
    try:
        while end not in (ready := dict(poll.poll(_BETWEEN_LOOKS))):
            for each in ready:
                if not open_pipes[each].take():
                    poll.unregister(each)
            now = time.perf_counter()
            if ready and now - looked < _BETWEEN_LOOKS / 1000:
                continue
            looked = now
            used = memory_of(process.pid)
            peak = max(peak, used, peak_of(process.pid))
            if limits.seconds is not None and now - began > limits.seconds:
                return "timeout", peak
            if limits.memory is not None and used > limits.memory:
                return "memout", peak
    finally:
        os.close(end)
    return None, peak
