"""Which functions can do something, through calls that have one target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.sources.graph import CALL, ENTER, EXIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function


def target(scan: Scan, function: Function, node: int) -> Function | None:
    """The function whose body runs at a node, if there is just one: no coroutine or generator."""
    op = function.ops[node]
    if op is None:
        return None
    found: tuple[Function, ...] = ()
    if op[0] == CALL:
        found = scan.program.callee(function, node).functions
    elif op[0] in {ENTER, EXIT} and not op[2]:
        thing = scan.program.value(function, op[1])
        if thing is not None and thing.kind == "instance":
            name = "__enter__" if op[0] == ENTER else "__exit__"
            found = scan.program.methods(thing.name, name).functions
    if len(found) != 1 or found[0].is_async or found[0].is_generator:
        return None
    return found[0]


def reaching(scan: Scan, doing: Iterable[str]) -> set[str]:
    """The functions that do something, and all that call them."""
    callers: dict[str, set[str]] = {}
    for function in scan.program.functions.values():
        for node, op in enumerate(function.ops):
            if op is not None and op[0] in {CALL, ENTER, EXIT}:
                called = target(scan, function, node)
                if called is not None:
                    callers.setdefault(called.name, set()).add(function.name)
    found = set(doing)
    pending = sorted(found)
    while pending:
        for each in sorted(callers.get(pending.pop(), ())):
            caller = scan.program.functions[each]
            if each not in found and not caller.is_async and not caller.is_generator:
                found.add(each)
                pending.append(each)
    return found
