"""Whether a composition refines another, and why: a relation, or a game that shows that none is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pigro.model.product import StatePair


class Refuted(NamedTuple):
    """Why the abstract state of a pair does not stand for the concrete one."""

    kind: str
    """`label`: a label differs. `concrete step`: the concrete state has a step that the abstract
    one has no answer to. `abstract step`: the other way round, for a step that must be there.
    `concrete choice`: the concrete one answers by a hyper-step, which can lead to a state that none
    of the abstract targets stands for."""
    label: str | None = None
    values: tuple[int, int] | None = None
    """Of the label in both states: 0 false, 1 true, 2 unknown."""
    action: str = ""
    target: tuple[int, ...] | None = None
    """Where the step leads."""
    others: tuple[tuple[int, ...], ...] = ()
    """Of an abstract hyper-step: where it can lead besides."""
    answers: tuple[int, ...] = ()
    """All answers there are, as positions of the game. None of them is right."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The answer. Of two compositions, the concrete one refines the abstract one, or does not."""

    holds: bool
    relation: tuple[StatePair, ...] = ()
    """If it does: which abstract states stand for which concrete ones, a mixed simulation."""
    game: tuple[tuple[StatePair | None, Refuted], ...] = ()
    """If it does not: positions with their reasons. The first is the start, where a step is one to
    an initial state. Each position is refuted by those that its answers lead to."""
    pairs: int = 0
    """How many pairs were looked at."""

    def __bool__(self) -> bool:
        return self.holds
