"""What `--draw` draws, of `pigro show` and of `pigro check`, and in which format."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from pigro.cli.destination import STDOUT, write_output
from pigro.cli.failures import show
from pigro.diagnostics import UsageError, printable
from pigro.evidence import Steps
from pigro.formats import dot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence import Evidence, Path
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.render.room import Room

_LARGE = 200
"""Models with more nodes, calls and returns are drawn by their call graph."""


class Drawing(Protocol):
    """Draws a model: the components with these numbers; or all, or what fits."""

    def __call__(self, model: RSM, components: Sequence[int], *, everything: bool) -> bytes:
        """The content of the file."""


def drawing_format(path: str) -> Drawing:
    """How to draw into this file; `UsageError` P007 if its name says neither DOT nor SVG."""
    lower = path.lower()
    if path in STDOUT or lower.endswith((".dot", ".gv")):
        return draw_dot
    if lower.endswith(".svg"):
        return draw_svg
    raise UsageError(
        "P007",
        f"the name {printable(path)} does not say how to draw",
        hint="use a name that ends in .dot or .svg",
    )


def draw_svg(model: RSM, components: Sequence[int], *, everything: bool) -> bytes:
    """As SVG."""
    from pigro.formats import svg

    return svg.draw(draw_dot(model, components, everything=everything))


def draw_dot(model: RSM, components: Sequence[int], *, everything: bool) -> bytes:
    """As DOT."""
    if components:
        return dot.draw_components(model, components)
    if everything or model.core.nodes <= _LARGE or model.core.components == 1:
        return dot.write(model)
    count = f"{model.core.components:,} components with {model.core.nodes:,} nodes"
    show(f"note: {count} are drawn as a call graph; --component NAME draws one, --all all")
    return dot.draw_calls(model)


class RunDrawing:
    """Draws the run that shows the first verdict that has one, on the components it is in."""

    def __init__(self, path: str, room: Room) -> None:
        self.path, self.room = path, room
        self._found = False
        self._drawing: bytes | None = None

    def take(self, number: int, verdict: Verdict, evidence: Evidence | None) -> None:
        """The next verdict."""
        run = None if self._found else _first_path(evidence)
        if run is not None:
            self._found = True
            make = partial(_drawing, self.path, verdict.model, run, self.room.poll)
            self._drawing = self.room.make(number, make)

    def write(self) -> None:
        """Writes the file, or says why there is none."""
        if self._drawing is not None:
            write_output(self.path, self._drawing)
        elif self._found:
            show("note: the drawing took more than the limits; nothing is drawn")
        else:
            show("note: no verdict can be shown by one run; nothing is drawn")


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

        drawing = svg.draw(drawing)
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


def _first_path(evidence: Evidence | None) -> Path | None:
    pending = [] if evidence is None else [evidence]
    while pending:
        at = pending.pop(0)
        if at.path is not None:
            return at.path
        pending += at.parts
    return None
