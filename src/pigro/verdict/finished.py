"""Ways to finish the parts of a composition, as far as a verdict depends on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pigro.verdict.verdict import Run


class Point(NamedTuple):
    """Something that a part leaves open: a label of a state, or a step."""

    part: int
    state: int
    label: str | None = None
    """None: it is a step."""
    action: str = ""
    target: int = -1


@dataclass(frozen=True, slots=True)
class Finished:
    """A way to finish the parts, and the verdict that all ways with these points have."""

    holds: bool
    points: tuple[tuple[Point, bool], ...] = ()
    """The question: whether the label is true, or the step is there."""
    run: Run[tuple[int, ...]] | None = None
    """A run of composed states that shows it, where one is enough."""
