"""Ways to finish the parts of a composition, as far as a verdict depends on them, with runs.

Where nothing is left open there is one way, without points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pigro.records import Record

S = TypeVar("S")


class ComposedRun(Record, Generic[S], frozen=True):
    """A run of composed states, or its beginning.

    `ends` says how it goes on: `loop` (after the last state comes state `start` again), `here`
    (however it goes on, it shows the same), or `stays` (the last state is a dead end, where the run
    stays or stops).
    """

    states: tuple[S, ...]
    ends: str
    start: int | None = None


class OpenChoice(NamedTuple):
    """Something that a part leaves open: a label of a state, or a step."""

    part: int
    state: int
    label: str | None = None
    """None: it is a step."""
    action: str = ""
    target: int = -1


@dataclass(frozen=True, slots=True)
class Completion:
    """A way to finish the parts, and the verdict that all ways with these points have."""

    holds: bool
    points: tuple[tuple[OpenChoice, bool], ...] = ()
    """The question: whether the label is true, or the step is there."""
    run: ComposedRun[Any] | None = None
    """A run that shows it, where one is enough."""


@dataclass(frozen=True, slots=True)
class Completions:
    """Why a formula about runs holds or fails: a way to finish the parts, or two that differ."""

    KIND: ClassVar[str] = "completion"
    """See `pigro.evidence.kinds`."""

    ways: tuple[Completion, ...]
    dead_ends: str = "stutter"
    """How states without a next state were read."""

    @property
    def run(self) -> ComposedRun[Any] | None:
        """The run that shows the verdict. None if there is none, or if parts are left open."""
        [first, *others] = self.ways
        return None if others or first.points else first.run
