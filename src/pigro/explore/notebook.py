"""Models and verdicts in notebooks: a drawing, or the report in a frame. No server.

The frame is a sandbox: its script can't reach the notebook, and hostile names stay text in it.
"""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING

from pigro.diagnostics import PigroError, printable
from pigro.render.drawing import draw_svg, too_large
from pigro.render.html import facts, verdict_page

if TYPE_CHECKING:
    from pigro.model.space import Model
    from pigro.verdict import Verdict

_HIGH = 560
"""Pixels of a report."""
_MOST = 60
"""Components of a model that is drawn."""


def model_html(model: Model) -> str:
    """A drawing, if there is Graphviz and the model is not too large. Otherwise numbers."""
    source = printable(model.source or "a model made by a program", 400)
    if not model.is_listed:
        return f"<p><b>{html.escape(source)}</b>: states are computed on demand</p>"
    told = f"<p><b>{html.escape(source)}</b>: {facts(model)}</p>"
    if model.core.components > _MOST or (model.core.components == 1 and model.core.nodes > 200):
        return told
    try:
        drawing = base64.b64encode(draw_svg(model, (), everything=False)).decode()
    except PigroError as error:  # no Graphviz
        why = f"not drawn: {error.message}" + (f"; {error.hint}" if error.hint else "")
        return f"{told}<p>{html.escape(why)}</p>"
    what = "call graph" if too_large(model) else "drawing of the model"
    return f'{told}<img alt="{what}" src="data:image/svg+xml;base64,{drawing}">'


def verdict_html(verdict: Verdict) -> str:
    """The report on a verdict, whose runs can be stepped through."""
    page = verdict_page(verdict).decode()
    high = 140 if verdict.shown is None else _HIGH
    return (
        f'<iframe sandbox="allow-scripts" title="verdict: {verdict.outcome}" width="100%" '
        f'height="{high}" style="border: 0" srcdoc="{html.escape(page)}"></iframe>'
    )
