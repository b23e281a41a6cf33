"""The operators of a formula and the logics that it can belong to."""

from __future__ import annotations

from enum import Enum, IntEnum


class Op(IntEnum):
    """What a node of a formula is. `AG p` is two operators, `A` over `G`."""

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
    DIAMOND = 17
    BOX = 18
    MU = 19
    NU = 20
    VARIABLE = 21


class Fragment(Enum):
    """The smallest logic that a formula belongs to; `fragments.py` says when.

    >>> Fragment.CTL_STAR.value
    'CTL*'
    """

    PROPOSITIONAL = "propositional"
    CTL = "CTL"
    LTL = "LTL"
    CTL_STAR = "CTL*"
    MU = "mu-calculus"


TEMPORAL_LIMIT = 256
"""Temporal operators may be nested this deep (docs/logics.md); boolean ones without limit."""
