"""Tokens to expression nodes: operator precedence parsing with explicit stacks.

Values, conditions and CTL formulas share one grammar; which operator may stand where is decided
when names are known (`kinds.py`). Loosest to tightest: `->` (right), `<->`, `?:`, `|` with `xor`
and `xnor`, `&`, the temporal operators, comparisons, `in`, `union`, `+ -`, `* / mod`, `..`, and the
unary `!` and `-`. `AG x = 1` therefore is `AG (x = 1)` and `!x = y` is `(!x) = y`, as in NuSMV.

`stack` holds waiting operators (level, op, token) and open brackets, whose level is 0; `opened`
says for each of those how many values lie below it and how far it has got.
"""

from __future__ import annotations

from pigro.formats.smv.nodes import EXIT, N, Nodes
from pigro.formats.smv.text import Fault, found

_RIGHT = frozenset((N.IMPLIES, N.ITE))
_TERNARY = 4

INFIX: dict[str, tuple[int, int]] = {
    "->": (2, N.IMPLIES),
    "<->": (3, N.IFF),
    "|": (5, N.OR),
    "xor": (5, N.XOR),
    "xnor": (5, N.XNOR),
    "&": (6, N.AND),
    "=": (8, N.EQ),
    "!=": (8, N.NE),
    "<": (8, N.LT),
    ">": (8, N.GT),
    "<=": (8, N.LE),
    ">=": (8, N.GE),
    "in": (9, N.IN),
    "union": (10, N.UNION),
    "+": (11, N.ADD),
    "-": (11, N.SUB),
    "*": (12, N.MUL),
    "/": (12, N.DIV),
    "mod": (12, N.MOD),
    "..": (13, N.RANGE),
}
_PREFIX: dict[str, tuple[int, int]] = {
    "!": (14, N.NOT),
    "-": (14, N.MINUS),
    "EX": (7, N.EX),
    "EF": (7, N.EF),
    "EG": (7, N.EG),
    "AX": (7, N.AX),
    "AF": (7, N.AF),
    "AG": (7, N.AG),
}
_OPENING = {"(": ")", "{": "}", "case": "esac", "next": ")", "E": "]", "A": "]"}
_BETWEEN = frozenset((":", ";", ",", "?", "U", ")", "}", "]", "esac"))
SECTIONS = frozenset(
    "MODULE VAR DEFINE CALL ASSIGN SPEC CTLSPEC INVARSPEC IVAR FROZENVAR INIT TRANS INVAR "
    "FAIRNESS JUSTICE COMPASSION LTLSPEC PSLSPEC COMPUTE ISA CONSTANTS MDEFINE PRED MIRROR "
    "CONSTRAINT".split()
)
RESERVED = (
    SECTIONS
    | frozenset(_OPENING)
    | frozenset(INFIX)
    | frozenset(_PREFIX)
    | frozenset(
        "esac init TRUE FALSE EXIT U boolean NAME self process array of word word1 bool".split()
    )
    | frozenset("integer real signed unsigned X F G H O S T V Y Z BU EBF ABF EBG ABG count".split())
    | frozenset("abs max min extend resize sizeof swconst uwconst toint".split())
)
_INSTEAD = {
    "&&": "&",
    "||": "|",
    "==": "=",
    "~": "!",
    "not": "!",
    "and": "&",
    "or": "|",
    "%": "mod",
}
_LONGEST = 18
"""Digits of a number, far beyond any state space."""


class _Open:
    """An open bracket."""

    __slots__ = ("at", "base", "sign", "step")

    def __init__(self, sign: str, at: int, base: int) -> None:
        self.sign = sign
        self.at = at
        self.base = base
        self.step = 0  # of case: 1 after the colon; of E and A: 1 after U


def expression(
    tokens: list[str], place: int, nodes: Nodes, *, chains: bool = True
) -> tuple[int, int]:
    """Reads an expression from token `place` on; its root, and the token after it.

    Without `chains` every operator has two arguments, as formulas need it.
    """
    stack: list[tuple[int, int, int]] = []
    values: list[int] = []
    opened: list[_Open] = []
    infix = INFIX.get
    wanted = True
    while True:
        token = tokens[place]
        if wanted:
            prefix = _PREFIX.get(token)
            if prefix is not None:
                stack.append((*prefix, place))
            elif token in _OPENING:
                place += _open(tokens, place, opened, stack, len(values))
            else:
                values.append(_leaf(tokens, place, nodes))
                wanted = False
            place += 1
            continue
        rule = infix(token)
        if rule is not None:
            level, op = rule
            _reduce(stack, values, nodes, level + 1 if op in _RIGHT else level, chains=chains)
            stack.append((level, op, place))
            wanted = True
            place += 1
            continue
        if token not in _BETWEEN or (not opened and token != "?"):
            break
        _reduce(stack, values, nodes, _TERNARY + 1 if token == "?" else 1, chains=chains)
        if token == "?":
            opened.append(_Open("?", place, len(values)))
            stack.append((0, 0, place))
            wanted = True
        else:
            wanted = _between(tokens, place, opened, stack, values, nodes)
            if wanted and token == ";" and tokens[place + 1] == "esac":
                place += 1
                values.append(_close(opened, stack, values, nodes))
                wanted = False
        place += 1
    _reduce(stack, values, nodes, 1, chains=chains)
    if opened:
        raise _unfinished(tokens, place, opened[-1])
    return values[0], place


def _open(
    tokens: list[str],
    place: int,
    opened: list[_Open],
    stack: list[tuple[int, int, int]],
    base: int,
) -> int:
    """Opens a bracket; the number of further tokens that belong to it."""
    token = tokens[place]
    more = 0
    if token in ("next", "E", "A"):
        needed = "(" if token == "next" else "["
        if tokens[place + 1] != needed:
            hint = None if token == "next" else f"write {token} [p U q]; {token} is a reserved word"
            raise Fault(
                "P121",
                f"expected `{needed}` after `{token}`, found {found(tokens[place + 1])}",
                place + 1,
                hint,
            )
        more = 1
    opened.append(_Open(token, place, base))
    stack.append((0, 0, place))
    return more


def _between(  # noqa: PLR0913 - the state of the parser
    tokens: list[str],
    place: int,
    opened: list[_Open],
    stack: list[tuple[int, int, int]],
    values: list[int],
    nodes: Nodes,
) -> bool:
    """Takes a token that separates or closes; is an operand wanted after it?"""
    token, inner = tokens[place], opened[-1]
    sign = inner.sign
    if token == ":" and sign == "?":
        opened.pop()
        stack[-1] = (_TERNARY, N.ITE, inner.at)
        return True
    if token == ":" and sign == "case" and inner.step == 0:
        inner.step = 1
        return True
    if token == ";" and sign == "case" and inner.step == 1:
        inner.step = 0
        return True
    if token == "," and sign == "{":
        return True
    if token == "U" and sign in ("E", "A") and inner.step == 0:
        inner.step = 1
        return True
    if token != _OPENING.get(sign) or (sign in ("E", "A") and inner.step == 0) or sign == "case":
        raise _unfinished(tokens, place, inner)
    values.append(_close(opened, stack, values, nodes))
    return False


def _close(
    opened: list[_Open],
    stack: list[tuple[int, int, int]],
    values: list[int],
    nodes: Nodes,
) -> int:
    """The node of a bracket that was just closed; its values are gone."""
    done = opened.pop()
    stack.pop()
    inside = values[done.base :]
    del values[done.base :]
    match done.sign:
        case "(":
            return inside[0]
        case "{":
            return nodes.node(N.SET, inside, done.at)
        case "case":
            return nodes.node(N.CASE, inside, done.at)
        case "next":
            return nodes.node(N.NEXT, inside, done.at)
        case sign:
            return nodes.node(N.EU if sign == "E" else N.AU, inside, done.at)


def _reduce(
    stack: list[tuple[int, int, int]],
    values: list[int],
    nodes: Nodes,
    level: int,
    *,
    chains: bool,
) -> None:
    """Makes the nodes of waiting operators from `level` up."""
    while stack and stack[-1][0] >= level:
        _, op, at = stack.pop()
        right = values.pop()
        if op in _UNARY:
            made = nodes.node(op, [right], at)
        else:
            left = values.pop()
            if op == N.ITE:
                made = nodes.node(op, [values.pop(), left, right], at)
            elif chains:
                made = nodes.chain(op, left, right, at)
            else:
                made = nodes.node(op, [left, right], at)
        values.append(made)


_UNARY = frozenset(op for _, op in _PREFIX.values())


def _leaf(tokens: list[str], place: int, nodes: Nodes) -> int:
    token = tokens[place]
    if token in RESERVED:
        if token in ("TRUE", "FALSE"):
            return nodes.leaf(N.CONSTANT, token == "TRUE", place)
        if token == EXIT:
            return nodes.leaf(N.CONSTANT, EXIT, place)
    elif token and (token[0].isalpha() or token[0] == "_") and token.isascii():
        if token not in _INSTEAD:
            return nodes.leaf(N.NAME, token, place)
    elif token.isdigit() and token.isascii():
        return nodes.leaf(N.CONSTANT, number(tokens, place), place)
    raise unexpected(tokens, place, "expected an expression")


def number(tokens: list[str], place: int) -> int:
    """The number that a token stands for."""
    token = tokens[place]
    if len(token) > _LONGEST:
        raise Fault("P121", f"a number of {len(token)} digits is too long", place)
    return int(token)


def unexpected(tokens: list[str], place: int, expected: str) -> Fault:
    """The fault for a token that can't stand where it does."""
    token = tokens[place]
    before = tokens[place - 1] if place else ""
    if token.startswith("/--"):
        return Fault("P121", "the comment is not closed", place, "end it with --/")
    after = f" after {found(before)}" if before else ""
    what = "the reserved word " if token in RESERVED and token[:1].isalpha() else ""
    instead = _INSTEAD.get(token) or (_INSTEAD.get(before * 2) if token == before else None)
    hint = f"the operator is written {instead}" if instead else None
    if token and not token.isascii():
        hint = "names are made of the letters a to z, digits and _ $ # -"
    return Fault("P121", f"{expected}{after}, found {what}{found(token)}", place, hint)


_NEXT = {
    "(": "`)`",
    "{": "`,` or `}`",
    "next": "`)`",
    "?": "`:`",
}


def _unfinished(tokens: list[str], place: int, inner: _Open) -> Fault:
    """The fault for a bracket that is not closed, or wrongly."""
    if inner.sign == "case":
        needed = "`;`" if inner.step else "`:`"
    elif inner.sign in ("E", "A"):
        needed = "`]`" if inner.step else "`U`"
    else:
        needed = _NEXT[inner.sign]
    opening = "[" if inner.sign in ("E", "A") else inner.sign
    token = tokens[place]
    if not token or token in SECTIONS or token == ":=":
        message = f"this `{opening}` is not closed: expected an operator or {needed}"
        return Fault("P121", message, inner.at)
    return unexpected(tokens, place, f"expected an operator or {needed}")
