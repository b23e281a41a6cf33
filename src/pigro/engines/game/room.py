"""Work on decision diagrams within a limit of memory, which can be ended at any time.

An operation of CUDD can't be ended from outside, and holds the interpreter while it runs. CUDD has
callbacks and limits of time for that, but `dd` gives no access to them. An operation takes no more
room than it has, though. So there is little at first, and with that an operation ends soon. If the
room is not enough, the work begins again with twice as much, in a copy of the process. The process
itself only waits, looks at the limits, and ends the copy when it must.

The copy is made by `fork`, because the work needs the parts as they are, and nothing of them can be
sent: formulas of a module are objects of the native core. Where there is no `fork`, or where there
are other threads, whose locks a copy would keep for ever, the work goes on in the process.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found] # part of `signal`
import os
import pickle
import select
import signal
import sys
import threading
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from pigro.diagnostics import InternalError
from pigro.limits import KilledBySystem

if TYPE_CHECKING:
    from collections.abc import Callable

    Signals = set[int | signal.Signals]

_Done = TypeVar("_Done")
FIRST_ROOM: Final = 1 << 25
"""Bytes for diagrams in the first attempt."""
_BETWEEN_LOOKS: Final = 50
"""Milliseconds between looks at the limits while a copy works."""
_WORKER: Final = "the process that works on decision diagrams"
_LENGTH: Final = 8
"""Bytes for the length of an answer, which is sent before it: a copy may end while it writes."""
_SIGNALS: Final = signal.valid_signals()
_END_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of Linux."""


def within_room(work: Callable[[int], _Done], most: int | None, tick: Callable[[], None]) -> _Done:
    """Does work on diagrams that may take so many bytes. `MemoryError` if they are not enough.

    The room doubles from attempt to attempt. With more room than at first, CUDD also looks for
    better orders of the variables, if it may. That can take long, so it may not for parts that are
    given by formulas. What the work returns must be fit to be pickled.
    """
    room = FIRST_ROOM
    while True:
        tick()
        try:
            return work(room) if room == FIRST_ROOM else apart(lambda: work(room), tick)  # noqa: B023 - it is called here
        except BaseException as error:
            _clear_frames(error)
            is_full = isinstance(error, (ValueError, RuntimeError))  # how `dd` says it of CUDD
            if not is_full or ("NULL" not in str(error) and "CUDD" not in str(error)):
                raise
        if most is not None and 2 * room > most:
            raise MemoryError
        room *= 2


def _clear_frames(error: BaseException) -> None:
    """Frees the locals of all functions that an error went through.

    Otherwise the garbage collector may free CUDD's store before its nodes, and CUDD complains.
    """
    at: BaseException | None = error
    while at is not None:
        traceback.clear_frames(at.__traceback__)
        at = at.__context__


def apart(work: Callable[[], _Done], tick: Callable[[], None]) -> _Done:
    """Does work in a copy of this process, if there can be one. If `tick` raises, the copy ends.

    `KilledBySystem` if another process or the system killed the copy.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
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
    result: _Done = _result(data, status)
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


def _result(data: bytes, status: int | None) -> Any:
    """What a copy sent before it ended, or the error that it sent."""
    answer = data[_LENGTH:]
    if len(data) >= _LENGTH and len(answer) == int.from_bytes(data[:_LENGTH]):
        error, done = pickle.loads(answer)  # noqa: S301 - our own
        if error is not None:
            raise error
        return done
    if status is None:
        raise KilledBySystem(f"{_WORKER} ended early, as it does when memory is short")
    if status == -signal.SIGKILL:
        raise KilledBySystem(f"{_WORKER} was killed, as the system does when memory is short")
    how = f" by signal {-status}" if status < 0 else ""
    raise InternalError("P901", f"{_WORKER} ended{how}")


def _received(reader: int, tick: Callable[[], None]) -> bytes:
    """All bytes until the end. `tick` is called all the time."""
    data = bytearray()
    waiting = select.poll()  # has no descriptor of its own that a signal could leave open
    waiting.register(reader, select.POLLIN)
    while True:
        tick()
        if not waiting.poll(_BETWEEN_LOOKS):
            continue
        part = os.read(reader, 1 << 20)
        if not part:
            return bytes(data)
        data += part


def _work_and_end(work: Callable[[], object], writer: int, parent: int, usual: Signals) -> NoReturn:
    """The copy: sends what was done, or the error, and ends. It prints nothing."""
    try:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)  # the parent ends it
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        _end_with(parent)
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


def _end_with(parent: int) -> None:
    """Lets the copy end when its parent does, where the system can."""
    if sys.platform == "linux":
        import ctypes

        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
