"""Signals that end a run: SIGTERM as Ctrl-C does, with what is decided and without temporary files.

Imported first of all, so it imports little.
"""

from __future__ import annotations

import signal
import threading


class Terminated(KeyboardInterrupt):
    """The process was asked to end, by SIGTERM."""


def listen() -> None:
    """Lets SIGTERM raise `Terminated`, unless the caller of the command set it to be ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)


def _terminate(_signal: int, _frame: object) -> None:
    raise Terminated
