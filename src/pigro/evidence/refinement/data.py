"""What `pigro compose --refines --format json` writes, described by refinement.schema.json."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from pigro.evidence.data import Count  # noqa: TC001 - msgspec reads annotations

SCHEMA: Final = "pigro.refinement/1"


class PairData(msgspec.Struct, forbid_unknown_fields=True):
    """States of the parts, by name, in the order of the parts."""

    concrete: list[str]
    abstract: list[str]


class PositionData(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Why the abstract state of a pair does not stand for the concrete one."""

    pair: PairData | None
    """Null for the start, where steps lead to initial states."""
    kind: Literal["label", "concrete step", "abstract step", "concrete choice"]
    """`label`: a label differs. `concrete step`, `abstract step`: this side has a step that the
    other side can't match. `concrete choice`: the concrete side answers with a hyper-step, and
    one of the states that this can lead to does not match."""
    label: str | None
    concrete_value: Literal["false", "true", "unknown"] | None
    """Of the label."""
    abstract_value: Literal["false", "true", "unknown"] | None
    action: str | None
    """Of the step, if parts have actions."""
    target: list[str] | None
    """Where the step leads: states of the side that makes it."""
    answers: list[Count]
    """All answers to the step, as places in the game, counted from 0."""
    others: list[list[str]] = msgspec.field(default_factory=list)
    """Of an abstract hyper-step: where it can lead besides."""


class RefinementData(msgspec.Struct, forbid_unknown_fields=True):
    """Whether parts refine others, as `pigro compose --refines` tells it."""

    schema: Literal["pigro.refinement/1"]
    abstract_parts: list[str]
    concrete_parts: list[str]
    refines: bool
    pairs: Count
    """Pairs of states that were looked at."""
    relation: list[PairData]
    """If it refines: a mixed simulation."""
    game: list[PositionData]
    """If it does not: positions, the first of them the start."""
    seconds: float
