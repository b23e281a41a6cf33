"""Drawings as SVG: those of dot.py, laid out by Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.diagnostics.extras import with_extra
from pigro.formats import dot
from pigro.formats.graphviz import GraphvizFailed, GraphvizProcess, has_graphviz
from pigro.limits import no_poll

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.composition import Composition


def write(subject: RSM | Composition, *, poll: Poll = no_poll) -> bytes:
    """All components of a model, or all parts of a composition."""
    return draw(dot.write(subject, poll=poll), poll)


def need_graphviz() -> None:
    """`UsageError` P010 if there is no Graphviz."""
    if not has_graphviz():
        raise UsageError(
            "P010",
            "drawing SVG needs Graphviz",
            hint=f"{with_extra('draw')}, or draw a .dot file",
        )


def draw(drawing: bytes, poll: Poll = no_poll) -> bytes:
    """A drawing in DOT as SVG. `UsageError` P010 if there is no Graphviz, or if it fails.

    `poll` is called all the time, and may raise to stop.
    """
    need_graphviz()
    graphviz = GraphvizProcess()
    try:
        graphviz.wait_until_ready(poll)
        return graphviz.draw(drawing.decode(), "svg", poll).encode()
    except GraphvizFailed as error:
        raise UsageError("P010", f"Graphviz can't draw this: {printable(str(error))}") from None
    finally:
        graphviz.close()
