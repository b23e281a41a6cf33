"""Tokens of the formula language: one regular expression, and what each word and sign means.

A token is just its text. The parser looks it up in `PREFIX` or `INFIX`, depending on whether it
expects an operand or an operator. Offsets are not kept: `offsets` finds them again when an error
needs one. The head of a fixpoint, `mu Z.`, is one token, but `tokenize` leaves it in pieces: texts
without, which are most, are read faster so.

A stack entry of the parser is `precedence << 6 | binary << 5 | op`, so entries compare by
precedence. Loosest to tightest: 1 ->, 2 <->, 3 | xor, 4 &, 5 A E, 6 U W R V, 7 the other unary
operators. Fixpoints wait as level 1, so that only a closing bracket or the end completes them.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from pigro.logic.operators import PATH_WORDS, Op

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"""[^\W\d][\w.$@#]*(?<!\.)        # a word
    | [()\[\]]
    | (?:<>|\|)[-=]> | \^w\b           # after a regular expression
    | <?--?> | <?=> | \|\|? | &&?
    | [<>=!]=                          # not ours, but one thing in a message
    | "[^"\\]*+(?:\\.[^"\\]*+)*+["\\]?  # a quoted label, closed or not: never scanned twice
    | \S""",
    re.VERBOSE | re.DOTALL,
)
_HEAD = r"[mn]u\s++[^\W\d][\w$@#]*+\s*+\."
_QUOTED = r'(?s)"(?:[^"\\]++|\\["\\])*+"'
_BARE = re.compile(r"[^\W\d][\w.$@#]*(?<!\.)")
_ESCAPE = r"(?s)\\(.)"

tokenize = _TOKEN.findall
"""The tokens of a text as a list of strings. Every character but white space is in one token."""
matches_of = _TOKEN.finditer
"""The same as matches, which know their places."""

BINARY = 32
OP_MASK = 31
LEVEL = 64
"""Entries below this are brackets or the bottom of the stack."""
OPEN_ROUND = 0
OPEN_SQUARE = 1
OPEN_BRACE = 2
OPEN_BLOCK = 3
"""The brace of an automaton that is given state by state."""
CLOSE = -1


def _unary(level: int, op: Op) -> int:
    return level * LEVEL + int(op)


LOOSE_A = _unary(5, Op.A)
LOOSE_E = _unary(5, Op.E)

PREFIX: dict[str, tuple[int, ...]] = {
    "(": (OPEN_ROUND,),
    **dict.fromkeys(("!", "~", "not"), (_unary(7, Op.NOT),)),
    "A": (LOOSE_A,),
    "E": (LOOSE_E,),
    **{op.name: (_unary(7, op),) for op in (Op.X, Op.F, Op.G)},
    **{
        quantifier.name + op.name: (_unary(7, quantifier), _unary(7, op))
        for quantifier in (Op.A, Op.E)
        for op in (Op.X, Op.F, Op.G)
    },
}
"""What a token pushes where an operand may start."""


def _left(level: int, op: Op) -> tuple[int, int]:
    return level * LEVEL, level * LEVEL + BINARY + int(op)


def _right(level: int, op: Op) -> tuple[int, int]:
    return (level + 1) * LEVEL, level * LEVEL + BINARY + int(op)


INFIX: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("->", "-->", "=>"), _right(1, Op.IMPLIES)),
    **dict.fromkeys(("<->", "<-->", "<=>"), _left(2, Op.IFF)),
    **dict.fromkeys(("|", "||", "or"), _left(3, Op.OR)),
    "xor": _left(3, Op.XOR),
    **dict.fromkeys(("&", "&&", "and"), _left(4, Op.AND)),
    **{word: _right(6, Op(op)) for op, words in PATH_WORDS.items() for word in words},
    ")": (LEVEL, CLOSE),
    "]": (LEVEL, CLOSE),
    "}": (LEVEL, CLOSE),
}
"""After an operand: reduce entries from this one up, then push this entry."""

MODALITIES: dict[str, int] = {"<": _unary(7, Op.DIAMOND), "[": _unary(7, Op.BOX)}
CLOSING_MODALITY = {"<": ">", "[": "]"}
FIXPOINTS: dict[str, int] = {"mu": _unary(1, Op.MU), "nu": _unary(1, Op.NU)}

CONSTANTS: dict[str, Op] = {
    **dict.fromkeys(("true", "TRUE", "tt"), Op.TRUE),
    **dict.fromkeys(("false", "FALSE", "ff"), Op.FALSE),
}
VARIABLE_NAMES = frozenset(chain("XFG", *PATH_WORDS.values()))
"""Reserved words that may be variables."""
TEMPORAL_WORDS = VARIABLE_NAMES | frozenset("A E AX AF AG EX EF EG".split())
RESERVED = TEMPORAL_WORDS | frozenset("not and or xor mu nu".split()) | frozenset(CONSTANTS)


class LexicalFault(Exception):  # it becomes an error when its place is known
    """The fault at a token."""

    def __init__(self, code: str, message: str, at: int, hint: str | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.at, self.hint = code, message, at, hint


@cache
def _token_or_head() -> re.Pattern[str]:
    """Compiled when it is first needed: few formulas have fixpoints."""
    return re.compile(f"{_HEAD} | {_TOKEN.pattern}", _TOKEN.flags)


def tokenize_heads(text: str) -> list[str]:
    """Like `tokenize`, but for texts with the words mu and nu."""
    return _token_or_head().findall(text)


def matches_of_heads(text: str) -> Iterator[re.Match[str]]:
    """The same as matches, which know their places."""
    return _token_or_head().finditer(text)


def fixpoint_head(token: str) -> str | None:
    """The name of the variable in the head of a fixpoint. None for other tokens.

    >>> fixpoint_head("mu Z."), fixpoint_head("mu")
    ('Z', None)
    """
    if token[-1] != "." or token[:2] not in FIXPOINTS:
        return None
    return token[2:-1].strip()


def bare_length(word: str) -> int:
    r"""How many characters from the start of `word` can stand in a bare label.

    >>> [bare_length(word) for word in ("x.y$1", "x\u00b2", "2x", "\u00e9t\u00e9")]
    [5, 1, 0, 3]
    """
    match = _BARE.match(word)
    if match is None:
        return 0
    found = match[0]
    if found.isascii():
        return len(found)
    if not (found[0].isalpha() or found[0] == "_"):
        return 0
    for place, c in enumerate(found):
        if not (c.isalpha() or c.isdecimal() or c in "_.$@#"):
            return place
    return len(found)


def quote(name: str) -> str:
    r"""The label as it is written in a formula, in quotes only where it needs them.

    >>> print(quote("x.y"), quote("AG"), quote('say "hi"'))
    x.y "AG" "say \"hi\""
    """
    if name and name not in RESERVED and bare_length(name) == len(name):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote(token: str) -> str | None:
    r"""The label that a quoted token stands for, or None when quote or escapes are wrong.

    >>> unquote('"a \\"b\\""')
    'a "b"'
    >>> unquote('"open') is None
    True
    """
    if re.fullmatch(_QUOTED, token) is None:
        return None
    inner = token[1:-1]
    return re.sub(_ESCAPE, r"\1", inner) if "\\" in inner else inner


def label_of(token: str) -> str | None:
    """The label that a token stands for, or None when it is no label."""
    first = token[0]
    if first == '"':
        return unquote(token)
    if token in RESERVED:
        return None
    if token.isascii():  # then the tokenizer's rule for words is exact
        return token if (first.isalpha() or first == "_") and token[-1] != "." else None
    return token if bare_length(token) == len(token) else None


def offsets(text: str) -> list[tuple[int, int]]:
    """Where each token of `text` starts and ends.

    >>> offsets("p & q")
    [(0, 1), (2, 3), (4, 5)]
    """
    return [match.span() for match in matches_of_heads(text)]
