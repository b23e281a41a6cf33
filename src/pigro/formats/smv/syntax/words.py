"""The words of the language: operators with how tightly they bind, brackets, and reserved words.

Loosest to tightest: `->` (right), `<->`, `?:` (right), `|` with `xor` and `xnor`, `&`, a loose `A`
or `E`, `U` with `V`, `S` and `T`, the unary temporal operators, comparisons, `in`, `union`,
`<< >>`, `+ -`, `* / mod`, `..`, `::`, and the unary `!` and `-`. `AG x = 1` therefore is
`AG (x = 1)`, `!x = y` is `(!x) = y`, and `G p U q & r` is `((G p) U q) & r`, as in NuSMV.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.formats.smv.syntax.nodes import BOUNDED, CHAINS, MODAL, PATHS, N
from pigro.logic.operators import TEMPORAL_LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

TERNARY, LOOSE, UNTIL, TEMPORAL, UNARY = 4, 7, 8, 9, 18
"""Levels. A bracket's is 0. LOOSE is that of A or E before anything but `[`, X, F and G."""

INFIX: dict[str, tuple[int, int]] = {
    "->": (2, N.IMPLIES),
    "<->": (3, N.IFF),
    "|": (5, N.OR),
    "xor": (5, N.XOR),
    "xnor": (5, N.XNOR),
    "&": (6, N.AND),
    "U": (UNTIL, N.U),
    "BU": (UNTIL, N.EBU),
    "V": (UNTIL, N.R),
    "W": (UNTIL, N.W),
    "R": (UNTIL, N.R),
    "S": (UNTIL, N.S),
    "T": (UNTIL, N.T),
    "=": (10, N.EQ),
    "!=": (10, N.NE),
    "<": (10, N.LT),
    ">": (10, N.GT),
    "<=": (10, N.LE),
    ">=": (10, N.GE),
    "in": (11, N.IN),
    "union": (12, N.UNION),
    "<<": (13, N.SHL),
    ">>": (13, N.SHR),
    "+": (14, N.ADD),
    "-": (14, N.SUB),
    "*": (15, N.MUL),
    "/": (15, N.DIV),
    "mod": (15, N.MOD),
    "..": (16, N.RANGE),
    "::": (17, N.JOIN),
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
    "Y": (TEMPORAL, N.Y),
    "Z": (TEMPORAL, N.Z),
    "O": (TEMPORAL, N.O),
    "H": (TEMPORAL, N.H),
    "EBF": (TEMPORAL, N.EBF),
    "EBG": (TEMPORAL, N.EBG),
    "ABF": (TEMPORAL, N.ABF),
    "ABG": (TEMPORAL, N.ABG),
}
BOUNDS: dict[str, tuple[str, str, str]] = {
    **dict.fromkeys(("EBF", "EBG", "ABF", "ABG", "BU"), ("", "..", "")),
    **dict.fromkeys(("F", "G", "O", "H"), ("[", ",", "]")),
}
"""How bounds are written after an operator: what stands before, between and after them."""
NO_BOUNDS, PLAIN_BOUNDS, BRACKETS = range(3)
IN_STEPS = {N.F: N.F_IN, N.G: N.G_IN, N.O: N.O_IN, N.H: N.H_IN}
"""The operator with bounds in brackets."""
IN_TYPE: dict[str, tuple[int, int]] = {**INFIX, "..": (1, N.RANGE)}
"""In a type, `..` binds loosest: `0..n - 1`."""
FUNCTIONS: dict[str, tuple[int, int, int]] = {
    "count": (N.COUNT, 1, 1 << 30),
    "max": (N.MAX, 2, 2),
    "min": (N.MIN, 2, 2),
    "abs": (N.ABS, 1, 1),
    "toint": (N.TOINT, 1, 1),
    "bool": (N.BOOL, 1, 1),
    "word1": (N.WORD1, 1, 1),
    "signed": (N.SIGNED, 1, 1),
    "unsigned": (N.UNSIGNED, 1, 1),
    "extend": (N.EXTEND, 2, 2),
    "resize": (N.RESIZE, 2, 2),
    "swconst": (N.SWCONST, 2, 2),
    "uwconst": (N.UWCONST, 2, 2),
    "sizeof": (N.SIZEOF, 1, 1),
}
"""Operators that are written like functions: the least and the largest number of arguments."""
RIGHT = frozenset((N.IMPLIES, N.ITE))
STEPS = frozenset("XFG")
QUANTIFIERS = {"A": N.A, "E": N.E}
ONE_ARGUMENT = frozenset((*(op for _, op in PREFIX.values()), *IN_STEPS.values(), *MODAL, N.A, N.E))
OPENING = {
    **dict.fromkeys(FUNCTIONS, ")"),
    "(": ")",
    "{": "}",
    "[": "]",
    "case": "esac",
    "next": ")",
    "E": "]",
    "A": "]",
}
BETWEEN = frozenset((":", ";", ",", "?", ")", "}", "]", "esac"))

SECTIONS = frozenset(
    "MODULE VAR DEFINE CALL ASSIGN SPEC CTLSPEC INVARSPEC IVAR FROZENVAR INIT TRANS INVAR "
    "FAIRNESS JUSTICE COMPASSION LTLSPEC PSLSPEC COMPUTE ISA CONSTANTS MDEFINE PRED MIRROR "
    "CONSTRAINT FUN".split()
)
RESERVED = (
    SECTIONS
    | frozenset(OPENING)
    | frozenset(INFIX) - {"W", "R"}
    | frozenset(PREFIX)
    | frozenset("esac init TRUE FALSE EXIT boolean NAME process array of word word1 bool".split())
    | frozenset("integer real signed unsigned count IN".split())
    | frozenset("abs max min extend resize sizeof swconst uwconst toint".split())
)
"""W and R are not: in NuSMV they are names. After an operand they can only be operators."""

FOREIGN = {
    "&&": "&",
    "||": "|",
    "==": "=",
    "~": "!",
    "not": "!",
    "and": "&",
    "or": "|",
    "%": "mod",
}
"""Words that some other language has in the place of an operator."""
_BY_INDEX = "declare `a : array 0..7 of ...;` and "
ON_ARRAYS = {
    "READ": _BY_INDEX + "write a[i]",
    "WRITE": _BY_INDEX + "assign each element: next(a[0]) := ...",
    "CONSTARRAY": _BY_INDEX + "assign each element: init(a[0]) := ...",
    "typeof": "write the type",
    "floor": "use a range of whole numbers, such as 0..10",
}
"""Functions of NuSMV that are not supported, with what to write."""
_CONNECTIVES = frozenset(("&", "|", "xor", "xnor", "<->", "->", "?"))
_CLOSING = frozenset(OPENING.values())
WORDS = ("", *sorted(RESERVED | BETWEEN | _CLOSING | {*INFIX, *FOREIGN, *ON_ARRAYS, "."}))
"""The words of the language, as the native core numbers them. The first is the end."""


def _row(word: str, prefix: Mapping[str, tuple[int, int]]) -> list[int]:
    """What a word is. The columns are those of native/bind/syntax.cpp."""
    bounds = BOUNDS.get(word)
    return [
        *prefix.get(word, (0, 0)),
        *INFIX.get(word, (0, 0)),
        *IN_TYPE.get(word, (0, 0)),
        *FUNCTIONS.get(word, (0, 0, 0)),
        QUANTIFIERS.get(word, 0),
        NO_BOUNDS if bounds is None else BRACKETS if bounds[0] else PLAIN_BOUNDS,
        word in BETWEEN,
        word in _CLOSING,
        word in _CONNECTIVES,
        word in STEPS,
        word in SECTIONS,
        word in RESERVED,
        word in FOREIGN,
        word in ON_ARRAYS,
    ]


def vocabulary(prefix: Mapping[str, tuple[int, int]]) -> _core.Vocabulary:
    """All this for the native core, which reads tokens and expressions, with these prefixes."""
    words = (*WORDS, *sorted(prefix.keys() - set(WORDS)))
    return _core.Vocabulary(
        words=words,
        rows=[_row(word, prefix) for word in words],
        closing=OPENING,
        ops={name: op for name, op in vars(N).items() if name.isupper()},
        sets={
            "chains": list(CHAINS),
            "right": list(RIGHT),
            "bounded": list(BOUNDED),
            "one_argument": list(ONE_ARGUMENT),
            "paths": list(PATHS),
        },
        in_steps=IN_STEPS,
        levels=[TERNARY, LOOSE, UNTIL, TEMPORAL, TEMPORAL_LIMIT],
    )


VOCABULARY = vocabulary(PREFIX)
