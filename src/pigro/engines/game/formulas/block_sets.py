"""A concrete part as sets that blocks are made of: from its formulas, or its list of states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pigro.engines.game.diagrams import BddManager
from pigro.engines.game.encoding import encode
from pigro.engines.game.formulas.conditions import conditions_of
from pigro.engines.game.formulas.part import FormulaSets
from pigro.engines.game.formulas.slots import SlotBits
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.sets import StepRelation
    from pigro.model.lazy.formulas import PartFormulas
    from pigro.model.lazy.seen import AnyPart
    from pigro.model.part import Part


class BlockSets(Protocol):
    """What blocks need of a part."""

    diagrams: BddManager
    variables: Sequence[str]
    states: Bdd
    initial: Bdd
    relations: Mapping[str, StepRelation]
    """The steps by each action, or by nothing."""

    def label(self, label: str) -> Bdd:
        """The states where a label is true."""

    def conditions(self) -> list[tuple[str, Bdd]]:
        """Conditions that the part itself decides by, where they are true."""


class FormulaBlockSets:
    """See `BlockSets`."""

    def __init__(
        self, name: str, formulas: PartFormulas, tick: Callable[[], None], room: int | None
    ) -> None:
        self._formulas = formulas
        self.diagrams = BddManager(tick, room)
        slots = SlotBits(self.diagrams, formulas, "s", frozenset(), {})
        self._sets = FormulaSets(self.diagrams, name, formulas, slots, tick)
        self.variables: Sequence[str] = slots.current
        self.states, self.initial = self._sets.states, self._sets.initial
        self.relations: Mapping[str, StepRelation] = {"": self._sets.relation}

    def label(self, label: str) -> Bdd:
        """See `BlockSets`."""
        return self._sets.label(label)[0]

    def predicate(self, text: str) -> Bdd:
        """The states where a condition of a user is true."""
        return self._sets.condition(self._formulas.read(text))

    def conditions(self) -> list[tuple[str, Bdd]]:
        """See `BlockSets`. Without those that can go wrong."""
        found = []
        for text, number in conditions_of(self._formulas):
            true, fault = self._sets.terms.condition(number)
            if fault & self.states == self.diagrams.false:
                found.append((text, true & self.states))
        return found


class ListedBlockSets:
    """See `BlockSets`, for a part with a list of states."""

    def __init__(
        self, part: Part, labels: Iterable[str], tick: Callable[[], None], room: int | None
    ) -> None:
        space = encode(Composition([part]), labels, tick, room)
        (sets,) = space.parts
        self._labels = sets.labels
        self.diagrams = space.diagrams
        self.variables: Sequence[str] = sets.variables
        self.states, self.initial = sets.states, sets.initial
        self.relations: Mapping[str, StepRelation] = {
            action: space.relation([sets], action, must=False) for action in sets.steps
        }

    def label(self, label: str) -> Bdd:
        """See `BlockSets`."""
        return self._labels[label][0]

    def conditions(self) -> list[tuple[str, Bdd]]:
        """See `BlockSets`. A list of states has none."""
        return []


def sets_of(
    part: AnyPart, labels: Iterable[str], tick: Callable[[], None], room: int | None
) -> BlockSets:
    """The sets of a part, of which these labels are asked."""
    if part.formulas is not None:
        return FormulaBlockSets(part.name, part.formulas, tick, room)
    return ListedBlockSets(part.listed(), labels, tick, room)
