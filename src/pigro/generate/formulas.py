"""Random CTL formulas with a given quantifier depth.

A formula of depth 0 is a combination of literals: a number of labels up to `branching`, no label
twice, each negated with the probability `negation`, joined by `&` or `|` from left to right.
A formula of depth d > 0 is a combination of quantified formulas: up to `branching` of them, of
which the first has depth d and the others any depth from 1 to d. Each is negated with the same
probability. A quantified formula of depth d is an operator over a formula of depth d - 1. Of the
two operands of U, one drawn at random has depth d - 1 and the other any smaller or equal one.

So that formulas stay of a sensible size at great depth, all operands that are free to be less deep
have the least depth after `_ENOUGH` literals.

The random choices: for a combination, how many operands. For a literal, which of the labels that
are left, and whether it is negated. For a quantified formula, its depth if it is free, its
operator, for U which operand is the deep one and how deep the other is, and after its operands
whether it is negated. Before each operand but the first, `&` or `|`. A free depth is always drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.generate.stream import RandomStream, require
from pigro.logic import Formula, Op
from pigro.logic.arena import Arena

if TYPE_CHECKING:
    from collections.abc import Callable

OPERATORS = ("EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU")
DEEPEST = 100
_ENOUGH = 2_000


@dataclass(frozen=True, slots=True)
class FormulaShape:
    """What random formulas look like."""

    depth: int = 2
    """How deeply quantified operators are nested, exactly."""
    branching: int = 3
    """How many operands a boolean combination has at most."""
    negation: float = 0.5
    """The probability that a literal or a quantified formula is negated."""
    labels: tuple[str, ...] = ("a", "b", "c")
    operators: tuple[str, ...] = ("EX", "EG", "EU")

    @classmethod
    def of_grid(cls, size: int) -> FormulaShape:
        """Formula number `size` of the experiment: quantifier depth size // 9, branching 2."""
        require(holds=size >= 1, message=f"the grid begins at 1, not at {size}")
        return cls(depth=size // 9, branching=2)

    def __post_init__(self) -> None:
        """Refuses shapes that no formula has."""
        message = f"the depth is between 0 and {DEEPEST}, not {self.depth}"
        require(holds=0 <= self.depth <= DEEPEST, message=message)
        require(holds=self.branching >= 1, message="the branching is at least 1")
        message = f"the probability of negation is between 0 and 1, not {self.negation}"
        require(holds=0 <= self.negation <= 1, message=message)
        require(holds=bool(self.labels), message="formulas need at least one label")
        message = f"operators are some of {', '.join(OPERATORS)}"
        known = bool(self.operators) and set(self.operators) <= set(OPERATORS)
        require(holds=known, message=message)


def random_formula(shape: FormulaShape, seed: int = 0, number: int = 0) -> Formula:
    """Formula `number` of this shape and seed.

    >>> print(random_formula(FormulaShape(depth=1), seed=3))
    !E [(a | b) U !a]
    """
    return _FormulaBuilder(shape, RandomStream(seed, number)).formula()


class _FormulaBuilder:
    """A formula while it grows, bottom-up and from left to right as `Arena` wants it."""

    def __init__(self, shape: FormulaShape, stream: RandomStream) -> None:
        self.shape = shape
        self.stream = stream
        self.arena = Arena()
        self.literals = 0

    def formula(self) -> Formula:
        self._combination(self.shape.depth)
        return Formula.from_arena(self.arena)

    def _combination(self, depth: int) -> int:
        if depth > 0:
            count = 1 + self.stream.below(self.shape.branching)
            return self._join(count, lambda first: self._quantified(self._depth(1, depth, first)))
        labels = list(dict.fromkeys(self.shape.labels))
        count = 1 + self.stream.below(min(self.shape.branching, len(labels)))
        return self._join(count, lambda _: self._literal(labels))

    def _join(self, count: int, operand: Callable[[bool], int]) -> int:
        """`count` operands, joined. `operand` is told whether it is the first."""
        joined = operand(True)
        for _ in range(count - 1):
            op = self.stream.pick((Op.AND, Op.OR))
            joined = self.arena.node(int(op), joined, operand(False))
        return joined

    def _literal(self, labels: list[str]) -> int:
        self.literals += 1
        label = labels.pop(self.stream.below(len(labels)))
        return self._maybe_negated(self.arena.atom(label))

    def _depth(self, least: int, most: int, exact: bool) -> int:
        if exact:
            return most
        drawn = least + self.stream.below(most - least + 1)
        return least if self.literals > _ENOUGH else drawn

    def _quantified(self, depth: int) -> int:
        operator = self.stream.pick(self.shape.operators)
        quantifier, step = int(Op[operator[0]]), Op[operator[1]]
        if step is Op.U:
            left_is_deep = self.stream.chance(0.5)
            left = self._combination(self._depth(0, depth - 1, left_is_deep))
            right = self._combination(self._depth(0, depth - 1, not left_is_deep))
            path = self.arena.node(int(step), left, right)
        else:
            path = self.arena.node(int(step), self._combination(depth - 1))
        return self._maybe_negated(self.arena.node(quantifier, path))

    def _maybe_negated(self, node: int) -> int:
        negated = self.stream.chance(self.shape.negation)
        return self.arena.node(int(Op.NOT), node) if negated else node
