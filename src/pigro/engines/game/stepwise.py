"""Parts seen from afar, where one step is found out at a time. After [Shoham2010], section 5.1.

`abstraction.py` finds out all steps of a block at once. Here it is one step of one block: whether
all states of the block have it, or none has. If some have it, the block is split. So a round learns
no more than it asked for, as in the paper's example 5.11.

A3 is then: a step may be there unless it is known that no state of the block has it. It must be
there if it is known that all have it. When the block that a step leads to is split, it is no longer
known that all states have a step to either half. With hyper-steps (A4) it is known that all have a
step to one of the halves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.game.abstraction import PartAbstraction
from pigro.model.part import MAY, MUST
from pigro.model.parts.hyper import HyperStep

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.engines.game.abstraction import Row
    from pigro.model.part import Part

    _Step = tuple[int, int, int]
    """A block, an action, and the block that the step leads to."""


class StepwiseAbstraction(PartAbstraction):
    """A concrete part by blocks of its states."""

    def __init__(self, part: Part, joint: Iterable[str], *, hyper: bool = False) -> None:
        super().__init__(part, joint, hyper=hyper)
        self._found: dict[_Step, bool] = {}
        """Of steps that were looked at: whether all states of the block have it, or none."""
        self._known_sets: set[_Step] = set()
        """Blocks and actions, with a node of the tree that all states have a step into."""

    def _look_at_all(self) -> None:
        """Never: steps are found out one by one."""

    def must_step(self, block: int, action: int, target: int) -> bool:
        """Whether a step is known to be there."""
        return self._found.get((block, action, target), False)

    def find_step(self, block: int, action: int, target: int) -> int | None:
        """Finds out about a step that may be there: None, or the number of a new block."""
        having, lacking = self._by_step(block, action, target)
        self._rows.pop(block, None)
        node = self._tree.node(target)
        if not having or not lacking:
            self._found[block, action, target] = bool(having)
            return None
        fresh = self._split(block, having, lacking)
        if target == block:
            self._found[fresh, action, block] = self._found[fresh, action, fresh] = False
            self._known_sets.add((block, action, node))
        else:
            self._found[block, action, target] = True
            self._found[fresh, action, target] = False
        return fresh

    def _split(self, block: int, kept: list[int], rest: list[int]) -> int:
        node = self._tree.node(block)
        fresh = super()._split(block, kept, rest)
        self._known_sets |= {(fresh, by, to) for at, by, to in self._known_sets if at == block}
        self._rows.clear()  # every row has a step to a new block
        for (source, action, target), all_have_it in list(self._found.items()):
            sources = (source, fresh) if source == block else (source,)
            if target != block:
                for each in sources:
                    self._found[each, action, target] = all_have_it
            elif all_have_it:
                del self._found[source, action, target]
                self._known_sets |= {(each, action, node) for each in sources}
            else:
                for each in sources:
                    self._found[each, action, block] = self._found[each, action, fresh] = False
        return fresh

    def _row(self, block: int) -> Row:
        """As A3 says here."""
        if self.hyper:
            self._wide[block] = self._hyper_steps_known(block)
        row: Row = {}
        for action in self._actions:
            for target in range(len(self.blocks)):
                found = self._found.get((block, action, target))
                if found is not False:
                    row[action, target] = MUST if found else MAY
        self._rows[block] = row
        return row

    def _hyper_steps_known(self, block: int) -> list[HyperStep]:
        """The hyper-steps of a block. One that has a single target left is a must step."""
        found: list[HyperStep] = []
        for action in self._actions:
            states = range(len(self.blocks))
            blocks = [at for at in states if self._found.get((block, action, at)) is not False]
            known = {node for at, by, node in self._known_sets if (at, by) == (block, action)}
            known |= {self._tree.node(at) for at in blocks if self.must_step(block, action, at)}
            sets = self._tree.lowest(self._tree.with_above(known), blocks)
            for targets in sorted(sets):
                if len(targets) == 1:
                    self._found[block, action, targets[0]] = True
                else:
                    found.append(HyperStep(block, action, targets))
        return found
