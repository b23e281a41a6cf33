"""Ways to finish parts as JSON: the types that the JSON schema of results is made from."""

from __future__ import annotations

from typing import Literal

import msgspec

from pigro.evidence.data import Count, Decided, Value  # noqa: TC001 - types of fields


class PointData(msgspec.Struct, forbid_unknown_fields=True):
    """Something that a part leaves open: a label of a state, or a step."""

    part: str
    state: str
    label: str | None
    """Null for a step."""
    action: str | None
    """Of a step, if parts have actions."""
    target: str | None
    """Of a step."""
    value: bool
    """Whether the label is true, or the step is there."""


class RunData(msgspec.Struct, forbid_unknown_fields=True):
    """A run of composed states."""

    states: list[list[str]]
    """Of each part, by name."""
    ends: Literal["loop", "here", "stays"]
    """After the last state comes that at `start` again, or the run shows it however it goes on. Or
    the last state is a dead end.
    """
    start: Count | None


class FinishedData(msgspec.Struct, forbid_unknown_fields=True):
    """A way to finish the parts."""

    verdict: Decided
    points: list[PointData]
    """What the verdict may depend on."""
    run: RunData | None
    """A run that shows it, where one is enough."""


class CompletionData(msgspec.Struct):
    """What a result has: ways to finish the parts, and what they should show."""

    formula: str
    verdict: Value
    ways: list[FinishedData]
