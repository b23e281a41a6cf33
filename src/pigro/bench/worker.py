"""The process that runs cases: `python -m pigro.bench.worker FOLDER`, asked by `Worker`.

It leads a process group of its own, with the tools that it runs. When who asks is gone, however it
went, the whole group ends at once. FOLDER is for temporary files, and goes with the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Self

import msgspec

from pigro.bench.case import Case, Outcome
from pigro.bench.suite import Scope  # noqa: TC001 - decoding needs it
from pigro.diagnostics import InternalError, PigroError, render_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pigro.bench.suite import Suite

_COMMAND = (sys.executable, "-m", "pigro.bench.worker")
_READY = b"ready\n"
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at a process that works."""
_SLACK_SECONDS = 5.0
_SLACK_MEMORY = 300_000_000
"""How far beyond the limits a run may go before it is killed: it should end by itself."""


class Ask(msgspec.Struct):
    """A question to the process."""

    case: Case
    scope: Scope


class Worker:
    """The process, seen from who asks. It is started when needed, and anew after a mishap."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._said: BinaryIO | None = None
        self._folder: str | None = None

    def run(self, case: Case, scope: Scope, tick: Callable[[], None]) -> Outcome:
        """The outcome of a case; `tick` is called all the time and may raise."""
        if self._process is not None and self._process.poll() is not None:
            self.close()  # it died while nobody asked
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        began = time.perf_counter()
        with contextlib.suppress(BrokenPipeError):  # it is gone, as will be seen
            process.stdin.write(msgspec.json.encode(Ask(case, scope), enc_hook=str) + b"\n")
            process.stdin.flush()
        answer = b""
        peak = 0
        while not answer.endswith(b"\n"):
            try:
                tick()
            except BaseException:
                self.close()
                raise
            ready, _, _ = select.select([process.stdout], [], [], _BETWEEN_LOOKS)
            if ready:
                part = os.read(process.stdout.fileno(), 1 << 16)
                if not part:
                    spent = time.perf_counter() - began
                    return Outcome(
                        "error",
                        whole_seconds=spent,
                        peak_memory=peak or None,
                        problem=self._last_words(),
                    )
                answer += part
                continue
            peak = max(peak, resident(process.pid))
            over = _over(time.perf_counter() - began, peak, scope)
            if over is not None:
                self.close()
                spent = time.perf_counter() - began
                return Outcome(over, whole_seconds=spent, peak_memory=peak, problem="killed")
        outcome = msgspec.json.decode(answer, type=Outcome)
        if not outcome.decided:  # nothing that it left behind weighs on what comes next
            self.close()
        return outcome

    def _start(self) -> subprocess.Popen[bytes]:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._folder = tempfile.mkdtemp(prefix="pigro-bench-")
        self._process = subprocess.Popen(  # noqa: S603 - our own
            [*self._command, self._folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        if self._process.stdout.readline() != _READY:
            raise InternalError("P901", f"no case can be run: the worker {self._last_words()}")
        return self._process

    def _last_words(self) -> str:
        """How it died; it is closed then."""
        assert self._process is not None
        assert self._said is not None
        code = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").splitlines()
        how = f"killed by signal {-code}" if code < 0 else f"ended with code {code}"
        self.close()
        return f"{how}: {lines[-1]}" if lines else how

    def close(self) -> None:
        """Ends the process and all that it runs."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._said):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._process = self._said = self._folder = None

    def __enter__(self) -> Self:
        """The worker itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it."""
        self.close()


def _over(spent: float, memory: int, scope: Scope) -> str | None:
    """Loading and checking may each take as long as the limit."""
    limits = scope.limits
    if limits.seconds is not None and spent > 2 * limits.seconds + _SLACK_SECONDS:
        return "timeout"
    if limits.memory is not None and memory > limits.memory + _SLACK_MEMORY:
        return "memout"
    return None


def resident(pid: int) -> int:
    """Bytes of memory that a process uses; 0 if it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_of(pid: int | str) -> int:
    """The most memory that a process has used at once, in bytes; 0 if it is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = (line.split()[1] for line in text.splitlines() if line.startswith("VmHWM:"))
    return int(next(found, "0")) * 1024


# The process itself.


def main() -> None:
    """Answers questions until nobody asks any more."""
    gc.set_threshold(1_000_000)  # as in the command
    warnings.simplefilter("ignore")
    tempfile.tempdir = sys.argv[1]
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a suite prints is no answer
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    from pigro.bench.suites import SUITES  # noqa: PLC0415 - suites need this module

    answers.write(_READY)
    answers.flush()
    while True:
        asked = msgspec.json.decode(questions.get(), type=Ask, dec_hook=lambda _, text: Path(text))
        answers.write(msgspec.json.encode(measured(SUITES, asked)) + b"\n")
        answers.flush()


def _listen(questions: SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        questions.put(line)
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def measured(suites: Mapping[str, Suite], asked: Ask) -> Outcome:
    """The outcome of a case, with its time on the clock and the peak of memory."""
    gc.collect()
    forget_peak()
    began = time.perf_counter()
    try:
        outcome = suites[asked.case.suite].run(asked.case, asked.scope)
    except PigroError as error:
        outcome = Outcome("error", problem=render_error(error))
    except MemoryError:
        outcome = Outcome("memout", problem="not enough memory")
    except Exception as error:  # noqa: BLE001 - a result too
        outcome = Outcome("error", problem=f"{type(error).__name__}: {error}")
    spent = time.perf_counter() - began
    if outcome.whole_seconds is None:
        outcome = replace(outcome, whole_seconds=spent)
    return outcome if outcome.peak_memory else replace(outcome, peak_memory=peak_of("self") or None)


def forget_peak() -> None:
    """From now on the peak is that of what comes, on top of what is still in use."""
    with contextlib.suppress(OSError, AttributeError):  # not with every C library
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


if __name__ == "__main__":
    main()
