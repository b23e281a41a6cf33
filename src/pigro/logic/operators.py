"""The operators of a formula and the logics that it can belong to."""

from __future__ import annotations

from enum import Enum, IntEnum


class Op(IntEnum):
    """What a node of a formula is. `AG p` is two operators, `A` over `G`.

    SEQ is `r ; s` and STAR `r*` in a regular expression. AUTOMATON is one given state by state.
    MATCH is `{r} <>-> f`, TRIGGER is `{r} |-> f`, and OMEGA is `{r}^w`. ACCEPTS says that an
    automaton accepts the path.
    """

    TRUE = 0
    FALSE = 1
    ATOM = 2
    NOT = 3
    AND = 4
    OR = 5
    XOR = 6
    IMPLIES = 7
    IFF = 8
    A = 9
    E = 10
    X = 11
    F = 12
    G = 13
    U = 14
    W = 15
    R = 16
    SEQ = 17
    STAR = 18
    AUTOMATON = 19
    MATCH = 20
    TRIGGER = 21
    OMEGA = 22
    ACCEPTS = 23
    DIAMOND = 24
    BOX = 25
    MU = 26
    NU = 27
    VARIABLE = 28


PATH_WORDS: dict[int, tuple[str, ...]] = {
    Op.U: ("U",),
    Op.W: ("W",),
    Op.R: ("R", "V"),
}
"""The path operators with two operands, and the words for them. Pigro writes the first."""
UNTILS = frozenset(map(int, PATH_WORDS))
"""The path operators with two operands."""


class Fragment(Enum):
    """The smallest logic that a formula belongs to. `fragments.py` says when.

    >>> Fragment.CTL_STAR.value
    'CTL*'
    """

    PROPOSITIONAL = "propositional"
    CTL = "CTL"
    LTL = "LTL"
    CTL_STAR = "CTL*"
    ECTL_STAR = "ECTL*"
    MU = "mu-calculus"


TEMPORAL_LIMIT = 256
"""Temporal operators may be nested this deep (docs/formulas.md). Boolean ones without limit."""
