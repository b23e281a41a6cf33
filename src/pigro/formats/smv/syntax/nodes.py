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

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Value = int | str
"""Of a variable or expression: a number, a truth value (`bool` is an `int`), or a symbol."""

EXIT = "EXIT"
"""The value that every variable may have besides those of its type. A reserved word."""


class N:
    """What a node is. Plain numbers: an enumeration would be several times slower in every loop."""

    GONE = 0  # replaced by a node with more arguments
    NAME = 1  # args: the name, with dots
    CONSTANT = 2  # args: the value
    WORD = 3  # a constant. Args: (value, width), the width negative if it is signed
    NOT = 6
    MINUS = 7
    NEXT = 8
    AND = 9
    OR = 10
    XOR = 11
    XNOR = 12
    IFF = 13
    IMPLIES = 14
    EQ = 15
    NE = 16
    LT = 17
    GT = 18
    LE = 19
    GE = 20
    IN = 21
    UNION = 22
    ADD = 23
    SUB = 24
    MUL = 25
    DIV = 26
    MOD = 27
    RANGE = 28
    SET = 29
    CASE = 30  # args: condition, value, condition, value, ...
    ITE = 31
    EX = 32
    EF = 33
    EG = 34
    AX = 35
    AF = 36
    AG = 37
    EU = 38
    AU = 39
    A = 40  # over a path formula, as are those below
    E = 41
    X = 42
    F = 43
    G = 44
    U = 45
    W = 46
    R = 47
    Y = 48  # over the past of a path, as are those below
    Z = 49
    O = 50  # noqa: E741 - its name
    H = 51
    S = 52
    T = 53
    INDEX = 54
    BITS = 55  # args: word, high, low
    DOT = 56  # args: instance, name
    ARRAY = 57
    SHL = 58
    SHR = 59
    JOIN = 60
    COUNT = 61
    MAX = 62
    MIN = 63
    ABS = 64
    TOINT = 65
    BOOL = 66
    WORD1 = 67
    SIGNED = 68
    UNSIGNED = 69
    EXTEND = 70
    RESIZE = 71
    SWCONST = 72
    UWCONST = 73
    SIZEOF = 74
    EBF = 75  # args of those with bounds: low, high, operand
    EBG = 76
    ABF = 77
    ABG = 78
    EBU = 79  # args: left, low, high, right
    ABU = 80
    F_IN = 81  # F [low, high], and so on
    G_IN = 82
    O_IN = 83
    H_IN = 84
    DIAMOND = 85  # of the mu-calculus, as are those below
    BOX = 86
    MU = 87
    NU = 88


CONNECTIVES = frozenset((N.NOT, N.AND, N.OR, N.XOR, N.XNOR, N.IFF, N.IMPLIES))
BOUNDED = frozenset(range(N.EBF, N.H_IN + 1))
"""Operators that speak of some steps only."""
CTL = frozenset((N.EX, N.EF, N.EG, N.AX, N.AF, N.AG, N.EU, N.AU, *range(N.EBF, N.ABU + 1)))
"""A quantifier and an operator on paths, in one."""
PATHS = frozenset((N.X, N.F, N.G, N.U, N.W, N.R, N.F_IN, N.G_IN))
PAST = frozenset((N.Y, N.Z, N.O, N.H, N.S, N.T, N.O_IN, N.H_IN))
MODAL = frozenset((N.DIAMOND, N.BOX, N.MU, N.NU))
TEMPORAL = CTL | PATHS | PAST | MODAL | {N.A, N.E}
CHAINS = frozenset((N.AND, N.OR, N.UNION, N.ADD, N.SUB, N.MUL))
"""Left-associative operators: `a + b + c` is one node with three arguments."""


class Nodes:
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

    nodes: Nodes
    root: int

    @property
    def span(self) -> range:
        """All its nodes, some of them gone."""
        return range(self.nodes.first[self.root], self.root + 1)


def bounds(nodes: Nodes, node: int) -> tuple[int, int]:
    """The first and the last step of a bounded operator."""
    low, high = nodes.args[node][-3:-1] if nodes.ops[node] in _BETWEEN else nodes.args[node][:2]
    return nodes.args[low], nodes.args[high]


def operands(nodes: Nodes, node: int) -> Sequence[int]:
    """The arguments of an operator that are no bounds."""
    args = nodes.children(node)
    if nodes.ops[node] not in BOUNDED:
        return args
    return [args[0], args[3]] if nodes.ops[node] in _BETWEEN else args[2:]


_BETWEEN = (N.EBU, N.ABU)
