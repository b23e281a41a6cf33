"""Regular expressions in the grammar of formulas: what stands in braces, and what after them.

In braces `;` binds loosest of all, and `*`, `+` and `?` bind tightest but for negation: `!p*` is
`(!p)*`. After the braces stands what the expression is for:

    {r} <>-> f   some prefix of the run matches r, and f holds from its last state on
    {r} <>=> f   the same, but from the state after it: {r ; true} <>-> f
    {r} |-> f    whenever a prefix matches r, f holds from its last state on
    {r} |=> f    the same, but from the state after it: {r ; true} |-> f
    {r}!         some prefix matches: {r} <>-> true
    {r}^w        the run is an endless row of matches of r

The first four reach as far to the right as they can, as fixpoints do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pigro.logic.lexer import BINARY, LEVEL, OP_MASK, OPEN_BLOCK, OPEN_BRACE
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic.arena import Arena

_OR, _FALSE, _TRUE, _SEQ, _STAR = map(int, (Op.OR, Op.FALSE, Op.TRUE, Op.SEQ, Op.STAR))
_AUTOMATON = int(Op.AUTOMATON)
_ATOM, _A, _E, _X, _OMEGA = map(int, (Op.ATOM, Op.A, Op.E, Op.X, Op.OMEGA))
_MATCH, _TRIGGER, _DIAMOND = map(int, (Op.MATCH, Op.TRIGGER, Op.DIAMOND))
_ARROWS = {"<>->": _MATCH, "<>=>": _MATCH, "|->": _TRIGGER, "|=>": _TRIGGER}
_UNARY = 7 * LEVEL
_STATE, _PATH, _PART, _WRONG = range(4)

NOT_OURS: Final = 0
DONE: Final = 1
OPENS: Final = 2
"""The token is read, and an operand must come."""


def after_braces(token: str, stack: list[int], values: list[int], arena: Arena) -> int:
    """Reads what an expression is for."""
    if token == "!":
        values[-1] = arena.node(_MATCH, values[-1], arena.node(_TRUE))
        return DONE
    if token == "^w":
        values[-1] = arena.node(_OMEGA, values[-1])
        return DONE
    op = _ARROWS.get(token)
    if op is None:
        return NOT_OURS
    if "=" in token:
        values[-1] = arena.node(_SEQ, values[-1], arena.node(_TRUE))
    stack.append(LEVEL + BINARY + op)
    return OPENS


def in_braces(
    token: str, stack: list[int], values: list[int], arena: Arena, reduce: Callable[[int], None]
) -> int:
    """Reads `;` and what repeats."""
    if token == ";":
        reduce(LEVEL)
        stack.append(LEVEL + BINARY + _SEQ)
        return OPENS
    if token not in {"*", "+", "?"}:
        return NOT_OURS
    reduce(_UNARY)
    if token == "?":
        nothing = arena.node(_STAR, arena.node(_FALSE))
        values[-1] = arena.node(_OR, values[-1], nothing)
        return DONE
    again = arena.node(_STAR, values[-1])
    values[-1] = again if token == "*" else arena.node(_SEQ, values[-1], again)
    return DONE


def in_expression(stack: list[int]) -> bool:
    """Whether a part of an expression comes next: braces are nearer than A, E and edges."""
    for entry in reversed(stack):
        if entry == OPEN_BRACE:
            return True
        if entry == OPEN_BLOCK or (entry >= LEVEL and entry & OP_MASK in {_A, _E}):
            return False
    return False


def misplaced(arena: Arena) -> bool:
    """Whether a part of an expression is no state formula, or not in one."""
    return _WRONG in _kinds(arena)


def path_formulas(arena: Arena) -> set[int]:
    """The nodes that are path formulas."""
    return {node for node, kind in enumerate(_kinds(arena)) if kind == _PATH}


def _kinds(arena: Arena) -> list[int]:
    kinds: list[int] = []
    for op, left, right in arena.index:
        if op <= _ATOM or op >= _DIAMOND:
            kinds.append(_STATE)
            continue
        below = [kinds[left]] + ([kinds[right]] if right >= 0 else [])
        if _SEQ <= op <= _AUTOMATON or (op == _OR and _PART in below):
            kinds.append(_WRONG if _PATH in below else _PART)
        elif op >= _MATCH:
            kinds.append(_WRONG if below[0] == _PATH or _PART in below[1:] else _PATH)
        elif _PART in below:
            kinds.append(_WRONG)
        elif op in {_A, _E}:
            kinds.append(_STATE)
        else:
            kinds.append(_PATH if op >= _X or _PATH in below else _STATE)
    return kinds
