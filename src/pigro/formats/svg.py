"""Drawings as SVG: those of dot.py, laid out by Graphviz.

Graphviz comes with the optional package pygraphviz, whose wheels bring it along.
"""

from __future__ import annotations

import contextlib
import os
import signal
import warnings
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.formats import dot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model import RSM


def write(model: RSM) -> bytes:
    """All components of the model."""
    return draw(dot.write(model))


def draw(drawing: bytes) -> bytes:
    """A drawing in DOT as SVG; `UsageError` P010 if there is no Graphviz."""
    try:
        import pygraphviz  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - optional
    except ImportError:
        raise UsageError(
            "P010",
            "drawing SVG needs Graphviz",
            hint="install it with `pip install 'pigro[draw]'`, or draw a .dot file",
        ) from None
    try:
        with warnings.catch_warnings(), _quiet(), _interruptible():
            warnings.simplefilter("ignore")  # such as labels too wide for their shapes
            drawn: bytes = pygraphviz.AGraph(string=drawing.decode()).draw(format="svg", prog="dot")
    except (OSError, ValueError, RuntimeError) as error:
        reason = printable(str(error).split("\n", 1)[0])
        raise UsageError("P010", f"Graphviz can't draw this: {reason}") from None
    return drawn


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Ctrl-C ends the process at once: Python's own handler would wait for Graphviz."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    except ValueError:  # not the main thread, which gets the signal
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Libraries of Graphviz write to the process's standard error; not here."""
    kept = os.dup(2)
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
