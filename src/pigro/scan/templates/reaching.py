"""Which functions can do something, through calls that have one target, and through generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.scan.generators import RUNS, generator_at, is_run
from pigro.sources.graph import CALL, ENTER, EXIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function


CALLS = RUNS | {CALL}
"""Operations that can run a function."""
_OF_WITH = frozenset({"__enter__", "__exit__"})


def target(scan: Scan, function: Function, node: int) -> Function | None:
    """The function whose body runs at a node, if there is just one, and it is no coroutine."""
    op = function.ops[node]
    if op is None or op[0] not in CALLS:
        return None
    made = generator_at(scan.program, function, op)
    if made is not None:
        return made
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


def reaching(scan: Scan, doing: Iterable[str], deepest: int | None = None) -> set[str]:
    """The functions that do something, and all that call them.

    `deepest` is the number of calls down to it, at most, with that of the function itself.
    """
    program = scan.program
    entered: dict[str, set[str]] | None = None
    found = set(doing)
    level = sorted(found)
    depth = 1
    while level and (deepest is None or depth < deepest):
        above: set[str] = set()
        for function, node in scan.calls_of(level):
            op = function.ops[node]
            assert op is not None
            [called] = program.callee(function, node).functions
            if called.is_async or (called.is_generator and not is_run(program, function, node)):
                continue
            above.add(function.name)
        if any(each.rpartition(".")[2] in _OF_WITH for each in level):
            entered = _entering(scan) if entered is None else entered
            above.update(each for name in level for each in entered.get(name, ()))
        level = [each for each in sorted(above - found) if not program.functions[each].is_async]
        found.update(level)
        depth += 1
    return found


def _entering(scan: Scan) -> dict[str, set[str]]:
    """By method of a class: the functions with a `with` that calls it."""
    found: dict[str, set[str]] = {}
    for function in scan.program.functions.values():
        for node, op in enumerate(function.ops):
            if op is not None and op[0] in {ENTER, EXIT}:
                called = target(scan, function, node)
                if called is not None:
                    found.setdefault(called.name, set()).add(function.name)
    return found
