"""Graphs to bytes and back, as msgpack: for the cache, and for processes that read files.

Nothing in such bytes is ever executed. The types come from `pigro.sources.graph`. Operations are
nested tuples; msgspec reads them at once up to a depth, and without bytes in them. Other graphs
are read as lists, which become tuples here.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from pigro.sources.graph import Class, Function, Module, Pad

_DEEPEST = 12
_ELLIPSIS, _COMPLEX = 1, 2


_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind)) for kind in (Module, Function, Class, Pad)
}


def encoded(module: Module) -> bytes | None:
    """A graph as bytes; None if msgpack can't say it, as with integers of 100 bits."""
    try:
        return msgspec.msgpack.encode(module, enc_hook=_extended)
    except (OverflowError, UnicodeError, NotImplementedError, RecursionError, msgspec.MsgspecError):
        return None


def decoded(data: bytes) -> Module | None:
    """The graph; None if the bytes are none."""
    try:
        read = _decoder(Module).decode(data)
        functions = [_function(each) for each in read.functions]
    except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
        return None
    classes = [_made(Class, each) for each in read.classes]
    return Module(read.name, read.file, read.is_package, read.lines, functions, classes)


def _extended(value: object) -> Any:
    """Constants of Python that msgpack does not have."""
    if value is ...:
        return msgspec.msgpack.Ext(_ELLIPSIS, b"")
    if isinstance(value, complex):
        return msgspec.msgpack.Ext(_COMPLEX, repr(value).encode())
    raise NotImplementedError(type(value).__name__)


def _constant(code: int, data: memoryview) -> Any:
    if code == _ELLIPSIS:
        return ...
    if code == _COMPLEX:
        return complex(bytes(data).decode())
    raise ValueError


@cache
def _decoder(kind: type, *, quick: bool = True) -> msgspec.msgpack.Decoder[Any]:
    """Reads modules, with functions that are not read yet, or functions."""
    value: Any = Any
    if quick:
        scalar = (None, bool, int, float, str)
        value = Union[scalar]  # noqa: UP007
        for _ in range(_DEEPEST):
            value = Union[(*scalar, tuple[value, ...])]
    known: dict[type, Any] = {Function: msgspec.Raw}
    for each in (Pad, Class, kind):
        hints = get_type_hints(each)
        rows = [(name, _typed(hints[name], value, known)) for name in _NAMES[each]]
        known[each] = msgspec.defstruct(each.__name__, rows, gc=False)
    return msgspec.msgpack.Decoder(known[kind], ext_hook=_constant)


def _typed(hint: Any, value: Any, known: dict[type, Any]) -> Any:
    """A type with `value` for Any, and structs for classes of graphs."""
    if hint is Any:
        return value
    if hint in known:
        return known[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if not parts:
        return hint
    inner = tuple(each if each is ... else _typed(each, value, known) for each in parts)
    return Union[inner] if origin in {Union, UnionType} else origin[inner]  # noqa: UP007


def _function(data: msgspec.Raw) -> Function:
    try:
        read, quick = _decoder(Function).decode(data), True
    except msgspec.ValidationError:
        read, quick = _decoder(Function, quick=False).decode(data), False
    if not len(read.ops) == len(read.edges) == len(read.at_nodes) == len(read.node_pads):
        raise ValueError
    made: Function = _made(Function, read)
    made.pads = [_made(Pad, each) for each in read.pads]
    if not quick:
        made.ops = [None if each is None else _tuples(each) for each in read.ops]
        made.assigned = {key: [_tuples(each) for each in row] for key, row in read.assigned.items()}
        made.defaults = {key: _tuples(row) for key, row in read.defaults.items()}
    return made


def _made(kind: type, read: Any) -> Any:
    """An object of a graph from its struct."""
    return kind(*[getattr(read, name) for name in _NAMES[kind]])


def _tuples(value: Any) -> Any:
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([_tuples(each) for each in value])
    return value
