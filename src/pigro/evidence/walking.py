"""Walks a path by the definition of steps, for replays."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pigro.evidence.states import Path, State, Steps


class WrongEvidence(ValueError):  # noqa: N818 - what it is
    """Evidence that does not show what it should."""


def need(fine: object, what: str) -> None:
    """`WrongEvidence` that says what, unless it is fine."""
    if not fine:
        raise WrongEvidence(what)


def walk(steps: Steps, path: Path, start: State) -> None:
    """Each state of a path comes after the one before; the first one is the start."""
    need(path.states and path.states[0] == start, "a path begins elsewhere")
    for before, after in pairwise(path.states):
        need(after in steps.maximal_next(before), "a path takes a step that is none")


def close(steps: Steps, path: Path) -> None:
    """A path that stays can stay, and a loop is closed. Others have a start at most."""
    last, start = path.states[-1], path.start
    if path.ends == "stays":
        stays = start is None and steps.next(last) in ([], [last])
        need(stays, "a path does not stay where it says")
        return
    need(start is not None and 0 <= start < len(path.states), "a loop starts nowhere")
    assert start is not None
    if path.ends == "loop":
        need(path.states[start] in steps.maximal_next(last), "a loop is not closed")
