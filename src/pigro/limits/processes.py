"""Work in other processes: programs that are asked over pipes, and copies of this process.

A program leads a process group of its own, and can be ended with all that it runs. A copy is made
by `fork`. It has everything that this process has, and nothing of that need be sent.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # part of `signal`
import contextlib
import os
import pickle
import select
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn, TypeVar

from pigro.diagnostics import InternalError
from pigro.limits.budget import KilledBySystem
from pigro.limits.system import can_fork, end_with_parent, kill_group

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import ProcessPoolExecutor

    Signals = set[int | signal.Signals]

_Done = TypeVar("_Done")
_PART: Final = 1 << 20
"""Bytes that are read at once."""
_BETWEEN_LOOKS: Final = 50
"""Milliseconds between looks at the limits while a copy works."""
_LENGTH: Final = 8
"""Bytes for the length of an answer, which is sent before it: a copy may end while it writes."""
_SIGNALS: Final = signal.valid_signals()


class ChildProcess:
    """A program that runs beside this one. It is asked over pipes, and ended as a whole."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        errors: BinaryIO | int = subprocess.DEVNULL,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts it. `errors` is its standard error. `OSError` if it can't be started."""
        self._process = subprocess.Popen(  # noqa: S603 - our own
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._answers = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def fileno(self) -> int:
        """Where answers come from, for `select`."""
        return self._answers.fileno()

    def send(self, data: bytes) -> None:
        """Asks a question. If the process is gone, that is seen when the answer is read."""
        with contextlib.suppress(BrokenPipeError):
            self._questions.write(data)
            self._questions.flush()

    def receive(self, seconds: float) -> bytes | None:
        """What came within that time, perhaps nothing. None: the process says nothing more."""
        if not _waiting_for(self.fileno()).poll(seconds * 1000):
            return b""
        return os.read(self.fileno(), _PART) or None

    def wait(self) -> int:
        """Waits for the end. The exit code, or a signal as a number below 0."""
        return self._process.wait()

    def close(self) -> None:
        """Ends the process and its group."""
        if not self._answers.closed:
            kill_group(self._process.pid)
            self._process.wait()
            for stream in (self._questions, self._answers):
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def _waiting_for(reader: int) -> select.poll:
    """Waits for input. It has no descriptor of its own that a signal could leave open."""
    waiting = select.poll()
    waiting.register(reader, select.POLLIN)
    return waiting


def pool_of_copies(jobs: int) -> ProcessPoolExecutor:
    """Copies of this process, with everything that it has when the first work is given out."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(jobs, mp_context=get_context("fork"))


def run_in_fork(work: Callable[[], _Done], tick: Callable[[], None], name: str) -> _Done:
    """Does work in a copy of this process, if there can be one. If `tick` raises, the copy ends.

    What the work returns must be fit to be pickled. Where there are other threads, whose locks a
    copy would keep for ever, the work is done in this process. `KilledBySystem` if another process
    or the system killed the copy, which errors call `name`.
    """
    if not can_fork() or threading.active_count() > 1:
        return work()
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # until `copy` is known
        started = _start(work, usual)
    except BaseException:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        raise
    if started is None:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        return work()
    reader, copy = started
    data = None
    try:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)  # raises if a signal came meanwhile
        data = _received(reader, tick)
    finally:
        try:
            # A second signal may come. Before a function of C, no handler runs.
            _signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        finally:
            try:
                status = _ended(copy, kill=data is None)
                os.close(reader)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, usual)  # raises as above
    result: _Done = _result(data, status, name)
    return result


def _start(work: Callable[[], object], usual: Signals) -> tuple[int, int] | None:
    """Makes a copy that works: the pipe to read from, and its number. None if there can't be one.

    Needs: all signals are blocked. In the copy they are as usual again.
    """
    parent = os.getpid()
    reader, writer = os.pipe()
    try:
        copy = os.fork()
    except OSError:  # too many processes, or too little memory
        os.close(reader)
        os.close(writer)
        return None
    if copy == 0:
        _work_and_end(work, writer, parent, usual)
    os.close(writer)
    return reader, copy


def _ended(copy: int, *, kill: bool) -> int | None:
    """Waits for the end of a copy. Its exit code, or a signal as a number below 0.

    None if SIGCHLD is ignored, because then the system keeps no exit codes.
    """
    try:
        if kill:
            os.kill(copy, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    except (ProcessLookupError, ChildProcessError):
        return None


def _result(data: bytes, status: int | None, name: str) -> Any:
    """What a copy sent before it ended, or the error that it sent."""
    answer = data[_LENGTH:]
    if len(data) >= _LENGTH and len(answer) == int.from_bytes(data[:_LENGTH]):
        error, done = pickle.loads(answer)  # noqa: S301 - our own
        if error is not None:
            raise error
        return done
    if status is None:
        raise KilledBySystem(f"{name} ended early, as it does when memory is short")
    if status == -signal.SIGKILL:
        raise KilledBySystem(f"{name} was killed, as the system does when memory is short")
    how = f" by signal {-status}" if status < 0 else ""
    raise InternalError("P901", f"{name} ended{how}")


def _received(reader: int, tick: Callable[[], None]) -> bytes:
    """All bytes until the end. `tick` is called all the time."""
    data = bytearray()
    waiting = _waiting_for(reader)
    while True:
        tick()
        if not waiting.poll(_BETWEEN_LOOKS):
            continue
        part = os.read(reader, _PART)
        if not part:
            return bytes(data)
        data += part


def _work_and_end(work: Callable[[], object], writer: int, parent: int, usual: Signals) -> NoReturn:
    """The copy: sends what was done, or the error, and ends. It prints nothing."""
    try:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)  # the parent ends it
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        end_with_parent(parent)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        try:
            answer = pickle.dumps((None, work()))
        except BaseException as error:  # noqa: BLE001 - the parent raises it
            answer = pickle.dumps((error.with_traceback(None), None))
        with open(writer, "wb") as stream_to_parent:
            stream_to_parent.write(len(answer).to_bytes(_LENGTH))
            stream_to_parent.write(answer)
    finally:
        os._exit(0)
