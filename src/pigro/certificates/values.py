"""What the claims of a certificate say: the values of operators and of their operands.

Sets of nodes are ints, of three-valued sets a pair: where true, and where false.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.certificates.reading import Instance, OperandContext
from pigro.logic.normal import EG, EU, EX
from pigro.model import DeadEnds
from pigro.model.plain import as_set, members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.reading import CertificateBlock, ClaimLevel
    from pigro.logic.levels import FormulaLevel, Pair
    from pigro.model.plain import BoxCall, PlainComponent, PlainModel

Known = dict[tuple[int, bool, int, int], list[int]]
"""The exits of blocks, by operator, whether sure, operand context (lemmas: component), entry."""


class ClaimPlace(NamedTuple):
    """Where claims of a block are made: what holds there, and the block's exits."""

    operands: int
    part: PlainComponent
    phi1: Pair
    phi2: Pair
    exits: int

    def is_exit_of_block(self, node: int) -> bool:
        return node in self.part.place and self.exits >> self.part.place[node] & 1 == 1

    def goes_on(self, node: int) -> bool:
        """Whether the node has successors. An exit has none."""
        return bool(self.part.steps[node] or self.part.called[node])


class ClaimedValues:
    """A level, or the top: its data, and the values that its claims give."""

    def __init__(
        self,
        model: PlainModel,
        shape: FormulaLevel,
        level: ClaimLevel,
        below: list[ClaimedValues],
        lemmas: Known,
    ) -> None:
        self.model, self.shape, self.op, self.level = model, shape, shape.op, level
        self.below, self.children = list(below), [below[child] for child in shape.children]
        self.lemmas, self.known = lemmas, Known()
        self.links = {(link.source, link.box): link.target for link in level.links}
        self.joins = {(link.source, link.box): link.target for link in level.instance_links}
        self.blocks: dict[int, list[CertificateBlock]] = {}
        for block in level.blocks:
            self.blocks.setdefault(block.operands, []).append(block)
        self.free_operands: dict[int, int] = {}
        for at, operands in enumerate(level.operand_contexts):
            if operands == self.free(operands.component):
                self.free_operands.setdefault(operands.component, at)
        self._phis: dict[OperandContext, tuple[Pair, ...]] = {}
        self._values: dict[tuple[int, int | None], Pair] = {}

    def is_irrelevant(self, component: int) -> bool:
        return self.level.relevant is not None and component not in self.level.relevant

    def free(self, component: int) -> OperandContext:
        return OperandContext(component, (None,) * len(self.children))

    def lower(self, operands: OperandContext) -> Iterator[tuple[ClaimedValues, Instance]]:
        """The lower instances of an operand context that are not none."""
        pairs = zip(self.children, operands.lower, strict=True)
        return ((child, child.level.instances[at]) for child, at in pairs if at is not None)

    def phis(self, at: OperandContext) -> tuple[Pair, ...]:
        """Where phi1 and phi2 are true and false. For EX and EG phi twice, for paths all leaves."""
        if at not in self._phis:
            part = self.model.parts[at.component]
            whole = (1 << part.width) - 1
            for stage in self.below if None in at.lower else ():  # so that nothing recurses deeply
                stage.value(at.component, None)
            pairs = zip(self.children, at.lower, strict=True)
            values = [child.value(at.component, lower) for child, lower in pairs]
            label = lambda name: self.model.label(name) >> part.first & whole  # noqa: E731
            self._phis[at] = self.shape.evaluate(whole, label, values)
        return self._phis[at]

    def value(self, component: int, number: int | None) -> Pair:
        """Where the operator is true or false at an instance or at none. The first value counts."""
        if (component, number) not in self._values:
            part, at = self.model.parts[component], self.at(component, number)
            yes = as_set([part.exits[each] for each in members(at.true)], part.width)
            no = as_set([part.exits[each] for each in members(at.false)], part.width) & ~yes
            blocks = self.blocks.get(at.operands, [])
            for block in (block for block in blocks if block.sure and not block.exits & ~at.true):
                yes |= as_set(block.nodes, part.width) & ~no
            for block in (
                block for block in blocks if not block.sure and not block.exits & ~at.false
            ):
                no |= as_set(block.nodes, part.width) & ~yes
            all_exits, all_nodes = (1 << len(part.exits)) - 1, (1 << part.width) - 1
            if self.op == EX:
                yes, no = self._next(component, at.operands, yes, no)
            elif self.is_irrelevant(component) and self.op == EU and at.false == all_exits:
                no |= all_nodes & ~yes
            elif self.is_irrelevant(component) and self.op == EG and at.true == all_exits:
                yes |= all_nodes & ~no
            self._values[component, number] = yes, no
        return self._values[component, number]

    def at(self, component: int, number: int | None) -> Instance:
        """An instance, or the one that stands for none."""
        if number is not None:
            return self.level.instances[number]
        return Instance(self.free_operands.get(component, -1), root=False, true=0, false=0)

    def settle(self) -> None:
        """Works out the values of EX now: those above would else recurse through all levels."""
        for at, instance in enumerate(self.level.instances if self.op == EX else ()):
            self.value(self.level.operand_contexts[instance.operands].component, at)

    def _next(self, component: int, operands: int, yes: int, no: int) -> Pair:
        """EX at nodes that are no exits, from phi at their successors."""
        part, operand_contexts = self.model.parts[component], self.level.operand_contexts
        here = self.phis(self.free(component) if operands < 0 else operand_contexts[operands])[0]
        for node in set(range(part.width)) - part.place.keys() - part.calls.keys():
            seen = [(here, after) for after in part.steps[node]]
            for call in part.called[node]:
                target = self.links.get((operands, call.box))
                phi = (0, 0) if target is None else self.phis(operand_contexts[target])[0]
                seen.append((phi, call.entry))
            if not seen and self.model.model.dead_ends is not DeadEnds.STOP:
                seen = [(here, node)]
            some = any(phi[0] >> at & 1 for phi, at in seen)
            yes |= some << node
            no |= (not some and all(phi[1] >> at & 1 for phi, at in seen)) << node
        return yes, no

    def know(self, block: CertificateBlock) -> None:
        """From now on the block counts for others."""
        if block.entry is not None:
            key = self.op, block.sure, block.operands, block.entry
            self.known.setdefault(key, []).append(block.exits)

    def about(self, sure: bool, operands: int, call: BoxCall) -> list[int]:
        """The exits of the blocks about a called entry that count so far, or of lemmas (R9)."""
        target = self.links.get((operands, call.box), -1)
        found = self.known.get((self.op, sure, target, call.entry), [])
        if self.is_irrelevant(call.callee) and (sure or not found):
            found = found + self.lemmas.get((self.op, sure, call.callee, call.entry), [])
        return found if sure else found[:1]

    def place(self, block: CertificateBlock) -> ClaimPlace:
        """Where the claims of a block are made."""
        operands = self.level.operand_contexts[block.operands]
        phi1, phi2 = self.phis(operands)
        return ClaimPlace(
            block.operands, self.model.parts[operands.component], phi1, phi2, block.exits
        )
