"""A line on the terminal that says how far a long run has come. It leaves no trace."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO


_PATIENCE = 0.5
"""Seconds before anything is shown."""
_INTERVAL = 0.1
_ERASE = "\r\x1b[2K"


@contextmanager
def loading() -> Iterator[Callable[[], None] | None]:
    """The tick of a budget while the input is read: standard error shows that this goes on."""
    progress = Progress(None, sys.stderr, verb="loading")
    try:
        yield progress.ticking
    finally:
        if progress.ticking is not None:
            progress.clear()


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
        """The current work, for the end of the line."""
        self._total = total
        self._verb = verb
        self._stream = stream
        self._clock = clock
        self._done = 0
        self._shown = False
        self._began = clock()
        self._next = self._began + _PATIENCE
        self.ticking: Callable[[], None] | None = self.tick
        """None if the line is not shown."""
        if stream is None or not stream.isatty() or os.environ.get("TERM") == "dumb":
            self._next, self.ticking = float("inf"), None

    def tick(self) -> None:
        """Called often. Draws at most ten times a second."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + _INTERVAL
        self._shown = True
        elapsed = now - self._began
        count = "" if self._total is None else f" {self._done}/{self._total}"
        line = f"{self._verb}{count}, {elapsed:.0f} s ... {self.now}".rstrip()
        from shutil import get_terminal_size

        self._write(f"{_ERASE}{line[: get_terminal_size().columns - 1]}")

    def advance(self) -> None:
        """One more formula is done."""
        self._done += 1
        self.tick()

    def clear(self) -> None:
        """Takes the line away, so that something else can be written."""
        if self._shown:
            self._shown = False
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
