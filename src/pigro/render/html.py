"""Verdicts and their evidence as one HTML file, which needs nothing else: no network, no server.

What comes from the model stands in the page as JSON, in which no `<` occurs, and is put on the
screen as text only, so hostile names can't become markup. The policy of the page allows its own
script and style, by their hashes, and nothing else. Without scripts there is the evidence as text.
"""

from __future__ import annotations

import html
import json
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.diagnostics import printable
from pigro.evidence.chains import RunChains
from pigro.evidence.joining import NODES
from pigro.evidence.kinds import kind_of as evidence_kind
from pigro.evidence.page import LONGEST
from pigro.logic.printer import text_for_people
from pigro.model.kinds import SubjectKind
from pigro.render.page_parts import page_file, whole_page
from pigro.render.places import PlaceCollector
from pigro.render.text import duration, evidence_text
from pigro.session.asking import EvidenceRoom
from pigro.verdict import is_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pigro.engines import Verdict
    from pigro.evidence.kinds import ShownEvidence
    from pigro.model import RSM
    from pigro.model.composition import Composition, Subject

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
    page = ReportPage(subject, EvidenceRoom())
    for number, verdict in enumerate(verdicts):
        page.take(number, verdict)
    return page.to_bytes()


class ReportPage:
    """A report in the making: verdicts with their evidence, as far as there is room for it.

    It has the parts of a model that runs are drawn on. Of other subjects, the runs are the model.
    """

    def __init__(self, subject: Any, room: EvidenceRoom) -> None:
        self._subject, self.room = subject, room
        self._nodes = (NODES[subject.kind] if is_here(subject) else RunChains)(subject)
        self._places = PlaceCollector(self._nodes.model)
        self._verdicts: list[str] = []
        self._plain: list[str] = []

    def take(self, number: int, verdict: Verdict) -> None:
        """The next verdict."""
        texts, shown = None, verdict.shown
        self._nodes.expect(verdict.subject)
        if shown is not None:
            texts = self.room.make(number, partial(self._texts, verdict, shown))
        data, plain = texts or self._texts(verdict, None)
        self._verdicts.append(data)
        self._plain.append(plain)

    def _texts(self, verdict: Verdict, shown: ShownEvidence | None) -> tuple[str, str]:
        """A verdict for the script, and for those who have none."""
        fields, plain, poll = _verdict(verdict), _plain_text(verdict), self.room.poll
        if shown is not None:
            run = self._nodes.take(shown)
            self._places.model = self._nodes.model
            for each in (run, shown) if type(run.evidence) is not type(shown.evidence) else (run,):
                fields |= evidence_kind(each.evidence).page(each, self._places, poll)
            has_game = fields["game"] is not None
            if not (fields["evidence"] or has_game):
                fields["text"] = evidence_text(shown, 0, full=True, poll=poll)
            plain += evidence_text(shown, full=has_game, poll=poll)
        return _json(fields), plain

    def data(self) -> str:
        """All that the script shows, as JSON without a `<`."""
        rest = _json(_document(self._subject, self._places))
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


def _document(subject: Any, places: PlaceCollector) -> dict[str, object]:
    """All but the verdicts."""
    return {
        "source": source_of(subject),
        "facts": facts(subject, places.model) if is_here(subject) else "",
        **places.document(),
    }


def source_of(subject: Any) -> str:
    """Where a subject is from, for people."""
    return printable(getattr(subject, "source", None) or _PAGES[subject.kind].unnamed, 400)


def facts(subject: Subject, listed: RSM | None = None) -> str:
    """How large a model is, for people. Of a composition: its parts.

    Of computed states, what is listed of them.
    """
    return _PAGES[subject.kind].facts(subject, subject if listed is None else listed)


def _size(_subject: Any, model: RSM) -> str:
    core = model.core
    counts = [
        (core.components, "component", "components"),
        (core.declared_nodes, "node", "nodes"),
        (core.boxes, "box", "boxes"),
    ]
    return ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts)


def _parts(subject: Composition, _model: object) -> str:
    return printable(", ".join(part.name for part in subject.parts), 400)


class _PageKind(NamedTuple):
    """What a page says of a kind of subject."""

    unnamed: str
    """Its name, if it comes from no file."""
    facts: Callable[[Any, Any], str]
    """How large it is, with the model that its evidence is on."""


_PAGES = {
    SubjectKind.MODEL: _PageKind("a model made by a program", _size),
    SubjectKind.COMPOSITION: _PageKind("a composition", _parts),
}
"""By kinds of subjects."""


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
