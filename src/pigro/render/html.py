"""Verdicts and their evidence as one HTML file, which needs nothing else: no network, no server.

What comes from the model stands in the page as JSON, in which no `<` occurs, and is put on the
screen as text only, so hostile names can't become markup. The policy of the page allows its own
script and style, by their hashes, and nothing else. Without scripts there is the evidence as text.
"""

from __future__ import annotations

import html
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics import printable
from pigro.evidence.joining import Joined
from pigro.evidence.kinds import kind_of
from pigro.evidence.page import LONGEST
from pigro.logic.printer import text_for_people
from pigro.model.composition import Composition
from pigro.model.space import Model
from pigro.render.page_parts import page_file, whole_page
from pigro.render.places import WHOLE, Places
from pigro.render.text import duration, evidence_text
from pigro.session.asking import Room
from pigro.verdict import About

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.engines import Verdict
    from pigro.evidence.kinds import Shown
    from pigro.model import RSM

_SCRIPTS = (
    "rows.js",
    "layout.js",
    "drawing.js",
    "panels.js",
    "variables.js",
    "game.js",
    "report.js",
)
_BODY = """<noscript><pre>{text}</pre></noscript>
<div id="app"></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>"""


def verdict_page(verdict: Verdict) -> bytes:
    """The report on one verdict, about any subject."""
    return render_html(verdict.subject, [verdict])


def render_html(subject: Any, verdicts: Iterable[Verdict]) -> bytes:
    """The report as a whole page, in UTF-8."""
    page = Page(subject, Room())
    for number, verdict in enumerate(verdicts):
        page.take(number, verdict)
    return page.to_bytes()


class Page:
    """A report in the making: verdicts with their evidence, as far as there is room for it.

    Of a model, it has the parts that runs are drawn on.
    """

    def __init__(self, subject: Any, room: Room) -> None:
        self._subject, self.room = subject, room
        self._joined: Joined | None = None
        self._places = None
        if isinstance(subject, Model):
            self._joined = Joined(subject)
            self._places = Places(self._joined.model)
        self._verdicts: list[str] = []
        self._plain: list[str] = []

    def take(self, number: int, verdict: Verdict) -> None:
        """The next verdict."""
        told, shown = None, verdict.shown
        if self._joined is not None:
            self._joined.expect(verdict.subject)
        if shown is not None and not isinstance(verdict.subject, About):
            told = self.room.make(number, partial(self._texts, verdict, shown))
        data, plain = told or self._texts(verdict, None)
        self._verdicts.append(data)
        self._plain.append(plain)

    def _texts(self, verdict: Verdict, shown: Shown | None) -> tuple[str, str]:
        """A verdict for the script, and for those who have none."""
        told, plain, poll = _verdict(verdict), _plain_text(verdict), self.room.poll
        if shown is not None:
            kind = kind_of(shown.evidence)
            if self._joined is not None and self._places is not None:
                shown = replace(shown, evidence=self._joined.take(shown.evidence))
                self._places.model = self._joined.model
                told |= kind.page(shown, self._places, poll)
            else:
                told["text"] = evidence_text(shown, 0, full=True, poll=poll)
            plain += evidence_text(shown, full=kind.name == "game", poll=poll)
        return _json(told), plain

    def data(self) -> str:
        """All that the script shows, as JSON without a `<`."""
        model = None if self._joined is None else self._joined.model
        rest = _json(_document(self._subject, model, self._places))
        return f'{rest[:-1]},"verdicts":[{",".join(self._verdicts)}]}}'

    def to_bytes(self) -> bytes:
        """The page, in UTF-8."""
        style = page_file("report.css")
        script = '"use strict";\n(() => {\n' + "".join(map(page_file, _SCRIPTS)) + "})();\n"
        source = printable(getattr(self._subject, "source", None) or "a model")
        body = _BODY.format(
            text=html.escape("".join(self._plain)),
            data=self.data(),
            script=script,
        )
        return whole_page(html.escape(f"{source} - Pigro"), style, body, script=script)


def _plain_text(verdict: Verdict) -> str:
    formula = printable(text_for_people(verdict.formula), LONGEST)
    return f"{verdict.outcome:<9}{formula}\n{'':9}{printable(verdict.reason, LONGEST)}\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


_NO_PLACES: dict[str, object] = {
    **{name: {} for name in ("components", "nodes", "boxes", "values")},
    "labels": [],
    "frames": [[-1], [-1]],
}
"""Of a page about a subject without nodes."""


def _document(subject: object, model: RSM | None, places: Places | None) -> dict[str, object]:
    """All but the verdicts."""
    told: dict[str, object] = {"facts": "", "initial": [], "most": WHOLE, **_NO_PLACES}
    source = getattr(subject, "source", None)
    told["source"] = printable(source or "a model made by a program", 400)
    if isinstance(subject, Composition):
        told["source"] = "a composition"
        told["facts"] = printable(", ".join(part.name for part in subject.parts), 400)
    if model is not None and places is not None:
        places.model = model
        initial = [printable(model.node_name(node)) for node in model.initial[:5]]
        told |= {"facts": facts(model), "initial": initial, **places.document()}
    return told


def facts(model: RSM) -> str:
    """How large a model is, for people."""
    core = model.core
    counts = [
        (core.components, "component", "components"),
        (core.declared_nodes, "node", "nodes"),
        (core.boxes, "box", "boxes"),
    ]
    return ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts)


def _verdict(verdict: Verdict) -> dict[str, object]:
    """A verdict without evidence."""
    return {
        "word": verdict.outcome,
        "formula": printable(text_for_people(verdict.formula), LONGEST),
        "reason": printable(verdict.reason, LONGEST),
        "cost": f"{duration(verdict.stats.seconds)}, {verdict.engine}",
        "tree": [],
        "truths": [],
        "atoms": [],
        "evidence": [],
        "game": None,
        "text": None,
    }
