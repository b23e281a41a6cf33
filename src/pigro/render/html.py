"""Verdicts and their evidence as one HTML file, which needs nothing else: no network, no server.

What comes from the model stands in the page as JSON, in which no `<` occurs, and is put on the
screen as text only, so hostile names can't become markup. The policy of the page allows its own
script and style, by their hashes, and nothing else. Without scripts there is the evidence as text.
"""

from __future__ import annotations

import html
import json
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.joining import Joined
from pigro.evidence.lines import Writer, evidence_text
from pigro.evidence.run.runs import shown_by_runs
from pigro.evidence.states import enters_call, step_position
from pigro.evidence.tree.following import Follower
from pigro.evidence.truths import RunTruths, Truths
from pigro.logic.printer import text_for_people
from pigro.render.page_parts import page_file, whole_page
from pigro.render.places import WHOLE, Places, source_columns
from pigro.render.text import duration
from pigro.session.asking import Room

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pigro.engines import Verdict
    from pigro.evidence import Evidence, GameStrategy, Path
    from pigro.evidence.truths import Place
    from pigro.limits import Poll
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
_LONGEST = 2000
"""Characters of a formula."""

_BODY = """<noscript><pre>{text}</pre></noscript>
<div id="app"></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>"""


def render_html(model: RSM, items: Iterable[tuple[Verdict, Evidence | None]]) -> bytes:
    """The report as a whole page, in UTF-8."""
    page = Page(model, Room())
    for number, (verdict, evidence) in enumerate(items):
        page.take(number, verdict, evidence)
    return page.to_bytes()


class Page:
    """A report in the making: verdicts with their evidence, as far as there is room for it."""

    def __init__(self, model: RSM, room: Room) -> None:
        self._joined, self.room = Joined(model), room
        self._places = Places(model)
        self._verdicts: list[str] = []
        self._plain: list[str] = []

    @property
    def model(self) -> RSM:
        """The model that evidence speaks of, which may have grown."""
        self._places.model = self._joined.model
        return self._places.model

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None) -> None:
        """The next verdict."""
        shown, poll = None, self.room.poll
        if evidence is not None or verdict.game is not None:
            make = partial(self._texts, verdict, evidence, poll, verdict.game)
            shown = self.room.make(number, make)
        data, plain = shown or self._texts(verdict, None, poll)
        self._verdicts.append(data)
        self._plain.append(plain)

    def _texts(
        self,
        verdict: Verdict,
        evidence: Evidence | None,
        poll: Poll,
        game: GameStrategy | None = None,
    ) -> tuple[str, str]:
        """A verdict for the script, and for those who have none."""
        self._joined.expect(verdict)
        if evidence is not None:
            evidence = self._joined.take(verdict, evidence)
        told = _verdict(self.model, self._places, verdict, evidence, poll)
        plain = _plain_text(self.model, verdict, evidence, poll)
        if game is not None:
            from pigro.evidence.game.lines import game_text
            from pigro.evidence.game.page import game_data

            told["game"] = game_data(verdict.model, game, poll)
            plain += game_text(verdict.model, game, 9, full=True, poll=poll)
        return _json(told), plain

    def data(self) -> str:
        """All that the script shows, as JSON without a `<`."""
        rest = _json(_document(self.model, self._places))
        return f'{rest[:-1]},"verdicts":[{",".join(self._verdicts)}]}}'

    def to_bytes(self) -> bytes:
        """The page, in UTF-8."""
        style = page_file("report.css")
        script = '"use strict";\n(() => {\n' + "".join(map(page_file, _SCRIPTS)) + "})();\n"
        source = printable(self.model.source or "a model")
        body = _BODY.format(
            text=html.escape("".join(self._plain)),
            data=self.data(),
            script=script,
        )
        return whole_page(html.escape(f"{source} - Pigro"), style, body, script=script)


def _plain_text(model: RSM, verdict: Verdict, evidence: Evidence | None, poll: Poll) -> str:
    formula = printable(text_for_people(verdict.formula), _LONGEST)
    told = f"{verdict.outcome:<9}{formula}\n{'':9}{printable(verdict.reason, _LONGEST)}\n"
    if evidence is None:
        return told
    certified = verdict.certificate is not None
    shown = (model, verdict.formula, evidence, 9)
    return told + evidence_text(*shown, full=False, certified=certified, poll=poll)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _document(model: RSM, places: Places) -> dict[str, object]:
    """All but the verdicts."""
    initial = [printable(model.node_name(node)) for node in model.initial[:5]]
    return {
        "source": printable(model.source or "a model made by a program", 400),
        "facts": facts(model),
        "initial": initial,
        "most": WHOLE,
        **places.document(),
    }


def facts(model: RSM) -> str:
    """How large a model is, for people."""
    core = model.core
    counts = [
        (core.components, "component", "components"),
        (core.declared_nodes, "node", "nodes"),
        (core.boxes, "box", "boxes"),
    ]
    return ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts)


def _verdict(
    model: RSM, places: Places, verdict: Verdict, evidence: Evidence | None, poll: Poll
) -> dict[str, object]:
    told: dict[str, object] = {
        "word": verdict.outcome,
        "formula": printable(text_for_people(verdict.formula), _LONGEST),
        "reason": printable(verdict.reason, _LONGEST),
        "cost": f"{duration(verdict.stats.seconds)}, {verdict.engine}",
        "tree": [],
        "truths": [],
        "atoms": [],
        "evidence": [],
        "game": None,
    }
    if evidence is None:
        return told
    with _truths(model, verdict, poll) as truths:
        story = _Story(model, places, truths, verdict, poll)
        told["atoms"] = places.shown(story.writer.words.atoms)
        told["evidence"] = story.told(evidence)
    told["tree"], told["truths"] = truths.rows, list(truths.strings)
    return told


@contextmanager
def _truths(model: RSM, verdict: Verdict, poll: Poll) -> Iterator[Truths | RunTruths]:
    if model.is_partial or shown_by_runs(verdict.formula):
        yield RunTruths(model, verdict.formula)
    elif verdict.certificate is None:
        yield Truths(model, verdict.formula, None)
    else:
        with Follower.of(verdict.certificate, poll, model) as follower:
            yield Truths(model, verdict.formula, follower)


class _Story:
    """A tree of evidence as a list, each item with its depth. Parents before their parts."""

    def __init__(
        self,
        model: RSM,
        places: Places,
        truths: Truths | RunTruths,
        verdict: Verdict,
        poll: Poll,
    ) -> None:
        self.poll = poll
        self.model, self.places, self.truths = model, places, truths
        certified = verdict.certificate is not None
        self.writer = Writer(
            model, verdict.formula, full=True, longest=_LONGEST, certified=certified
        )

    def told(self, root: Evidence) -> list[dict[str, object]]:
        items, pending = [], [(0, root)]
        while pending:
            self.poll()
            depth, at = pending.pop()
            pending += [(depth + 1, each) for each in reversed(at.parts)]
            places = self.places.of((at.state,) if at.path is None else at.path.states)
            items.append((depth, at, places))
            self.truths.note(at, places)
        return [{"depth": depth, **self.item(at, places)} for depth, at, places in items]

    def item(self, at: Evidence, places: list[Place]) -> dict[str, object]:
        frame, node = places[0]
        self.poll()
        told: dict[str, object] = {
            "kind": at.kind,
            "formula": self.writer.words.text(at.part),
            "truth": at.truth,
            "state": (node, frame, self.truths.of(at.state, places[0])),
        }
        if at.kind == "claim":
            told["sentence"] = self.writer.words.claim(at)
        if at.path is not None:
            told["shows"] = self.writer.words.purpose(at)
            told["path"] = self.path(at, at.path, places)
        return told

    def inputs(self, path: Path) -> dict[int, dict[str, str]]:
        """The inputs of the steps to states, where there are any."""
        if self.writer.values is None:
            return {}
        steps = range(1, len(path.states))
        found = {number: dict(self.writer.values.inputs(path, number)) for number in steps}
        return {number: inputs for number, inputs in found.items() if inputs}

    def step_places(self, path: Path) -> dict[int, list[object]]:
        """Where the file says what the steps to states do, if it does."""
        if self.writer.values is None and self.model.configurations is None:
            return {}
        steps = enumerate(pairwise(path.states), start=1)
        found = {number: step_position(self.model, *pair) for number, pair in steps}
        return {number: source_columns(self.model, each) for number, each in found.items() if each}

    def configurations(self, path: Path) -> list[str]:
        """Those of the states of a pushdown system. Otherwise none."""
        told = self.model.configurations
        if told is None:
            return []
        return [printable(told.text(self.model, each)) for each in path.states]

    def path(self, at: Evidence, path: Path, places: list[Place]) -> dict[str, object]:
        """The columns of the states, the contexts by stacks, and which states begin a call."""
        calls = [
            number
            for number, (before, after) in enumerate(pairwise(path.states), start=1)
            if enters_call(self.model, before, after)
        ]
        return {
            "nodes": [node for _, node in places],
            "frames": [frame for frame, _ in places],
            "truths": self.truths.along(at, places),
            "contexts": {
                places[number][0]: text for number, text in self.writer.contexts(at).items()
            },
            "calls": calls,
            "inputs": self.inputs(path),
            "places": self.step_places(path),
            "configurations": self.configurations(path),
            "ends": path.ends,
            "start": path.start,
            "end": self.writer.end(at),
            "shortest": path.shortest and len(places) > 1,
        }
