"""A child process that is asked over pipes, in frames, and that can be ended with all that it runs.

It leads a process group of its own. When its parent ends, for whatever reason, the group ends.
"""

from __future__ import annotations

import os
import shutil
import struct
import sys
import tempfile
import threading
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Self

from pigro.diagnostics import InternalError
from pigro.limits.processes import ChildProcess
from pigro.limits.system import kill_group

if TYPE_CHECKING:
    from collections.abc import Sequence

READY = b"ready"
"""The first frame of every child."""
_HEAD = struct.Struct("<I")


class Child:
    """A running process, seen from its parent."""

    def __init__(self, command: Sequence[str]) -> None:
        """Starts `command` with the name of a temporary folder as its last argument."""
        try:
            with ExitStack() as undo:
                self._said: BinaryIO = undo.enter_context(tempfile.TemporaryFile())
                self._folder = tempfile.mkdtemp(prefix="pigro-")
                undo.callback(shutil.rmtree, self._folder, ignore_errors=True)
                self._process = ChildProcess([*command, self._folder], errors=self._said)
                undo.pop_all()
        except OSError as error:
            raise InternalError("P901", f"can't start a worker process: {error}") from None
        self._read = bytearray()
        self.is_open = True

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_over(self) -> bool:
        """Whether the process has ended."""
        return self._process.is_over

    def fileno(self) -> int:
        """Where answers come from, for `select`."""
        return self._process.fileno()

    def send(self, frame: bytes) -> None:
        """Asks a question. If the process is gone, that is seen when the answer is read."""
        self._process.send(_HEAD.pack(len(frame)) + frame)

    def receive(self, seconds: float) -> list[bytes] | None:
        """The frames that came within that time. None: the process is gone."""
        while part := self._process.receive(seconds):
            self._read += part
            seconds = 0
        frames = []
        while len(self._read) >= _HEAD.size:
            (length,) = _HEAD.unpack_from(self._read)
            if len(self._read) < _HEAD.size + length:
                break
            frames.append(bytes(self._read[_HEAD.size : _HEAD.size + length]))
            del self._read[: _HEAD.size + length]
        return frames if part is not None or frames else None

    def wait_until_ready(self) -> None:
        """Returns when the process listens. Raises `InternalError` if it ends before that."""
        frames: list[bytes] | None = []
        while not frames:
            frames = self.receive(1.0)
            if frames is None:
                raise InternalError("P901", f"a worker process {self.last_words()}")
        assert frames == [READY]

    def last_words(self) -> str:
        """How the process ended, with the last line that it wrote. It is closed then."""
        code = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").splitlines()
        how = f"killed by signal {-code}" if code < 0 else f"ended with code {code}"
        self.close()
        return f"{how}: {lines[-1]}" if lines else how

    def close(self) -> None:
        """Ends the process and its group, and removes its folder."""
        if not self.is_open:
            return
        self.is_open = False
        self._process.close()
        self._said.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        """The child itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it."""
        self.close()


class QuestionPipe:
    """The same pipes, seen from the child: the parent's questions, and the way to answer."""

    def __init__(self) -> None:
        """Takes over standard input and output. Other code prints to standard error."""
        tempfile.tempdir = sys.argv[-1]
        self._answers = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self._frames: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self.answer(READY)

    def next(self) -> bytes:
        """The next question."""
        return self._frames.get()

    def answer(self, frame: bytes) -> None:
        """Sends an answer, at once."""
        self._answers.write(_HEAD.pack(len(frame)) + frame)
        self._answers.flush()

    def _listen(self) -> None:
        source = sys.stdin.buffer
        while head := source.read(_HEAD.size):
            self._frames.put(source.read(_HEAD.unpack(head)[0]))
        shutil.rmtree(sys.argv[-1], ignore_errors=True)
        kill_group(os.getpgrp())
