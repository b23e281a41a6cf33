"""Abstract parts, whose blocks of states are split when a game needs it ([Shoham2010], section 5).

A *block* is a set of states of a part that agree on the labels it shares with others. At first all
of them that agree are one block, nothing is known of its other labels, and every step between
blocks is possible. What an undecided game asks for is then found out: a label of a block, or the
steps of a block. Where the states of the block differ, it is split. Otherwise no split is needed.

A1  The blocks are a partition of the states. States of a block agree on the joint labels.
A2  A label of a block that is known is that of all its states.
A3  Of a block whose steps are known: a step to another block may be there if one of its states has
    it, and must be there if all have it. Of others, every step may be there, and none must.
A4  With hyper-steps: where all states of a block have a step into a block that was split since,
    the block has a hyper-step to the blocks that the split made (`split_tree.py`).

So the part of the blocks is an abstraction of the part: a definite value on the blocks is right on
the states. With A4 every part of blocks is also an abstraction of the one after the next split, so
definite values stay definite. Without A4 a must step is lost if the block that it leads to is
split, and some states have a step into one half only and some into the other.
"""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import TYPE_CHECKING

from pigro.engines.game.split_tree import SplitTree
from pigro.model.part import LOCAL, MAY, MUST, UNKNOWN, Part
from pigro.model.parts.hyper import HyperStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Row = dict[tuple[int, int], int]
    """Steps by action and target block, and whether they must be there."""


class PartAbstraction:
    """A concrete part by blocks of its states."""

    def __init__(self, part: Part, joint: Iterable[str], *, hyper: bool = False) -> None:
        self.concrete = part
        self.hyper = hyper
        """Whether there are hyper-steps."""
        shared = frozenset(joint)
        self._columns = {atom: at for at, atom in enumerate(part.atoms)}
        known = [self._columns[atom] for atom in part.atoms if atom in shared]
        first: dict[tuple[int, ...], int] = {}
        self.block_of: list[int] = []
        self.blocks: list[list[int]] = []
        self.labels: list[bytearray] = []
        for state in range(len(part.states)):
            key = tuple([part.value(state, column) for column in known])
            block = first.setdefault(key, len(first))
            if block == len(self.blocks):
                row = bytearray([UNKNOWN]) * len(part.atoms)
                for column, value in zip(known, key, strict=True):
                    row[column] = value
                self.blocks.append([])
                self.labels.append(row)
            self.block_of.append(block)
            self.blocks[block].append(state)
        self.looked = bytearray(len(self.blocks))
        """Of each block: whether its steps are known."""
        self._rows: dict[int, Row] = {}
        """Of blocks whose steps are known. Left out if a split may have changed them."""
        self._wide: dict[int, list[HyperStep]] = {}
        """Hyper-steps, of the same blocks."""
        self._tree = SplitTree(len(self.blocks))
        self._before = _predecessors(part)
        self._actions = [0] if part.actions is None else [LOCAL, *range(len(part.actions))]
        if part.actions is not None and LOCAL not in part.by:
            self._actions.remove(LOCAL)

    def part(self) -> Part:
        """The part of the blocks."""
        self._look_at_all()
        rows = [self._rows.get(block) or self._row(block) for block in range(len(self.blocks))]
        steps = [(*step, strength) for row in rows for step, strength in row.items()]
        initial = dict.fromkeys(self.block_of[state] for state in self.concrete.initial)
        return Part(
            name=self.concrete.name,
            states=[self.name(block) for block in range(len(self.blocks))],
            initial=tuple(initial),
            atoms=self.concrete.atoms,
            values=b"".join(self.labels),
            actions=self.concrete.actions,
            offsets=array("i", accumulate(map(len, rows), initial=0)),
            targets=array("i", [target for _, target, _ in steps]),
            by=array("i", [action for action, _, _ in steps]),
            must=bytes(strength for _, _, strength in steps),
            hyper=tuple([step for at in range(len(rows)) for step in self._wide.get(at, ())]),
        )

    def _look_at_all(self) -> None:
        """Finds out about all steps, where not to know would cost more than to know."""
        if self.concrete.targets:
            unknown = self.looked.count(0) * len(self.blocks) * len(self._actions)
            if unknown > len(self.concrete.targets):
                self.looked[:] = b"\1" * len(self.looked)

    def name(self, block: int) -> str:
        """Its first state, with a sign that there are more."""
        states = self.blocks[block]
        more = f"+{len(states) - 1}" if len(states) > 1 else ""
        return f"{self.concrete.states[states[0]]}{more}"

    def is_label_open(self, block: int, atom: str) -> bool:
        """Whether the part sees a label, and its value in a block is not known."""
        column = self._columns.get(atom)
        return column is not None and self.labels[block][column] == UNKNOWN

    def must_step(self, block: int, action: int, target: int) -> bool:
        """Whether a step is known to be there. Needs: `part` was asked for since the last split."""
        return self._rows.get(block, {}).get((action, target)) == MUST

    def find_label(self, block: int, atom: str) -> int | None:
        """Finds out about a label: None, or the number of the block that was split off."""
        column = self._columns[atom]
        groups: dict[int, list[int]] = {}
        for state in self.blocks[block]:
            groups.setdefault(self.concrete.value(state, column), []).append(state)
        (value, states), *others = groups.items()
        self.labels[block][column] = value
        if not others:
            return None
        ((other, rest),) = others
        fresh = self._split(block, states, rest)
        self.labels[fresh][column] = other
        return fresh

    def find_step(self, block: int, action: int, target: int) -> int | None:
        """Finds out about a step that may be there: None, or the number of a new block."""
        if not self.looked[block]:
            self.looked[block] = 1
            return None
        having, lacking = self._by_step(block, action, target)
        assert having, "a step that some state has"
        assert lacking, "and some state has not"
        return self._split(block, having, lacking)

    def _by_step(self, block: int, action: int, target: int) -> tuple[list[int], list[int]]:
        """The states of a block that have a step, and those that have not."""
        having: list[int] = []
        lacking: list[int] = []
        for state in self.blocks[block]:
            (having if self._has(state, action, target) else lacking).append(state)
        return having, lacking

    def _split(self, block: int, kept: list[int], rest: list[int]) -> int:
        """Splits a block. Nothing is forgotten about both."""
        fresh = len(self.blocks)
        for state in (*kept, *rest):
            for source in self._before[state]:
                self._rows.pop(self.block_of[source], None)
        self._rows.pop(block, None)
        self._tree.split(block)
        self.blocks[block] = kept
        self.blocks.append(rest)
        self.labels.append(bytearray(self.labels[block]))
        self.looked.append(self.looked[block])
        for state in rest:
            self.block_of[state] = fresh
        return fresh

    def _has(self, state: int, action: int, target: int) -> bool:
        return any(
            by == action and self.block_of[after] == target
            for by, after, _ in self.concrete.steps_of(state)
        )

    def _row(self, block: int) -> Row:
        """The steps of a block, as A3 says: action and target, and whether it must be there."""
        if not self.looked[block]:
            everywhere = range(len(self.blocks))
            return {(action, target): MAY for action in self._actions for target in everywhere}
        counts: dict[tuple[int, int], int] = {}
        for state in self.blocks[block]:
            steps = self.concrete.steps_of(state)
            for step in {(action, self.block_of[target]) for action, target, _ in steps}:
                counts[step] = counts.get(step, 0) + 1
        size = len(self.blocks[block])
        row = {step: MUST if count == size else MAY for step, count in counts.items()}
        self._rows[block] = row
        if self.hyper:
            self._wide[block] = self._hyper_steps(block, row)
        return row

    def _hyper_steps(self, block: int, row: Row) -> list[HyperStep]:
        """The hyper-steps of a block, as A4 says."""
        doubtful = {action for (action, _), strength in row.items() if strength == MAY}
        found: list[HyperStep] = []
        for action in sorted(doubtful):
            common = self._common(block, action)
            if common:
                targets = [target for by, target in row if by == action]
                sets = self._tree.lowest(common, targets)
                found += [HyperStep(block, action, each) for each in sorted(sets)]
        return found

    def _common(self, block: int, action: int) -> set[int]:
        """The nodes of the tree that all states of a block have a step into, by an action."""
        reached = set[frozenset[int]]()
        for state in self.blocks[block]:
            steps = self.concrete.steps_of(state)
            goals = frozenset([self.block_of[target] for by, target, _ in steps if by == action])
            if not goals:
                return set()
            reached.add(goals)
        return set.intersection(*map(self._tree.touched, reached))


def as_written(part: Part) -> Part:
    """The part of blocks as a file of parts holds it: with distinct names, and steps in order.

    A block may have the name of another state: `a+1` may be both. Then it gets a prime.
    """
    names = _renamed(part.states)
    sources = [state for state in range(len(names)) for _ in part.steps_of(state)]
    return Part.from_steps(
        part.name,
        states=names,
        initial=part.initial,
        atoms=part.atoms,
        values=part.values,
        sources=sources,
        targets=part.targets,
        actions=part.actions,
        by=part.by,
        must=part.must,
        hyper=part.hyper,
    )


def _renamed(states: Sequence[str]) -> list[str]:
    """The same names, with primes where one was there before."""
    taken = set(states)
    found: dict[str, None] = {}
    for state in states:
        name = state
        while name in found or (name != state and name in taken):
            name += "'"
        found[name] = None
    return list(found)


def _predecessors(part: Part) -> list[list[int]]:
    """The states with a step to each state."""
    found: list[list[int]] = [[] for _ in part.states]
    for state in range(len(part.states)):
        for target in part.targets[part.offsets[state] : part.offsets[state + 1]]:
            found[target].append(state)
    return found
