"""The same as one JSON object, described by refinement.schema.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from pigro.evidence.data import Count  # noqa: TC001 - msgspec reads annotations

if TYPE_CHECKING:
    from pigro.model.composition import Composition
    from pigro.verdict.simulation import Pair, Refuted, Simulation

_VALUES: tuple[Literal["false", "true", "unknown"], ...] = ("false", "true", "unknown")


class PairData(msgspec.Struct, forbid_unknown_fields=True):
    """States of the parts, by name, in the order of the parts."""

    concrete: list[str]
    abstract: list[str]


class PositionData(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Why the abstract state of a pair does not stand for the concrete one."""

    pair: PairData | None
    """Null for the start, where steps lead to initial states."""
    kind: Literal["label", "concrete step", "abstract step", "concrete choice"]
    """A label that differs. Or a step that the other side has no right answer to. Or the concrete
    side answers by a hyper-step, which can lead to a state that is no right answer."""
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


def simulation_json(
    found: Simulation, abstract: Composition, concrete: Composition, seconds: float
) -> bytes:
    """The document, with a line end."""

    def states(side: Composition, of: tuple[int, ...]) -> list[str]:
        return [part.states[state] for part, state in zip(side.parts, of, strict=True)]

    def pair(given: Pair) -> PairData:
        return PairData(states(concrete, given.concrete), states(abstract, given.abstract))

    def position(where: Pair | None, why: Refuted) -> PositionData:
        side = abstract if why.kind == "abstract step" else concrete
        here, there = (None, None) if why.values is None else map(_VALUES.__getitem__, why.values)
        return PositionData(
            pair=None if where is None else pair(where),
            kind=why.kind,  # type: ignore[arg-type] # one of the four
            label=why.label,
            concrete_value=here,
            abstract_value=there,
            action=why.action or None,
            target=None if why.target is None else states(side, why.target),
            answers=list(why.answers),
            others=[states(side, each) for each in why.others],
        )

    document = RefinementData(
        schema="pigro.refinement/1",
        abstract_parts=[part.name for part in abstract.parts],
        concrete_parts=[part.name for part in concrete.parts],
        refines=found.holds,
        pairs=found.pairs,
        relation=[pair(each) for each in found.relation],
        game=[position(where, why) for where, why in found.game],
        seconds=seconds,
    )
    return msgspec.json.format(msgspec.json.encode(document), indent=2) + b"\n"
