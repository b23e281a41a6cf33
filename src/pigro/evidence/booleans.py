"""Boolean operators over labels and temporal operators, which are their *leaves*: Kleene's values,
and which leaves decide. Nothing recurses.

A value is true, false or None (not known). A boolean has one if every value of the unknown operands
gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pigro.logic import normal
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Value = bool | None


class OperatorGraph(Protocol):
    """Operators, operands before what they are in: a `Formula` or a `NormalForm`."""

    @property
    def ops(self) -> Sequence[int]:
        """What each node is."""

    @property
    def left(self) -> Sequence[int]:
        """The first operand of each node."""

    @property
    def right(self) -> Sequence[int]:
        """The second one, or -1."""


def _not(one: Value, _: Value) -> Value:
    return None if one is None else not one


def _and(one: Value, other: Value) -> Value:
    return False if False in (one, other) else None if None in (one, other) else True


def _or(one: Value, other: Value) -> Value:
    return True if True in (one, other) else None if None in (one, other) else False


def _xor(one: Value, other: Value) -> Value:
    return None if None in (one, other) else one is not other


NORMAL: Mapping[int, Callable[[Value, Value], Value]] = {
    normal.NOT: _not,
    normal.AND: _and,
    normal.OR: _or,
}
"""Those of normal forms."""
WRITTEN: Mapping[int, Callable[[Value, Value], Value]] = {
    int(Op.NOT): _not,
    int(Op.AND): _and,
    int(Op.OR): _or,
    int(Op.XOR): _xor,
    int(Op.IMPLIES): lambda one, other: _or(_not(one, None), other),
    int(Op.IFF): lambda one, other: _not(_xor(one, other), None),
}
"""Those of formulas as they are written."""


@dataclass(frozen=True, slots=True)
class BooleanOperators:
    """The boolean operators of a formula."""

    graph: OperatorGraph
    connectives: Mapping[int, Callable[[Value, Value], Value]]

    def is_leaf(self, node: int) -> bool:
        """Whether a node is no boolean operator."""
        return self.graph.ops[node] not in self.connectives

    def parts(self, root: int) -> list[int]:
        """A subformula's parts down to its leaves, children first."""
        seen, pending = {root}, [root]
        while pending:
            for child in self._operands(pending.pop()):
                if child not in seen:
                    seen.add(child)
                    pending.append(child)
        return sorted(seen)

    def values(self, root: int, leaf: Callable[[int], Value]) -> dict[int, Value]:
        """The value of each part of a subformula, from those of its leaves."""
        known: dict[int, Value] = {}
        for node in self.parts(root):
            known[node] = leaf(node) if self.is_leaf(node) else self._value(node, known)
        return known

    def settle(self, root: int, known: dict[int, Value], leaf: Callable[[int], Value]) -> None:
        """Adds values to those of all parts until the root has one. Asks for few leaves."""
        pending, tried = [root], set()
        while pending:
            node = pending[-1]
            if known[node] is None:
                known[node] = leaf(node) if self.is_leaf(node) else self._value(node, known)
            below = [e for e in self._operands(node) if known[e] is None and e not in tried]
            if known[node] is None and below:
                pending.append(below[0])
            else:
                tried.add(pending.pop())

    def deciding(self, root: int, known: Mapping[int, Value]) -> list[int]:
        """Leaves that decide the value of a subformula. Of two that do so alone, the simpler one.

        Needs: the value of the root is known.
        """
        found: list[int] = []
        pending, seen = [root], set()
        while pending:
            node = pending.pop()
            if node in seen:
                continue
            seen.add(node)
            if self.is_leaf(node):
                found.append(node)
                continue
            alone = self._alone(node, known)
            pending += [min(alone)] if alone else reversed(self._operands(node))
        return found

    def _alone(self, node: int, known: Mapping[int, Value]) -> list[int]:
        """The operands that decide a node without the other one."""
        decide, truth = self.connectives[self.graph.ops[node]], known[node]
        left, right = self.graph.left[node], self.graph.right[node]
        found = [left] if decide(known[left], None) is truth else []
        return [*found, right] if right >= 0 and decide(None, known[right]) is truth else found

    def _operands(self, node: int) -> list[int]:
        if self.is_leaf(node):
            return []
        return [each for each in (self.graph.left[node], self.graph.right[node]) if each >= 0]

    def _value(self, node: int, known: Mapping[int, Value]) -> Value:
        right = self.graph.right[node]
        other = known[right] if right >= 0 else None
        return self.connectives[self.graph.ops[node]](known[self.graph.left[node]], other)
