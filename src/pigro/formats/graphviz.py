"""Drawings by Graphviz, which comes with the optional package pygraphviz.

It works in a process of its own: there it may take long and be interrupted, crash, and say what it
likes on standard error. The process can stay for the next drawing, because to start it takes longer
than most drawings. It reads until its input ends, so it ends with this process, however that ends.
"""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.limits.processes import ChildProcess

if TYPE_CHECKING:
    from collections.abc import Callable

_PROGRAM = str(Path(__file__).with_name("graphviz_child.py"))
_BETWEEN_LOOKS = 0.05
"""Seconds between two looks at the limits."""


class GraphvizFailed(Exception):
    """It can't draw this. The text says why."""


def has_graphviz() -> bool:
    """Whether the package is there."""
    return find_spec("pygraphviz") is not None


class GraphvizProcess:
    """The process. Needs the package, and to be closed."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-P", _PROGRAM]  # this interpreter, with a file of ours
        self.process = ChildProcess(command, environment=os.environ | {"PYTHONPATH": path})
        self._said = b""

    def wait_until_ready(self, look: Callable[[], None]) -> None:
        """Returns when the process takes drawings. `look` is called often, and may raise."""
        self._next_answer(look)

    def draw(self, dot: str, form: str, look: Callable[[], None]) -> str:
        """A drawing in a format of Graphviz, such as `svg`. `GraphvizFailed` if there is none.

        If `look` raises, the process can't be asked again.
        """
        self.process.send(json.dumps({"dot": dot, "format": form}).encode() + b"\n")
        answer = self._next_answer(look)
        if "error" in answer:
            raise GraphvizFailed(answer["error"])
        return answer["drawing"]

    def _next_answer(self, look: Callable[[], None]) -> dict[str, str]:
        while not self._said.endswith(b"\n"):
            part = self.process.receive(_BETWEEN_LOOKS)
            if part is None:
                raise GraphvizFailed(f"it ended with code {self.process.wait()}")
            self._said += part
            look()
        answer: dict[str, str] = json.loads(self._said)
        self._said = b""
        return answer

    def close(self) -> None:
        """Ends the process."""
        self.process.close()
