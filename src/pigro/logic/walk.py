"""The one way to translate a formula: operands first, each once, and without recursion."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Made = TypeVar("_Made")


def operands_first(
    root: _Key,
    done: dict[_Key, _Made],
    needed: Callable[[_Key], list[_Key]],
    make: Callable[[_Key, list[_Made]], _Made],
) -> _Made:
    """What `make` gives for a root. It gets what was made of the keys that are `needed` for one.

    `done` has what was made before, and gets all that is made now.

    >>> operands_first(3, {0: "0"}, lambda n: [n - 1], lambda n, parts: f"{n}({parts[0]})")
    '3(2(1(0)))'
    """
    pending: list[tuple[_Key, list[_Key] | None]] = [(root, None)]
    while pending:
        key, parts = pending.pop()
        if key in done:
            continue
        if parts is None:
            parts = needed(key)
            missing = [(each, None) for each in parts if each not in done]
            if missing:
                pending.append((key, parts))
                pending += reversed(missing)
                continue
        done[key] = make(key, [done[each] for each in parts])
    return done[root]
