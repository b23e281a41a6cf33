"""Of what kind every expression is.

Kinds are bits, since an enumeration may hold numbers and symbols. Every value may also be EXIT,
which is no kind. A mistake here has a place. Nothing is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.formats.smv.syntax.nodes import CONNECTIVES, OPERATORS, TEMPORAL, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterable

BOOL, INT, SYMBOL = _core.SmvKind.BOOL, _core.SmvKind.INT, _core.SmvKind.SYMBOL
WORD = _core.SmvKind.WORD
SET, FORMULA, SHIFTED = _core.SmvKind.SET, _core.SmvKind.FORMULA, _core.SmvKind.SHIFTED
"""Several values at once. A temporal operator. A value of the next state."""
VALUES = BOOL | INT | SYMBOL | WORD
_WORDS = {BOOL: "a truth value", INT: "a number", SYMBOL: "a symbol", WORD: "a word"}
_ELEMENT = "to ask for an element, write `x in {a, b}`"
_COMPARISONS = frozenset((N.EQ, N.NE, N.IN))


def is_condition(kinds: int) -> bool:
    """True or false in every state."""
    return kinds & (VALUES | SET | FORMULA) == BOOL


def kinds_of(nodes: ExpressionNodes, node: int, op: int, inner: list[int]) -> int:
    """The kinds of an operator over arguments of these kinds."""
    joined = 0
    for each in inner:
        joined |= each
    shifted = joined & SHIFTED
    if op in _COMPARISONS and not joined & FORMULA:
        _comparable(nodes, node, op, inner)
        return BOOL | shifted
    if op in CONNECTIVES and all(each & (VALUES | SET) == WORD for each in inner):
        return WORD | shifted
    if op in CONNECTIVES or op in TEMPORAL:
        _need(nodes, node, inner, BOOL)
        return BOOL | shifted | (FORMULA if op in TEMPORAL else joined & FORMULA)
    if joined & FORMULA:
        message = "a temporal operator can stand only under `!`, `&`, `|`, `->` and the like"
        raise TokenFault("P125", message, nodes.at[node])
    if op == N.NEXT:
        if shifted:
            raise TokenFault("P122", "next inside of next is not supported", nodes.at[node])
        return inner[0] | SHIFTED
    row = OPERATORS[op]
    if row.takes:
        wanted = _wanted(row.takes, inner[0])
        _need(nodes, node, inner[:1] if row.is_first_only else inner, wanted)
        return (row.gives or wanted) | shifted
    return _choice(nodes, node, op, inner) | shifted


def _wanted(takes: int, first: int) -> int:
    """What all arguments of an operator must be, if it takes several kinds: what the first is."""
    kinds = [each for each in (WORD, BOOL, INT) if takes & each]
    return next((each for each in kinds if first & each), kinds[-1])


def _choice(nodes: ExpressionNodes, node: int, op: int, inner: list[int]) -> int:
    """Sets, unions, case and `?:`: the kinds of all that may come out."""
    joined = 0
    if op in (N.CASE, N.ITE):
        args = nodes.children(node)
        step = 2 if op == N.CASE else 3
        for i in range(0, len(inner), step):
            _need_one(nodes, args[i], inner[i], BOOL)
            for each in inner[i + 1 : i + step]:
                joined |= each & (VALUES | SET)
        return joined
    for each in inner:
        joined |= each & VALUES
    return joined | SET


def _need(nodes: ExpressionNodes, node: int, inner: Iterable[int], kind: int) -> None:
    for arg, each in zip(nodes.children(node), inner, strict=False):
        _need_one(nodes, arg, each, kind)


def _need_one(nodes: ExpressionNodes, arg: int, kinds: int, kind: int) -> None:
    if kinds & SET:
        message = f"expected {_WORDS[kind]}, found a set"
        raise TokenFault("P125", message, nodes.at[arg], _ELEMENT)
    if not kinds & kind:
        raise TokenFault("P125", f"expected {_WORDS[kind]}, found {words(kinds)}", nodes.at[arg])


def _comparable(nodes: ExpressionNodes, node: int, op: int, inner: list[int]) -> None:
    left, right = inner
    sets = 0 if op == N.IN else (left | right) & SET
    if sets:
        side = nodes.children(node)[0 if left & SET else 1]
        raise TokenFault("P125", "a set can't be compared", nodes.at[side], _ELEMENT)
    if left & VALUES and right & VALUES and not left & right & VALUES:
        message = f"{words(left)} is compared with {words(right)}"
        hint = "truth values are written TRUE and FALSE" if (left | right) & BOOL else None
        raise TokenFault("P125", message, nodes.at[node], hint)


def words(kinds: int) -> str:
    """Kinds for a message."""
    named = [word for kind, word in _WORDS.items() if kinds & kind]
    return " or ".join(named) if named else "EXIT"
