"""A line on the terminal that says how far a long run has come; it leaves no trace."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import TextIO

    from pigro.limits import Budget

_PATIENCE = 0.5
"""Seconds before anything is shown."""
_INTERVAL = 0.1
_ERASE = "\r\x1b[2K"


def loading(budget: Budget) -> AbstractContextManager[Budget]:
    """The budget for reading the input, which shows on standard error that it goes on."""
    return Progress(None, sys.stderr, verb="loading").watching(budget)


class Progress:
    """Shows `checked 120/1595` on `stream` if that is a terminal, otherwise nothing.

    Without a total it shows the verb alone.
    """

    def __init__(
        self,
        total: int | None,
        stream: TextIO | None,
        *,
        verb: str = "checked",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.now = ""
        """What is being done, for the end of the line."""
        self._total = total
        self._verb = verb
        self._stream = stream
        self._clock = clock
        self._done = 0
        self._shown = False
        self._began = clock()
        self._next = self._began + _PATIENCE
        if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
            self._next = float("inf")

    def tick(self) -> None:
        """Called often; draws at most ten times a second."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _INTERVAL
        self._shown = True
        elapsed = now - self._began
        count = "" if self._total is None else f" {self._done}/{self._total}"
        line = f"{self._verb}{count}, {elapsed:.0f} s ... {self.now}".rstrip()
        self._write(f"{_ERASE}{line[: shutil.get_terminal_size().columns - 1]}")

    def advance(self) -> None:
        """One more formula is done."""
        self._done += 1
        self.tick()

    def clear(self) -> None:
        """Takes the line away, so that something else can be written."""
        if self._shown:
            self._shown = False
            self._write(_ERASE)

    @contextmanager
    def watching(self, budget: Budget) -> Iterator[Budget]:
        """The budget for some work during which the line is shown."""
        try:
            yield budget.watched_by(self.tick)
        finally:
            self.clear()

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
