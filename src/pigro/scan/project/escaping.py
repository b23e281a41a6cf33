"""Where an object went that a rule does not follow any further, and why calls are not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.scan.generators import is_manager
from pigro.scan.project.sentences import ReasonSentence
from pigro.sources.graph import CALL, DEFINE, DELEGATE, FOR, RETURN, SET, YIELD

if TYPE_CHECKING:
    from pigro.sources.graph import Function
    from pigro.sources.link import Callee, LinkedProgram

_WENT = {
    RETURN: ReasonSentence.RETURNED,
    YIELD: ReasonSentence.YIELDED,
    DELEGATE: ReasonSentence.YIELDED,
    FOR: ReasonSentence.TAKEN_APART,
}


def where_it_went(program: LinkedProgram, function: Function, node: int) -> str:
    """What happened at a node to an object that is not followed any further."""
    op = function.ops[node]
    assert op is not None
    if op[0] == SET:
        return _set(function, op)
    if op[0] == CALL:
        because = why_unfollowed(program.callee(function, node))
        return ReasonSentence.GIVEN.format(call=printable(op[1] or "?", 60), because=because)
    if op[0] == DEFINE:
        return ReasonSentence.USED.format(function=printable(op[1], 60))
    return _WENT[op[0]]


def _set(function: Function, op: tuple[Any, ...]) -> str:
    pairs = [(target, value) for target, value in op[2] if not _is_constant(value)]
    if not pairs:
        return ReasonSentence.DELETED
    names = ", ".join(f"`{printable(target, 60)}`" for target, _ in pairs)
    kept = any("." in each or "[" in each or each in function.shared for each, _ in pairs)
    return (ReasonSentence.STORED_OUTSIDE if kept else ReasonSentence.STORED).format(names=names)


def _is_constant(value: Any) -> bool:
    return type(value) is tuple and value[0] in {"c", "d"}


def why_unfollowed(callee: Callee) -> str:
    """Why what an argument does in a call is not known."""
    functions = callee.functions
    if not functions:
        known = callee.external is not None or callee.made is not None
        return ReasonSentence.NO_SOURCE if known else ReasonSentence.UNKNOWN
    if len(functions) > 1:
        return ReasonSentence.MANY.format(number=len(functions))
    if functions[0].is_generator and not functions[0].is_async:
        if is_manager(functions[0]):
            return ReasonSentence.MANAGER
        return ReasonSentence.GENERATOR
    if functions[0].is_async:
        return ReasonSentence.COROUTINE
    return ReasonSentence.KEEPS
