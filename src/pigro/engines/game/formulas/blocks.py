"""Blocks of states: a concrete part as a small part with three values. Predicate abstraction.

The states of the small part are *blocks*: sets of states of the large one, at first one block for
each combination of values that the predicates can have. After [Shoham2010], section 2.2:

    may step     from some state of a block there is a step into the other
    must step    from every state of a block there is a step into the other
    label        true, or false, if it is so in every state of the block. Otherwise unknown
    initial      some state of the block is initial

Blocks are split where it matters, so not every block knows every predicate.

A block has a number, written in binary with variables of its own. `A` relates states to blocks, and
`P` relates states to the blocks that a step leads to. So a round needs few operations:

    may(a, a')  = some s: A(s, a) and P(s, a')
    must(a, a') = no s:   A(s, a) and not P(s, a')

Only states count that are initial or come after some state: steps never leave these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.engines.game.diagrams import copy_of
from pigro.engines.game.formulas.block_sets import FormulaBlockSets, sets_of
from pigro.model.lazy.part import AbstractedPart
from pigro.model.part import FALSE, LOCAL, TRUE, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.sets import StepRelation
    from pigro.model.lazy.seen import AnyPart

_EVERYTHING = "any"
_LONGEST = 200
"""Characters of a block's name."""


class StateBlock(NamedTuple):
    """Some states of a part."""

    states: Bdd
    facts: tuple[str, ...]
    """The labels that are true in all of them."""

    @property
    def name(self) -> str:
        """The facts in one text."""
        return ", ".join(self.facts) or _EVERYTHING


class PartBlocks:
    """The blocks of a concrete part, which may be split."""

    def __init__(
        self,
        part: AnyPart,
        tick: Callable[[], None],
        room: int | None = None,
        labels: Iterable[str] = (),
    ) -> None:
        """`labels` are those that may be asked of a part with a list of states."""
        self.part, self._tick = part, tick
        self.sets = sets_of(part, labels, tick, room)
        self.diagrams = self.sets.diagrams
        after = self.diagrams.union(
            [each.forward(self.sets.states) for each in self.sets.relations.values()]
        )
        self.blocks = [StateBlock(self.sets.initial | after, ())]
        self._bits: list[str] = []
        self._labels: dict[str, Bdd] = {}
        if isinstance(self.sets, FormulaBlockSets):
            for text in part.predicates:
                self.split_all(text, self.sets.predicate(text))

    def split_all(self, text: str, where: Bdd) -> None:
        """Splits each block by a predicate."""
        for at in range(len(self.blocks)):
            self.split(at, text, where)

    def split(self, at: int, text: str, where: Bdd) -> bool:
        """Splits a block into the states where a predicate is true, and the others, if it can."""
        self._tick()
        block = self.blocks[at]
        yes, no = block.states & where, block.states & ~where
        nothing = self.diagrams.false
        if nothing in (yes, no):
            return False
        self.blocks[at] = StateBlock(yes, (*block.facts, text))
        self.blocks.append(StateBlock(no, (*block.facts, negated(text))))
        return True

    def label(self, label: str) -> Bdd:
        """The states where a label is true."""
        if label not in self._labels:
            self._labels[label] = self.sets.label(label)
        return self._labels[label]

    def before(self, at: int, action: str = "") -> Bdd:
        """The states with a step into a block."""
        return self.sets.relations[action].backward(self.blocks[at].states)

    def small(self, labels: Iterable[str]) -> AbstractedPart:
        """The blocks as a part that sees these labels, as far as the large one does."""
        bits = self._declared(len(self.blocks))
        named = [
            dict(zip(bits, _code(at, len(bits)), strict=True)) for at in range(len(self.blocks))
        ]
        within = self.diagrams.union(
            [
                block.states & self.diagrams.cube(code)
                for block, code in zip(self.blocks, named, strict=True)
            ]
        )
        numbers = {name: at for at, name in enumerate(self.part.actions or ("",))}
        sources, targets, must, by = [], [], [], []
        for action, relation in self.sets.relations.items():
            for source, target, strong in self._steps(bits, within, relation):
                sources.append(source)
                targets.append(target)
                must.append(strong)
                by.append(numbers.get(action, LOCAL))
        seen = [label for label in self.part.atoms if label in frozenset(labels)]
        columns = [self._column(label) for label in seen]
        initial = [
            at
            for at, block in enumerate(self.blocks)
            if block.states & self.sets.initial != self.diagrams.false
        ]
        return AbstractedPart.from_steps(
            self.part.name,
            states=_distinct([block.name for block in self.blocks]),
            initial=initial,
            atoms=tuple(seen),
            values=bytes([value for row in zip(*columns, strict=True) for value in row]),
            actions=self.part.actions,
            by=None if self.part.actions is None else by,
            sources=sources,
            targets=targets,
            must=must,
        )

    def _declared(self, count: int) -> list[str]:
        """Enough variables for that many blocks."""
        needed = (count - 1).bit_length()
        while len(self._bits) < needed:
            name = f"block{len(self._bits)}"
            self.diagrams.declare([(name, copy_of(name))])
            self._bits.append(name)
        return self._bits[:needed]

    def _steps(
        self, bits: Sequence[str], within: Bdd, relation: StepRelation
    ) -> Iterator[tuple[int, int, int]]:
        """All steps that may be there, and whether they must."""
        copies = [copy_of(bit) for bit in bits]
        self._tick()
        after = relation.backward(
            self.diagrams.rename(dict(zip(bits, copies, strict=True)), within)
        )
        self._tick()
        variables = frozenset(self.sets.variables)
        may = self.diagrams.and_exists(within, after, variables)
        weak = self.diagrams.and_exists(within, ~after, variables)
        for strong, steps in ((0, may & weak), (1, may & ~weak)):
            for found in self.diagrams.every(steps, [*bits, *copies]):
                self._tick()
                yield _number(found, bits), _number(found, copies), strong

    def _column(self, label: str) -> list[int]:
        """What a label is in each block."""
        self._tick()
        where, nothing = self.label(label), self.diagrams.false
        found = []
        for block in self.blocks:
            inside = block.states & where
            known = TRUE if inside == block.states else FALSE
            found.append(known if inside in (nothing, block.states) else UNKNOWN)
        return found


def negated(text: str) -> str:
    """The negation of a condition, for people."""
    if text.startswith("!"):
        return text[1:]
    return f"!{text}" if text.isidentifier() else f"!({text})"


def _code(number: int, width: int) -> list[bool]:
    return [bool(number >> at & 1) for at in range(width)]


def _number(found: dict[str, bool], bits: Sequence[str]) -> int:
    return sum(found[bit] << at for at, bit in enumerate(bits))


def _distinct(names: Sequence[str]) -> list[str]:
    """Names that differ and are not too long."""
    found: dict[str, None] = {}
    for at, name in enumerate(names):
        short = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}... {at}"
        while short in found:
            short += "'"
        found[short] = None
    return list(found)
