"""Places of a drawing by Graphviz, in a process of its own: there it may take long, or crash.

The process stays for the next drawing, because to start it takes longer than most drawings. It
reads until its input ends, so it ends with this process, however that ends.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROGRAM = str(Path(__file__).with_name("graphviz_child.py"))
_TO_START, _SECONDS = 20.0, 0.5
"""For the process to be ready, and for one drawing. Then the page arranges the drawing itself."""
_GRAPHS = 500
"""Drawings of one process, which does not give their memory back."""
MOST_NODES, MOST_EDGES = 400, 4000
_LARGEST = 2000


class Arranger:
    """Arranges drawings, one after the other."""

    def __init__(self) -> None:
        self.is_there = find_spec("pygraphviz") is not None
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0

    def start(self) -> None:
        """Starts the process, so that it is ready when the first drawing is asked for."""
        if self.is_there and self._process is None and self._lock.acquire(blocking=False):
            try:
                self._child()
            finally:
                self._lock.release()

    def places(self, nodes: object, edges: object) -> dict[str, object]:
        """The places of nodes `[width, height]`, and routes of edges `[from, to]`.

        Nothing where there is no Graphviz, or where it fails or takes long. `UsageError` P006 if
        the request is wrong.
        """
        sizes, pairs = _rows(nodes, MOST_NODES), _rows(edges, MOST_EDGES)
        if any(not 1 <= each <= _LARGEST for row in sizes for each in row) or any(
            not 0 <= each < len(sizes) for row in pairs for each in row
        ):
            raise UsageError("P006", "there is no drawing of this size")
        if not self.is_there or not sizes:
            return {}
        with self._lock:
            answer = self._asked(json.dumps({"nodes": sizes, "edges": pairs}).encode() + b"\n")
        return {} if answer is None else json.loads(answer)

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _child(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._made = 0
            self._process = subprocess.Popen(  # noqa: S603 - this interpreter, with a file of ours
                [sys.executable, "-P", _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        return self._process

    def _asked(self, line: bytes) -> bytes | None:
        """The answer to a line. None if there is none in time."""
        try:
            process = self._child()
            assert process.stdin is not None
            answer = None
            if self._made or _line(process, _TO_START):
                process.stdin.write(line)
                process.stdin.flush()
                answer = _line(process, _SECONDS)
        except OSError:
            answer = None
        self._made += 1
        if answer is None or self._made >= _GRAPHS:
            self.close()
        return answer


def _line(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    assert process.stdout is not None
    number, found, end = process.stdout.fileno(), b"", time.monotonic() + seconds
    while not found.endswith(b"\n"):
        left = end - time.monotonic()
        if left <= 0 or not select.select([number], [], [], left)[0]:
            return None
        more = os.read(number, 1 << 16)
        if not more:
            return None
        found += more
    return found


def _rows(given: object, most: int) -> Sequence[Sequence[int]]:
    """Pairs of numbers, at most so many. `UsageError` P006 if they are none."""
    if isinstance(given, list) and len(given) <= most:
        pairs = [row for row in given if isinstance(row, list) and len(row) == 2]
        if len(pairs) == len(given) and all(type(each) is int for row in pairs for each in row):
            return pairs
    raise UsageError("P006", "a drawing has pairs of numbers, and not too many")
