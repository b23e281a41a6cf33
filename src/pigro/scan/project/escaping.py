"""Where an object went that a rule does not follow any further, and why calls are not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.scan.generators import is_manager
from pigro.sources.graph import CALL, DEFINE, DELEGATE, FOR, RETURN, SET, YIELD

if TYPE_CHECKING:
    from pigro.sources.graph import Function
    from pigro.sources.link import Callee, Program

_WENT = {
    RETURN: "returned to the caller, which may release it",
    YIELD: "yielded to other code, which may release it",
    DELEGATE: "yielded to other code, which may release it",
    FOR: "in what a `for` takes apart",
}


def where_it_went(program: Program, function: Function, node: int) -> str:
    """What happened at a node to an object that is not followed any further."""
    op = function.ops[node]
    assert op is not None
    if op[0] == SET:
        return _set(function, op)
    if op[0] == CALL:
        because = why_unfollowed(program.callee(function, node))
        return f"given to `{printable(op[1] or '?', 60)}`, which may release it: {because}"
    if op[0] == DEFINE:
        return f"used in `{printable(op[1], 60)}`, which may release it when it is called"
    return _WENT[op[0]]


def _set(function: Function, op: tuple[Any, ...]) -> str:
    pairs = [(target, value) for target, value in op[2] if not _is_constant(value)]
    if not pairs:
        return "deleted by its last name"
    names = ", ".join(f"`{printable(target, 60)}`" for target, _ in pairs)
    kept = any("." in each or "[" in each or each in function.shared for each, _ in pairs)
    return f"stored in {names}, which is not followed" + (" out of the function" if kept else "")


def _is_constant(value: Any) -> bool:
    return type(value) is tuple and value[0] in {"c", "d"}


def why_unfollowed(callee: Callee) -> str:
    """Why what an argument does in a call is not known."""
    functions = callee.functions
    if not functions:
        known = callee.external is not None or callee.made is not None
        return "its code was not scanned" if known else "it is not known what is called"
    if len(functions) > 1:
        return f"it may be one of {len(functions):,} methods"
    if functions[0].is_generator and not functions[0].is_async:
        if is_manager(functions[0]):
            return "it is a context manager, and no `with` runs it here"
        return "it is a generator, and no `for` runs it here"
    if functions[0].is_async:
        return "it is a coroutine"
    return "it keeps the object, or gets it inside of another one"
