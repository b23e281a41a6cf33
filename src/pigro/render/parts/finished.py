"""Ways to finish the parts of a composition, with runs that show it. Names are escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic import quote
from pigro.render.text import whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model.composition import Composition
    from pigro.verdict import Run, Verdict
    from pigro.verdict.finished import Point

_MOST = 40
"""Lines of points, and of a run."""
_ENDS = {
    "loop": "and on from state {} again, forever",
    "here": "however it goes on",
    "stays": "a dead end: it goes no further",
}


def finished_lines(verdict: Verdict) -> Iterator[str]:
    """Each way, with what it decides and with its run."""
    for each in verdict.finished:
        word = "holds" if each.holds else "fails"
        if each.points:
            yield f"it {word} if the parts are finished like this:"
            told = [_point(verdict.composition, *point) for point in each.points]
            yield from _some(told)
        if each.run is not None:
            yield f"{'  ' if each.points else ''}it {word}, as this run shows:"
            yield from _run(verdict.composition, each.run)


def names_of(composition: Composition, states: tuple[int, ...]) -> list[str]:
    """The states of the parts, by name."""
    return [
        part.states[state] for part, state in zip(composition.numbered_parts, states, strict=True)
    ]


def _point(composition: Composition, point: Point, value: bool) -> str:
    part = composition.numbered_parts[point.part]
    name, state = whole(part.name), whole(part.states[point.state])
    if point.label is not None:
        return f"  {name}: {quote(point.label)} is {'true' if value else 'false'} in {state}"
    by = f" by {quote(point.action)}" if point.action else ""
    there = "a step" if value else "no step"
    return f"  {name}: there is {there}{by} from {state} to {whole(part.states[point.target])}"


def _run(composition: Composition, run: Run[tuple[int, ...]]) -> Iterator[str]:
    parts = composition.numbered_parts
    told = [
        f"{at:>6}  "
        + ", ".join(
            f"{whole(part.name)}={whole(name)}"
            for part, name in zip(parts, names_of(composition, states), strict=True)
        )
        for at, states in enumerate(run.states)
    ]
    yield from _some(told)
    yield f"        {_ENDS[run.ends].format(run.start)}"


def _some(lines: list[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"  and {len(lines) - _MOST:,} more; all of them with --format json"
