"""What operations read and write, as all rules need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.sources.graph import (
    AWAIT,
    CALL,
    DEFINE,
    DELEGATE,
    ENTER,
    FOR,
    RAISE,
    RETURN,
    SET,
    TEST,
    YIELD,
)

if TYPE_CHECKING:
    from pigro.sources.graph import Value


def paths(value: Value) -> list[str]:
    """The paths in a value."""
    kind = type(value)
    if kind is str:
        return [value]
    if kind is not tuple:
        return []
    if value[0] == "l":
        return list(value[1])
    if value[0] in {"t", "or"}:
        return [each for part in value[1] for each in paths(part)]
    return paths(value[1]) if value[0] in {"i", "*"} else []


def read(op: tuple[Any, ...]) -> list[str]:
    """The paths that an operation reads."""
    code = op[0]
    if code == CALL:
        found = [op[1]] if op[1] and op[1][0] != "." else []
        found += paths(op[2])
        for each in op[3]:
            found += paths(each)
        for _, each in op[4]:
            found += paths(each)
        return found
    if code == SET:
        found = list(op[1])
        for _, value in op[2]:
            found += paths(value)
        return found
    if code == TEST:
        return list(op[1])
    if code == RETURN:
        return [*op[1], *paths(op[2])]
    if code == DEFINE:
        return list(op[2])
    if code in {AWAIT, YIELD, DELEGATE, ENTER, FOR}:
        return paths(op[1])
    if code == RAISE:
        return [] if op[1] is None else [op[1]]
    return []
