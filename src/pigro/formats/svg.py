"""Drawings as SVG: those of dot.py, laid out by Graphviz.

Graphviz comes with the optional package pygraphviz, whose wheels bring it along. It works in a
process of its own, layout.py: there it may take long and be interrupted, crash, and say what it
likes on standard error.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.formats import dot
from pigro.limits import Budget, OutOfTime, budget_of, unwatched

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.composition import Composition

_LAYOUT = str(Path(__file__).with_name("layout.py"))


def write(subject: RSM | Composition, *, poll: Poll = unwatched) -> bytes:
    """All components of a model, or all parts of a composition."""
    return draw(dot.write(subject, poll=poll), budget_of(poll))


def need_graphviz() -> None:
    """`UsageError` P010 if there is no Graphviz."""
    if find_spec("pygraphviz") is None:
        raise UsageError(
            "P010",
            "drawing SVG needs Graphviz",
            hint="install it with `pip install 'pigro[draw]'`, or draw a .dot file",
        )


def draw(drawing: bytes, budget: Budget | None = None) -> bytes:
    """A drawing in DOT as SVG. `UsageError` P010 if there is no Graphviz, or if it fails.

    `OutOfTime` if it takes longer than the budget has.
    """
    need_graphviz()
    budget = budget or Budget()
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter, with a file of ours
            [sys.executable, "-P", _LAYOUT],
            input=drawing,
            capture_output=True,
            check=False,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            timeout=budget.seconds_left,
        )
    except subprocess.TimeoutExpired:
        raise OutOfTime(budget.time_limit) from None
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = printable(lines[-1]) if lines else f"it ended with code {done.returncode}"
        raise UsageError("P010", f"Graphviz can't draw this: {reason}")
    return done.stdout
