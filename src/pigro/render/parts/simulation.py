"""A mixed simulation, or the game that shows that there is none, as text. Names are escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.logic import quote
from pigro.render.text import INDENT, count, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model.composition import Composition
    from pigro.model.product import Pair
    from pigro.verdict.simulation import Refuted, Simulation

_MOST = 40
_VALUES = ("false", "true", "unknown")


def simulation_text(found: Simulation, abstract: Composition, concrete: Composition) -> str:
    """The answer and why, at most so many lines."""
    telling = _Telling(abstract, concrete)
    if found.holds:
        related = count(len(found.relation), "pair")
        head = f"the concrete parts refine the abstract ones: {related} in a mixed simulation"
        lines = [telling.pair(each) for each in found.relation[:_MOST]]
        more = len(found.relation) - _MOST
    else:
        played = count(len(found.game), "position")
        head = f"the concrete parts do not refine the abstract ones: a game of {played} shows it"
        lines = list(telling.game(found))
        more = len(found.game) - _MOST
    if more > 0:
        lines.append(f"and {more:,} more; all of them with --format json")
    told = "".join(f"{' ' * INDENT}{line}\n" for line in lines)
    return f"{'holds' if found.holds else 'fails':<{INDENT}}{head}\n{told}"


class _Telling:
    def __init__(self, abstract: Composition, concrete: Composition) -> None:
        self._sides = {"abstract": abstract, "concrete": concrete}

    def pair(self, pair: Pair) -> str:
        abstract, concrete = (
            self.states("abstract", pair.abstract),
            self.states("concrete", pair[0]),
        )
        return f"{abstract} for {concrete}"

    def states(self, side: str, states: tuple[int, ...]) -> str:
        parts = self._sides[side].numbered_parts
        return ", ".join(
            f"{whole(part.name)}={whole(part.states[state])}"
            for part, state in zip(parts, states, strict=True)
        )

    def game(self, found: Simulation) -> Iterator[str]:
        for number, (pair, why) in enumerate(found.game[:_MOST], 1):
            where = "start" if pair is None else self.pair(pair)
            yield f"{number:>3}  {where}: {self._reason(pair, why)}"

    def _reason(self, pair: Pair | None, why: Refuted) -> str:
        if why.label is not None:
            assert why.values is not None, "a label has values"
            here, there = (_VALUES[value] for value in why.values)
            return (
                f"{quote(why.label)} is {here} in the concrete state, {there} in the abstract one"
            )
        mine = "abstract" if why.kind == "abstract step" else "concrete"
        other = "abstract" if mine == "concrete" else "concrete"
        assert why.target is not None, "a step has a target"
        to = " or ".join([self.states(mine, each) for each in (why.target, *why.others)])
        by = f" by {printable(why.action)}" if why.action else ""
        what = f"initial state {to}" if pair is None else f"step{by} to {to}"
        must = "" if mine == "concrete" or pair is None else ", which must be there"
        answers = ", ".join(str(each + 1) for each in why.answers)
        if why.kind == "concrete choice":
            return f"the concrete hyper-step{by} can lead to {to}; answers lead to {answers}"
        rest = f"answers lead to {answers}" if answers else f"the {other} side has no answer"
        return f"the {mine} {what}{must}; {rest}"
