"""What a check of a composition answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.engines.verdict import Answer
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from pigro.engines.game.layers import LayerReport
    from pigro.engines.game.refinement import Round
    from pigro.engines.game.symbolic import SymbolicResult
    from pigro.evidence.strategy import Strategy
    from pigro.logic import Formula


@dataclass(frozen=True, slots=True)
class CompositionVerdict(Answer):
    """The answer to one question about a composition. `holds` is None when there is no verdict."""

    composition: Composition = field(repr=False)
    formula: Formula
    holds: bool | None
    method: str
    seconds: float
    """Checking only, without evidence."""
    layers: tuple[LayerReport, ...] = ()
    """The games that were played, in order; of refinement, those of the last round."""
    rounds: tuple[Round, ...] = ()
    """Of refinement."""
    symbolic: SymbolicResult | None = None
    """Of the symbolic method."""
    gave_up: str | None = None
    """Why there is no verdict, if there is none."""
    doubt: str | None = None
    """What the parts leave open, if that is why: the nearest label or step that would help."""
    evidence: Strategy | None = field(default=None, repr=False)
    """A strategy that wins the game, if it was asked for."""

    @property
    def alone(self) -> dict[str, bool | None]:
        """What each part says alone, by name; parts after one that decides are not asked."""
        parts = self.composition.parts
        if self.symbolic is not None:
            return {parts[at].name: value for at, value in enumerate(self.symbolic.alone)}
        return {
            parts[layer.parts[0]].name: layer.value
            for layer in self.layers
            if len(layer.parts) == 1
        }

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The parts that were needed, by name; none if there is no verdict."""
        parts = self.composition.parts
        if self.holds is None:
            return ()
        if self.symbolic is not None:
            one = self.symbolic.decided_by
            return tuple(part.name for part in (parts if one is None else parts[one : one + 1]))
        if self.rounds and self.rounds[-1].helped:
            return tuple(part.name for part in parts)
        return tuple(parts[at].name for at in self.layers[-1].parts)

    @property
    def reason(self) -> str:
        """One sentence for people; why there is no verdict, if there is none."""
        if self.holds is None:
            return self.gave_up or f"the parts leave open {self.doubt or 'what decides it'}"
        return reason_of(self.composition, self.method, self.decided_by)


def reason_of(composition: Composition, method: str, by: tuple[str, ...]) -> str:
    """How a method decided a formula by these parts, in one sentence."""
    if method == "full" and len(by) > 1:
        return "all parts were composed"
    if len(by) == len(composition.parts):
        return "it takes all parts together" if len(by) > 1 else "there is one part only"
    others = (
        "given where the others start"
        if _is_narrowed(composition, by)
        else "whatever the others do"
    )
    if len(by) == 1:
        return f"part {by[0]} decides it alone, {others}"
    return f"parts {', '.join(by)} decide it, {others}"


def _is_narrowed(composition: Composition, names: tuple[str, ...]) -> bool:
    """Whether the others keep these parts from starting where they could."""
    parts = composition.parts
    inside = [at for at, part in enumerate(parts) if part.name in names]
    starts = {tuple([states[at] for at in inside]) for states in composition.initial}
    return len(starts) < len(Composition([parts[at] for at in inside]).initial)
