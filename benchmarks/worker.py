"""The process that runs cases, asked by `Worker`.

It leads a process group of its own, with the tools that it runs. When the parent process ends, the
whole group ends at once. FOLDER is for temporary files, and goes with the process.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from benchmarks import yardstick
from benchmarks.case import Case, Measurement
from benchmarks.suite import StudyScope  # noqa: TC001 - decoding needs it
from pigro.batch.child import Child, QuestionPipe
from pigro.diagnostics import PigroError, render_error
from pigro.limits.system import memory_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.suite import Suite

_FOLDER = str(Path(__file__).resolve().parents[1])
_COMMAND = (
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {_FOLDER!r}); from benchmarks.worker import main; main()",
)
_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at a process that works."""
_SLACK_SECONDS = 5.0
_SLACK_MEMORY = 300_000_000
"""How far beyond the limits a run may go before it is killed: it should end by itself."""


class Ask(msgspec.Struct):
    """A question to the process."""

    case: Case
    scope: StudyScope


class Worker:
    """The process, seen from its parent. It is started when needed, and anew after a mishap."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._child: Child | None = None

    def run(self, case: Case, scope: StudyScope, tick: Callable[[], None]) -> Measurement:
        """The outcome of a case. `tick` is called all the time and may raise."""
        if self._child is not None and self._child.is_over:
            self.close()
        child = self._child or self._start()
        began = time.perf_counter()
        child.send(msgspec.json.encode(Ask(case, scope), enc_hook=str))
        peak = 0
        frames: list[bytes] | None = []
        while not frames:
            try:
                tick()
            except BaseException:
                self.close()
                raise
            frames = child.receive(_BETWEEN_LOOKS)
            spent = time.perf_counter() - began
            if frames is None:
                self._child = None
                return Measurement(
                    "error",
                    whole_seconds=spent,
                    peak_memory=peak or None,
                    problem=child.last_words(),
                )
            peak = max(peak, memory_of(child.pid))
            over = None if frames else _over(spent, peak, scope)
            if over is not None:
                self.close()
                spent = time.perf_counter() - began
                return Measurement(over, whole_seconds=spent, peak_memory=peak, problem="killed")
        outcome = msgspec.json.decode(frames[0], type=Measurement)
        if not outcome.decided:  # memory that it still holds would count for the next case
            self.close()
        return outcome

    def _start(self) -> Child:
        self._child = Child(self._command)
        self._child.wait_until_ready()
        return self._child

    def close(self) -> None:
        """Ends the process and its group."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def __enter__(self) -> Self:
        """The worker itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it."""
        self.close()


def _over(spent: float, memory: int, scope: StudyScope) -> str | None:
    """Loading and checking may each take as long as the limit."""
    limits = scope.limits
    if limits.seconds is not None and spent > 2 * limits.seconds + _SLACK_SECONDS:
        return "timeout"
    if limits.memory is not None and memory > limits.memory + _SLACK_MEMORY:
        return "memout"
    return None


def peak_of(pid: int | str) -> int:
    """The most memory that a process has used at once, in bytes. 0 if it is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = (line.split()[1] for line in text.splitlines() if line.startswith("VmHWM:"))
    return int(next(found, "0")) * 1024


# The process itself.


def main() -> None:
    """Answers questions until the parent ends."""
    gc.set_threshold(1_000_000)  # as in the command
    warnings.simplefilter("ignore")
    from benchmarks.suites import SUITES  # suites need this module

    questions = QuestionPipe()
    while True:
        asked = msgspec.json.decode(questions.next(), type=Ask, dec_hook=lambda _, text: Path(text))
        questions.answer(msgspec.json.encode(measured(SUITES, asked)))


def measured(suites: Mapping[str, Suite], asked: Ask) -> Measurement:
    """The outcome of a case, with its time on the clock and the peak of memory."""
    gc.collect()
    forget_peak()
    began = time.perf_counter()
    try:
        outcome = suites[asked.case.suite].run(asked.case, asked.scope)
    except PigroError as error:
        outcome = Measurement("error", problem=render_error(error))
    except MemoryError:
        outcome = Measurement("memout", problem="not enough memory")
    except Exception as error:  # noqa: BLE001 - a result too
        outcome = Measurement("error", problem=f"{type(error).__name__}: {error}")
    spent = time.perf_counter() - began
    if outcome.whole_seconds is None:
        outcome = replace(outcome, whole_seconds=spent)
    if outcome.decided:
        told = outcome.details | {yardstick.KEY: yardstick.microseconds()}
        outcome = replace(outcome, details=told)
    return outcome if outcome.peak_memory else replace(outcome, peak_memory=peak_of("self") or None)


def forget_peak() -> None:
    """From now on the peak is that of what comes, on top of the memory that is still in use."""
    with contextlib.suppress(OSError, AttributeError):  # not with every C library
        ctypes.CDLL(None).malloc_trim(0)
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
