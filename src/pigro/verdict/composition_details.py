"""How a composition was decided: the games that were played, and what they took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pigro.verdict.verdict import EngineDetails

if TYPE_CHECKING:
    from pigro.model.composition import Composition


@dataclass(frozen=True, slots=True)
class LayerReport:
    """What the game on a layer was like."""

    parts: tuple[int, ...]
    """Which parts it is about, by number."""
    value: bool | None
    """What it says about the whole system. None: nothing."""
    nodes: int
    edges: int
    open_nodes: int
    """Undecided nodes, and nodes that they lead to. 0 if the value is definite."""
    open_edges: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a value is not definite: a label, or a step, of one composed state."""

    states: tuple[int, ...]
    """Of each part: a block, or a state if the part is not abstract."""
    atom: str | None = None
    """The label that is unknown there."""
    action: int | None = None
    """Else the action of the step, as the setting numbers it."""
    target: tuple[int, ...] | None = None
    """And where it may lead."""


@dataclass(frozen=True, slots=True)
class CauseOutcome:
    """What one part found out about a cause."""

    part: int
    state: str
    """The name of the block, as it was."""
    atom: str | None
    """The label that was unknown there. None: a step was in doubt."""
    action: str | None
    """Of that step, if parts have actions."""
    target: str | None
    """And the name of the block where it may lead."""
    split: bool
    """Whether the states of the block differ in that, so that it was split."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the games, and the findings afterwards."""

    blocks: tuple[int, ...]
    """Of each part, how many. Its states if it is not abstract."""
    layers: tuple[LayerReport, ...]
    causes: tuple[Cause, ...] = ()
    findings: tuple[CauseOutcome, ...] = ()
    """Fewer than causes, if earlier findings answer some of them."""
    helped: bool = False
    """Of the last one: whether the part that decided had to know what games on both had shown."""

    @property
    def splits(self) -> int:
        """How many blocks were split. The other findings needed none."""
        return sum(finding.split for finding in self.findings)


@dataclass(frozen=True, slots=True)
class SubformulaSizes:
    """Numbers of composed states in the sets of one subformula."""

    true: int
    """Some part knows that it is true."""
    false: int
    unknown: int
    """No part knows."""
    relevant: int
    """Its value may be needed in the initial states."""


@dataclass(frozen=True, slots=True)
class SymbolicResult:
    """The answer, and what it took."""

    value: bool | None
    """Whether the formula is true in all initial states. None if that is not known."""
    alone: tuple[bool | None, ...]
    """What each part says alone. Parts after one that decides are not asked."""
    decided_by: int | None
    """The part that decided alone."""
    second_step: bool
    """Whether the composition was asked."""
    sizes: tuple[SubformulaSizes, ...]
    """By nodes of the form. Empty if a part decided."""
    rounds_alone: int
    """Rounds of fixpoints in all parts asked alone."""
    rounds: int
    """Rounds of fixpoints in the second step, which start from what the parts know."""
    variables: int
    """Boolean variables of a composed state."""
    nodes: int
    """The most nodes of decision diagrams at once."""
    package: Literal["cudd", "autoref"]
    """Who kept the diagrams: `cudd` or `autoref`."""
    narrowed: bool = False
    """Whether the others keep the part that decided from starting where it could."""
    doubt: str | None = None
    """What the parts leave open, if the answer is not known."""


class CompositionDetails(EngineDetails, frozen=True):
    """How a composition was decided."""

    method: str
    parts: tuple[str, ...]
    """The names of all parts."""
    layers: tuple[LayerReport, ...] = ()
    """The games that were played, in order. Of refinement, those of the last round."""
    rounds: tuple[Round, ...] = ()
    """Of refinement."""
    symbolic: SymbolicResult | None = None
    """Of the symbolic method."""
    doubt: str | None = None
    """What the parts leave open, if that is why there is no verdict."""
    assumption: Composition | None = None
    """Of refinement, if it was asked for: abstract parts that decide the formula by themselves."""
    ways: int = 0
    """Of LTL and CTL*: how many ways to finish the parts were decided."""
    is_open: bool = False
    """Of LTL and CTL*: whether what was asked about the parts is left open."""
    depends: bool = False
    """Of LTL and CTL*: whether two ways to finish the parts have different verdicts."""
    dead_ends: str = "stutter"
    """How states without a next state are read."""
    narrowed: bool = False
    """Whether the others keep the parts that decided from starting where they could."""

    @property
    def alone(self) -> dict[str, bool | None]:
        """What each part says alone, by name. Parts after one that decides are not asked."""
        if self.symbolic is not None:
            return {self.parts[at]: value for at, value in enumerate(self.symbolic.alone)}
        return {
            self.parts[layer.parts[0]]: layer.value
            for layer in self.layers
            if len(layer.parts) == 1
        }

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The parts that were needed, by name. Empty if there is no verdict."""
        if self.ways:
            return () if self.depends else self.parts
        if self.symbolic is not None:
            one = self.symbolic.decided_by
            if self.symbolic.value is None:
                return ()
            return self.parts if one is None else self.parts[one : one + 1]
        if not self.layers or self.layers[-1].value is None:
            return ()
        if self.rounds and self.rounds[-1].helped:
            return self.parts
        return tuple(self.parts[at] for at in self.layers[-1].parts)

    @property
    def reason(self) -> str:
        """One sentence for people."""
        if self.depends:
            return "it depends on how the parts are finished: two ways have different verdicts"
        if self.is_open:
            return f"it is so for every way to finish the parts; {self.ways:,} were looked at"
        if self.ways:
            return "composed states were made as they were needed"
        if not self.decided_by:
            return f"the parts leave open {self.doubt or 'what decides it'}"
        return how_decided(self.parts, self.method, self.decided_by, narrowed=self.narrowed)


def how_decided(parts: tuple[str, ...], method: str, by: tuple[str, ...], *, narrowed: bool) -> str:
    """How a method decided a formula by some of the parts, in one sentence."""
    if method == "full" and len(by) > 1:
        return "all parts were composed"
    if len(by) == len(parts):
        several = "decided on the composition of all parts"
        return several if len(by) > 1 else "there is one part only"
    others = "given where the others start" if narrowed else "whatever the others do"
    if len(by) == 1:
        return f"part {by[0]} decides it alone, {others}"
    return f"parts {', '.join(by)} decide it, {others}"
