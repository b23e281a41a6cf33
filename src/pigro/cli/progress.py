"""A line on the terminal that says how far a long run has come; it leaves no trace."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

_PATIENCE = 0.5
"""Seconds before anything is shown."""
_INTERVAL = 0.1
_ERASE = "\r\x1b[2K"


class Progress:
    """Shows `checked 120/1595` on `stream` if that is a terminal, else nothing."""

    def __init__(
        self,
        total: int,
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
        line = f"{self._verb} {self._done}/{self._total}, {elapsed:.0f} s ... {self.now}".rstrip()
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

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()
