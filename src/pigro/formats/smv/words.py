"""The words of the language: operators with how tightly they bind, brackets, and reserved words.

Loosest to tightest: `->` (right), `<->`, `?:` (right), `|` with `xor` and `xnor`, `&`, a loose `A`
or `E`, `U` with `V`, the unary temporal operators, comparisons, `in`, `union`, `+ -`, `* / mod`,
`..`, and the unary `!` and `-`. `AG x = 1` therefore is `AG (x = 1)`, `!x = y` is `(!x) = y`, and
`G p U q & r` is `((G p) U q) & r`, as in NuSMV.
"""

from __future__ import annotations

from pigro.formats.smv.nodes import N

TERNARY, LOOSE, UNTIL, TEMPORAL, UNARY = 4, 7, 8, 9, 16
"""Levels; a bracket's is 0. LOOSE is that of A or E before anything but `[`, X, F and G."""

INFIX: dict[str, tuple[int, int]] = {
    "->": (2, N.IMPLIES),
    "<->": (3, N.IFF),
    "|": (5, N.OR),
    "xor": (5, N.XOR),
    "xnor": (5, N.XNOR),
    "&": (6, N.AND),
    "U": (UNTIL, N.U),
    "V": (UNTIL, N.R),
    "W": (UNTIL, N.W),
    "R": (UNTIL, N.R),
    "=": (10, N.EQ),
    "!=": (10, N.NE),
    "<": (10, N.LT),
    ">": (10, N.GT),
    "<=": (10, N.LE),
    ">=": (10, N.GE),
    "in": (11, N.IN),
    "union": (12, N.UNION),
    "+": (13, N.ADD),
    "-": (13, N.SUB),
    "*": (14, N.MUL),
    "/": (14, N.DIV),
    "mod": (14, N.MOD),
    "..": (15, N.RANGE),
}
PREFIX: dict[str, tuple[int, int]] = {
    "!": (UNARY, N.NOT),
    "-": (UNARY, N.MINUS),
    "EX": (TEMPORAL, N.EX),
    "EF": (TEMPORAL, N.EF),
    "EG": (TEMPORAL, N.EG),
    "AX": (TEMPORAL, N.AX),
    "AF": (TEMPORAL, N.AF),
    "AG": (TEMPORAL, N.AG),
    "X": (TEMPORAL, N.X),
    "F": (TEMPORAL, N.F),
    "G": (TEMPORAL, N.G),
}
RIGHT = frozenset((N.IMPLIES, N.ITE))
STEPS = frozenset("XFG")
QUANTIFIERS = {"A": N.A, "E": N.E}
ONE_ARGUMENT = frozenset((*(op for _, op in PREFIX.values()), N.A, N.E))
OPENING = {"(": ")", "{": "}", "case": "esac", "next": ")", "E": "]", "A": "]"}
BETWEEN = frozenset((":", ";", ",", "?", ")", "}", "]", "esac"))
REFUSED_PREFIX = frozenset(("Y", "Z", "H", "O", "EBF", "ABF", "EBG", "ABG"))
REFUSED_INFIX = frozenset(("S", "T", "BU"))
PAST = frozenset("YZHOST")
"""Operators on the past; the others that are refused are bounded."""
FAIR = {
    "FAIRNESS": "(G F fair) -> ...",
    "JUSTICE": "(G F fair) -> ...",
    "COMPASSION": "(G F p -> G F q) -> ...",
}
"""Sections that leave out runs, and how a formula does that."""

SECTIONS = frozenset(
    "MODULE VAR DEFINE CALL ASSIGN SPEC CTLSPEC INVARSPEC IVAR FROZENVAR INIT TRANS INVAR "
    "FAIRNESS JUSTICE COMPASSION LTLSPEC PSLSPEC COMPUTE ISA CONSTANTS MDEFINE PRED MIRROR "
    "CONSTRAINT".split()
)
RESERVED = (
    SECTIONS
    | frozenset(OPENING)
    | frozenset(INFIX) - {"W", "R"}
    | frozenset(PREFIX)
    | REFUSED_PREFIX
    | REFUSED_INFIX
    | frozenset(
        "esac init TRUE FALSE EXIT boolean NAME self process array of word word1 bool".split()
    )
    | frozenset("integer real signed unsigned count".split())
    | frozenset("abs max min extend resize sizeof swconst uwconst toint".split())
)
"""W and R are not: in NuSMV they are names. After an operand they can only be operators."""
