"""Expressions as a flat list of nodes in postfix order, children before parents.

The nodes of one expression are consecutive: those of the subexpression at node `n` are
`first[n]` to `n`. So every pass over an expression is a loop, and nothing recurses, however deeply
an expression is nested. Values are Python's: `int`, `bool`, and `str` for symbolic constants.

Invariants:
 X1  children have smaller numbers than their parents.
 X2  the subexpression of node n is the nodes first[n] to n, apart from those of op `GONE`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pigro import _core

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

Value = int | str
"""Of a variable or expression: a number, a truth value (`bool` is an `int`), or a symbol."""

EXIT = "EXIT"
"""The value that every variable may have besides those of its type. A reserved word."""


N = _core.SmvNode
"""What a node is: an operator, or a leaf. Plain numbers, which are fast in loops."""
OPERATORS = _core.smv_operators()
"""How each is written, what it takes and gives, and what it becomes. By number."""


def _numbers(test: Callable[[_core.SmvOperator], bool]) -> frozenset[int]:
    return frozenset(number for number, each in enumerate(OPERATORS) if test(each))


CONNECTIVES = _numbers(lambda each: each.is_connective)
BOUNDED = _numbers(lambda each: each.is_bounded)
"""Operators that speak of some steps only. Their arguments: low, high, operand."""
CTL = _numbers(lambda each: each.is_with_path)
"""A quantifier and an operator on paths, in one."""
PATHS = _numbers(lambda each: each.is_on_paths)
PAST = _numbers(lambda each: each.is_past)
MODAL = _numbers(lambda each: each.is_modal)
TEMPORAL = _numbers(lambda each: each.is_temporal)
_BETWEEN = (N.EBU, N.ABU)
"""Bounded operators with two operands: left, low, high, right."""


class ExpressionNodes:
    """All expressions of a text."""

    __slots__ = ("args", "at", "first", "ops")

    def __init__(self) -> None:
        self.ops: list[int] = []
        self.args: list[Any] = []  # of an operator: its nodes
        self.at: list[int] = []
        self.first: list[int] = []

    def leaf(self, op: int, args: Any, at: int) -> int:
        """A new node without children."""
        number = len(self.ops)
        self.ops.append(op)
        self.args.append(args)
        self.at.append(at)
        self.first.append(number)
        return number

    def node(self, op: int, args: Sequence[int], at: int) -> int:
        """A new node over others, the last of which was made just before."""
        number = len(self.ops)
        self.ops.append(op)
        self.args.append(args)
        self.at.append(at)
        self.first.append(self.first[args[0]])
        return number

    def children(self, node: int) -> Sequence[int]:
        """The arguments of an operator. None of a leaf."""
        return self.args[node] if self.ops[node] >= N.NOT else ()

    def selected(self, root: int) -> Collection[int]:
        """The names after dots in an expression."""
        first = self.first[root]
        ops = self.ops[first : root + 1]
        if N.DOT not in ops:
            return ()
        return {self.args[node][1] for node, op in enumerate(ops, first) if op == N.DOT}

    def has_number(self, node: int) -> bool:
        """Whether the index of an element is written as a number, as in `x[0]` or `x[-1]`."""
        index = self.args[node][1]
        if self.ops[index] == N.MINUS:
            (index,) = self.children(index)
        return self.ops[index] == N.CONSTANT and type(self.args[index]) is int


class Expression(NamedTuple):
    """An expression: its root in a list of nodes."""

    nodes: ExpressionNodes
    root: int

    @property
    def span(self) -> range:
        """All its nodes, some of them gone."""
        return range(self.nodes.first[self.root], self.root + 1)


def bounds(nodes: ExpressionNodes, node: int) -> tuple[int, int]:
    """The first and the last step of a bounded operator."""
    low, high = nodes.args[node][-3:-1] if nodes.ops[node] in _BETWEEN else nodes.args[node][:2]
    return nodes.args[low], nodes.args[high]


def operands(nodes: ExpressionNodes, node: int) -> Sequence[int]:
    """The arguments of an operator that are no bounds."""
    args = nodes.children(node)
    if nodes.ops[node] not in BOUNDED:
        return args
    return [args[0], args[3]] if nodes.ops[node] in _BETWEEN else args[2:]
