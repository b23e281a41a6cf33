"""`Record`, the base of small immutable classes: a dataclass takes ten times as long to define.

The functions of `dataclasses` take records too, for example `replace`, `fields` and `asdict`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import NODEFAULT, Struct

if TYPE_CHECKING:
    from dataclasses import Field


class _Fields:
    """Gives a class its fields as `dataclasses` describes them."""

    def __get__(self, _record: object, kind: type[Struct]) -> dict[str, Field[Any]]:
        return _fields(kind)


@cache
def _fields(kind: type[Struct]) -> dict[str, Field[Any]]:
    from dataclasses import make_dataclass

    types: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        types |= vars(each).get("__annotations__", {})
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    given = (*[NODEFAULT] * (len(names) - len(defaults)), *defaults)
    rows = [(name, types[name], _field(value)) for name, value in zip(names, given, strict=True)]
    made: Any = make_dataclass(kind.__name__, rows, kw_only=True)
    found: dict[str, Field[Any]] = made.__dataclass_fields__
    return found


def _field(default: Any) -> Any:
    from dataclasses import field

    if default is NODEFAULT:
        return field()
    if type(default).__name__ == "Factory":  # msgspec has no public name for it
        return field(default_factory=default.factory)
    return field(default=default)


class Record(Struct, frozen=True):
    """Named values that never change. To assign one is an `AttributeError`."""

    if TYPE_CHECKING:
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _Fields()
