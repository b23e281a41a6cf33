"""Signals that end a run: SIGTERM, as Ctrl-C, keeps verdicts and leaves no temporary files.

Imported first of all, so it imports little.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading

TYPE_CHECKING = False  # as in `typing`, whose import takes long enough to be interrupted

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_SOON = 0.01
"""Seconds until a lost signal is sent again."""


class Terminated(KeyboardInterrupt):
    """The process was asked to end, by SIGTERM."""


def listen() -> None:
    """Lets SIGTERM raise `Terminated`, unless the caller of the command set it to be ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    sys.unraisablehook = _send_again


def _terminate(_signal: int, _frame: object) -> None:
    raise Terminated


def _send_again(lost: UnraisableHookArgs) -> None:
    """Sends a signal again that came where no exception can get out.

    Callbacks of `weakref` are such places, and every import has one. The signal has to wait until
    this function has returned.
    """
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    which = signal.SIGTERM if isinstance(lost.exc_value, Terminated) else signal.SIGINT
    sender = threading.Timer(_SOON, _send, [which])
    sender.daemon = True
    sender.start()


def _send(which: signal.Signals) -> None:
    """Sends a signal to the main thread. If signals are blocked there, it waits."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, which)
    else:  # Windows
        _thread.interrupt_main(which)
