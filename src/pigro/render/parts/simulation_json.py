"""The same as one JSON object, described by refinement.schema.json."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from pigro.evidence.refinement.data import PairData, PositionData, RefinementData

if TYPE_CHECKING:
    from pigro.model.composition import Composition
    from pigro.model.product import Pair
    from pigro.verdict.simulation import Refuted, Simulation

_VALUES: tuple[Literal["false", "true", "unknown"], ...] = ("false", "true", "unknown")


def simulation_json(
    found: Simulation, abstract: Composition, concrete: Composition, seconds: float
) -> bytes:
    """The document, with a line end."""

    def states(side: Composition, of: tuple[int, ...]) -> list[str]:
        return [part.states[state] for part, state in zip(side.numbered_parts, of, strict=True)]

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
