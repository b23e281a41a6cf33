"""Whether parts refine others: a mixed simulation, or the game that shows that there is none.

As text, whose names are escaped, and as one JSON object, described by refinement.schema.json.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pigro.diagnostics.printable import in_full, printable
from pigro.evidence.refinement.data import PairData, PositionData, RefinementData
from pigro.logic import quote
from pigro.render.json import document_json
from pigro.render.text import INDENT, count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model.composition import Composition
    from pigro.model.product import StatePair
    from pigro.verdict.simulation import Refuted, Simulation

_MOST = 40
_VALUES: tuple[Literal["false", "true", "unknown"], ...] = ("false", "true", "unknown")


def simulation_text(simulation: Simulation, abstract: Composition, concrete: Composition) -> str:
    """The answer and why, at most so many lines."""
    words = _RefinementText(abstract, concrete)
    if simulation.holds:
        related = count(len(simulation.relation), "pair")
        head = f"the concrete parts refine the abstract ones: {related} in a mixed simulation"
        lines = [words.pair(each) for each in simulation.relation[:_MOST]]
        more = len(simulation.relation) - _MOST
    else:
        played = count(len(simulation.game), "position")
        head = f"the concrete parts do not refine the abstract ones: a game of {played} shows it"
        lines = list(words.game(simulation))
        more = len(simulation.game) - _MOST
    if more > 0:
        lines.append(f"and {more:,} more; all of them with --format json")
    body = "".join(f"{' ' * INDENT}{line}\n" for line in lines)
    return f"{'holds' if simulation.holds else 'fails':<{INDENT}}{head}\n{body}"


class _RefinementText:
    """Says pairs of states and positions of the game."""

    def __init__(self, abstract: Composition, concrete: Composition) -> None:
        self._sides = {"abstract": abstract, "concrete": concrete}

    def pair(self, pair: StatePair) -> str:
        abstract, concrete = (
            self.states("abstract", pair.abstract),
            self.states("concrete", pair[0]),
        )
        return f"{abstract} for {concrete}"

    def states(self, side: str, states: tuple[int, ...]) -> str:
        parts = self._sides[side].numbered_parts
        return ", ".join(
            f"{in_full(part.name)}={in_full(part.states[state])}"
            for part, state in zip(parts, states, strict=True)
        )

    def game(self, simulation: Simulation) -> Iterator[str]:
        for number, (pair, why) in enumerate(simulation.game[:_MOST], 1):
            where = "start" if pair is None else self.pair(pair)
            yield f"{number:>3}  {where}: {self._reason(pair, why)}"

    def _reason(self, pair: StatePair | None, why: Refuted) -> str:
        if why.label is not None:
            assert why.values is not None, "a label has values"
            here, there = (_VALUES[value] for value in why.values)
            return (
                f"{quote(why.label)} is {here} in the concrete state, {there} in the abstract one"
            )
        model = "abstract" if why.kind == "abstract step" else "concrete"
        other = "abstract" if model == "concrete" else "concrete"
        assert why.target is not None, "a step has a target"
        to = " or ".join([self.states(model, each) for each in (why.target, *why.others)])
        by = f" by {printable(why.action)}" if why.action else ""
        what = f"initial state {to}" if pair is None else f"step{by} to {to}"
        must = "" if model == "concrete" or pair is None else ", which must be there"
        answers = ", ".join(str(each + 1) for each in why.answers)
        if why.kind == "concrete choice":
            return f"the concrete hyper-step{by} can lead to {to}; answers lead to {answers}"
        rest = f"answers lead to {answers}" if answers else f"the {other} side has no answer"
        return f"the {model} {what}{must}; {rest}"


def simulation_json(
    simulation: Simulation, abstract: Composition, concrete: Composition, seconds: float
) -> bytes:
    """The document, with a line end."""

    def states(side: Composition, of: tuple[int, ...]) -> list[str]:
        return [part.states[state] for part, state in zip(side.numbered_parts, of, strict=True)]

    def pair(given: StatePair) -> PairData:
        return PairData(states(concrete, given.concrete), states(abstract, given.abstract))

    def position(where: StatePair | None, why: Refuted) -> PositionData:
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
        refines=simulation.holds,
        pairs=simulation.pairs,
        relation=[pair(each) for each in simulation.relation],
        game=[position(where, why) for where, why in simulation.game],
        seconds=seconds,
    )
    return document_json(document)
