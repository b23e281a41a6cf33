"""Why a formula holds or fails in a composition: how to win its game, as far as that is needed.

The game is that of [Shoham2010]: a position is a state with a subformula. The player who says
that the formula holds chooses at `|` and `<>`, the other at `&` and `[]`. Of the variables that
come again and again, the one of the largest priority says who wins. The *winner* is the former if
the formula holds, and the latter if it fails.

A *layer* is some of the parts. A *claim* of a layer is a position, of states of these parts, that
the winner wins whatever the other parts do. It rests on other claims: on one that the winner moves
to, or on those that cover all moves of the loser. These are claims of the same layer, or of a
smaller one, which leaves parts out: what it wins without them is won with them.

What makes a strategy right is said in replay.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from pigro.logic.modal import modal_form
from pigro.model.lazy.seen import numbered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.logic import Formula
    from pigro.logic.modal import ModalForm
    from pigro.model.composition import Composition
    from pigro.model.lazy.seen import NumberedPart, SeenPart
    from pigro.model.part import Part

States = tuple[int, ...]
"""Of the parts of a layer, in their order."""
Position = tuple[States, int]
"""States, and a subformula by its number in the modal form."""


@dataclass(frozen=True, slots=True)
class StrategyMove:
    """The move of the winner in a position, by the position that it leads to."""

    states: States
    node: int
    action: str | None = None
    """Of a step of parts with actions: by which."""
    others: tuple[States, ...] = ()
    """Of a hyper-step: where it can lead besides. The loser chooses."""

    @property
    def goals(self) -> tuple[States, ...]:
        """All states that it can lead to."""
        return (self.states, *self.others)


@dataclass(frozen=True, slots=True)
class ClaimLayer:
    """Claims about some of the parts."""

    parts: tuple[int, ...]
    """By number in the composition, ascending."""
    claims: Mapping[Position, StrategyMove | None] = field(repr=False)
    """Each with the move of the winner, where the winner chooses."""


@dataclass(frozen=True, slots=True)
class AbstractPart:
    """A part seen from afar: blocks of its states, as states of a part of their own."""

    part: Part
    """Of the blocks: it knows less of labels and steps."""
    members: tuple[tuple[int, ...], ...]
    """Of each block, the states of the composition's part."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """How to win the game of a formula on a composition."""

    KIND: ClassVar[str] = "strategy"
    """See `pigro.evidence.kinds`."""

    formula: Formula
    dead_ends: Literal["stutter", "stop"]
    """How CTL reads states without a next state."""
    holds: bool
    """Whether the formula holds: who wins."""
    parts: tuple[AbstractPart | SeenPart | None, ...]
    """What it is played on: for each part of the composition, the part itself, its blocks, or the
    part as far as its states were seen."""
    layers: tuple[ClaimLayer, ...]
    is_whole: bool = True
    """Whether all claims are there. Otherwise some rest on claims that were left out, because
    there are too many."""

    @property
    def form(self) -> ModalForm:
        """What subformulas are numbered by."""
        return modal_form(self.formula, dead_ends=self.dead_ends)

    def played_on(self, composition: Composition) -> tuple[NumberedPart, ...]:
        """The parts whose states have the numbers of claims."""
        return tuple(
            numbered(part)
            if mine is None
            else mine.part
            if isinstance(mine, AbstractPart)
            else mine
            for part, mine in zip(composition.parts, self.parts, strict=True)
        )

    @property
    def positions(self) -> int:
        """How many claims there are."""
        return sum(len(layer.claims) for layer in self.layers)
