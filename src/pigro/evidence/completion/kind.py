"""Runs of compositions and of systems, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.evidence.kinds import Kind
from pigro.evidence.trace import ENDS, Trace, TraceState, with_changes
from pigro.limits import unwatched
from pigro.logic import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.completion.data import FinishedData
    from pigro.evidence.completion.ways import Finished, Point, Run
    from pigro.evidence.kinds import Shown, Writing
    from pigro.limits import Poll
    from pigro.model.composition import Composition

_MOST = 40
"""Lines of points."""


class _Completions(Kind):
    name, field = "completion", "finished"

    def document(
        self, shown: Shown, _writing: Writing, _poll: Poll = unwatched
    ) -> list[FinishedData]:
        from pigro.evidence.completion.documents import way_document

        return [way_document(shown.subject, each) for each in shown.evidence.ways]

    def lines(self, shown: Shown, *, full: bool, poll: Poll = unwatched) -> Iterator[str]:
        """Each way, with what it decides and with its run."""
        for way in shown.evidence.ways:
            poll()
            word = "holds" if way.holds else "fails"
            if way.points:
                yield f"it {word} if the parts are finished like this:"
                yield from _points(shown.subject, way)
            if way.run is not None:
                yield f"{'  ' if way.points else ''}it {word}, as this run shows:"
                yield from _trace(shown, way.run).lines(full=full)

    def trace(self, shown: Shown) -> Trace | None:
        run = shown.evidence.run
        return None if run is None else _trace(shown, run)


def _trace(shown: Shown, run: Run[Any]) -> Trace:
    """The states of a run, as the composition or the system names them."""
    states = [
        TraceState(name, state, labels=tuple([e for e in shown.formula.atoms if e in labels]))
        for state, name, labels in _named(shown, run)
    ]
    return Trace(with_changes(states), ENDS[run.ends], run.start)


def _named(shown: Shown, run: Run[Any]) -> Iterator[tuple[Any, str, set[str]]]:
    """Each state with its name and its labels. Of a composition, those that are known."""
    from pigro.model.composition import Composition

    if not isinstance(shown.subject, Composition):
        for state in run.states:
            labels = {str(each) for each in shown.subject.labels(state)}
            yield state, printable(str(state)), labels
        return
    from pigro.evidence.strategy.run import composed_name
    from pigro.model.part import TRUE
    from pigro.model.product import Product

    product = Product(shown.subject)
    for states in run.states:
        labels = {atom for atom in shown.formula.atoms if product.value(states, atom) == TRUE}
        yield states, composed_name(product.parts, states), labels


def _points(composition: Composition, way: Finished) -> Iterator[str]:
    for point, value in way.points[:_MOST]:
        yield _point(composition, point, value=value)
    if len(way.points) > _MOST:
        yield f"  and {len(way.points) - _MOST:,} more; all of them with --format json"


def _point(composition: Composition, point: Point, *, value: bool) -> str:
    part = composition.numbered_parts[point.part]
    name, state = _whole(part.name), _whole(part.states[point.state])
    if point.label is not None:
        return f"  {name}: {quote(point.label)} is {'true' if value else 'false'} in {state}"
    by = f" by {quote(point.action)}" if point.action else ""
    there = "a step" if value else "no step"
    return f"  {name}: there is {there}{by} from {state} to {_whole(part.states[point.target])}"


def _whole(text: str) -> str:
    return printable(text, len(text))


KIND = _Completions()
