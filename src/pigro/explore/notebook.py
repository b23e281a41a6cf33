"""Subjects and verdicts in notebooks: a drawing, or the report in a frame. No server.

The frame is a sandbox: its script can't reach the notebook, and hostile names stay text in it.
"""

from __future__ import annotations

import base64
import html
from typing import TYPE_CHECKING

from pigro.diagnostics import PigroError
from pigro.formats.dot import size_of
from pigro.render.drawing import LARGE, draw_svg, too_large
from pigro.render.html import facts, source_of, verdict_page

if TYPE_CHECKING:
    from pigro.model.composition import Subject
    from pigro.verdict import Verdict

_HIGH = 560
"""Pixels of a report."""
_MOST = 60
"""Components or parts of a subject that is drawn."""


def subject_html(subject: Subject) -> str:
    """A drawing, if there is Graphviz and the subject is not too large. Otherwise numbers."""
    if not subject.is_listed:
        return f"<p><b>{html.escape(source_of(subject))}</b>: states are computed on demand</p>"
    listed = subject.listed()
    told = f"<p><b>{html.escape(source_of(subject))}</b>: {html.escape(facts(listed))}</p>"
    count, size = size_of(listed)
    if count > _MOST or (count == 1 and size > LARGE):
        return told
    try:
        drawing = base64.b64encode(draw_svg(listed, (), everything=False)).decode()
    except PigroError as error:  # no Graphviz
        why = f"not drawn: {error.message}" + (f"; {error.hint}" if error.hint else "")
        return f"{told}<p>{html.escape(why)}</p>"
    what = "overview" if too_large(listed) else "drawing"
    return (
        f'{told}<img alt="{what} of the {subject.kind}" src="data:image/svg+xml;base64,{drawing}">'
    )


def verdict_html(verdict: Verdict) -> str:
    """The report on a verdict, whose runs can be stepped through."""
    page = verdict_page(verdict).decode()
    high = 140 if verdict.shown is None else _HIGH
    return (
        f'<iframe sandbox="allow-scripts" title="verdict: {verdict.outcome}" width="100%" '
        f'height="{high}" style="border: 0" srcdoc="{html.escape(page)}"></iframe>'
    )
