"""Generators that an operation runs: a `for`, a `with` of a context manager, `yield from`.

Only generators of the program are run, and only where they are called: `for x in numbers():`. A
generator in a variable is not known to be the same one when it is resumed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.sources.graph import DELEGATE, ENTER, EXIT, FOR, YIELD

if TYPE_CHECKING:
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram

RUNS = frozenset({FOR, ENTER, EXIT, DELEGATE})
"""Operations that can run a generator."""
_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})


def is_manager(function: Function) -> bool:
    """Whether a generator is a context manager."""
    return any(each.rpartition(".")[2] in _MANAGERS for each in function.decorators)


def generator_at(
    program: LinkedProgram, function: Function, op: tuple[Any, ...]
) -> Function | None:
    """The generator that an operation runs."""
    if op[0] not in RUNS or type(op[1]) is not int:
        return None
    made = program.started(function, op[1])
    if made is None or made.is_async or is_manager(made) is not (op[0] in {ENTER, EXIT}):
        return None
    return made


def yields_of(function: Function) -> list[int]:
    """The nodes where a generator is suspended."""
    return [
        node
        for node, op in enumerate(function.ops)
        if op is not None and op[0] in {YIELD, DELEGATE}
    ]


def is_run(program: LinkedProgram, function: Function, call: int) -> bool:
    """Whether the generator that a call makes is run right there."""
    return any(
        op is not None
        and op[0] in RUNS
        and op[1] == call
        and generator_at(program, function, op) is not None
        for op in function.ops
    )
