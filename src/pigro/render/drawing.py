"""Drawings of models and of runs, as DOT or SVG."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from pigro.diagnostics import UsageError, printable
from pigro.evidence import Steps
from pigro.evidence.joining import NODES
from pigro.evidence.kinds import kind_of
from pigro.formats import dot
from pigro.limits import no_poll
from pigro.model.kinds import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence import Path
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.composition import ListedSubject
    from pigro.session.asking import EvidenceRoom

_STDOUT = ("-", "/dev/stdout")
LARGE = 200
"""Models with more nodes, calls and returns are drawn by their call graph."""
_OVERVIEWS = {
    SubjectKind.MODEL: "{:,} components with {:,} nodes are drawn as a call graph",
    SubjectKind.COMPOSITION: "{:,} parts with {:,} states are drawn as one box a part",
}


class SubjectDrawing(Protocol):
    """Draws the components or parts with these numbers, or all, or what fits."""

    def __call__(
        self,
        subject: ListedSubject,
        components: Sequence[int],
        *,
        everything: bool,
        poll: Poll = no_poll,
    ) -> bytes:
        """The content of the file. `poll` is called often, and may raise to stop."""


def drawing_format(path: str) -> SubjectDrawing:
    """How to draw into this file. `UsageError` P007 if its name says neither DOT nor SVG."""
    lower = path.lower()
    if path in _STDOUT or lower.endswith((".dot", ".gv")):
        return draw_dot
    if lower.endswith(".svg"):
        return draw_svg
    raise UsageError(
        "P007",
        f"the name {printable(path)} does not say how to draw",
        hint="use a name that ends in .dot or .svg",
    )


def draw_svg(
    subject: ListedSubject, components: Sequence[int], *, everything: bool, poll: Poll = no_poll
) -> bytes:
    """As SVG."""
    from pigro.formats import svg

    drawn = draw_dot(subject, components, everything=everything, poll=poll)
    return svg.draw(drawn, poll)


def draw_dot(
    subject: ListedSubject, components: Sequence[int], *, everything: bool, poll: Poll = no_poll
) -> bytes:
    """As DOT."""
    if components:
        return dot.draw_chosen(subject, components, poll=poll)
    if everything or too_large(subject) is None:
        return dot.write(subject, poll=poll)
    return dot.draw_overview(subject)


def too_large(subject: ListedSubject) -> str | None:
    """Why the subject is not drawn as a whole, and which part is drawn. None if it is small."""
    count, size = dot.size_of(subject)
    if size <= LARGE or count == 1:
        return None
    told = _OVERVIEWS[subject.kind].format(count, size)
    return f"{told}; --component NAME draws one, --all all"


class RunDrawing:
    """Draws the run that shows the first verdict that has one, on the components it is in."""

    def __init__(self, path: str, room: EvidenceRoom) -> None:
        self.path, self.room = path, room
        self._found = False
        self.content: bytes | None = None
        """The content of the file. None if there is none, and then `why_none` says why."""

    def take(self, number: int, verdict: Verdict) -> None:
        """The next verdict."""
        shown = None if self._found else verdict.shown
        if shown is None:
            return
        shown = NODES[shown.subject.kind](shown.subject).take(shown)
        run = kind_of(shown.evidence).path(shown)
        if run is not None:
            self._found = True
            model = shown.evidence.nodes_of(shown.subject)
            self.content = self.room.make(
                number, partial(_drawing, self.path, model, run, self.room.poll)
            )

    @property
    def why_none(self) -> str:
        """Why nothing is drawn."""
        if self._found:
            return "the drawing took more than the limits; nothing is drawn"
        return "no verdict can be shown by one run; nothing is drawn"


def _drawing(path: str, model: RSM, run: Path, poll: Poll) -> bytes:
    components = set()
    for state in run.states:
        poll()
        components.add(model.core.component(state.node))
    components.update(map(model.core.box_component, _boxes(run)))
    poll()
    drawing = dot.draw_components(model, components, Steps(model).edges(run))
    poll()
    if drawing_format(path) is draw_svg:
        from pigro.formats import svg

        drawing = svg.draw(drawing, poll)
    return drawing


def _boxes(run: Path) -> set[int]:
    """The boxes on the stacks of a run."""
    boxes, seen = set(), set()
    for state in run.states:
        stack = state.stack
        while stack and stack not in seen:
            seen.add(stack)
            boxes.add(stack.box)
            stack = stack.below
    return boxes
