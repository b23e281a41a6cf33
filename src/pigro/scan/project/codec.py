"""Graphs to bytes and back, as msgpack: for the cache, and for processes that read files.

Nothing in such bytes is ever executed. The types come from `pigro.sources.graph`. A function is
kept in two parts. The second has its nodes, and is read when it is first asked for, because a scan
looks at few functions again.

Operations are nested tuples. Msgspec reads them at once up to a depth, and without bytes in them.
Other graphs are read as lists, which become tuples here.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from pigro.sources.graph import Class, ExceptionPad, Function, Module

_DEEPEST = 12
_LIST_OF_1 = b"\x91"
_BODY = ("ops", "at_nodes", "edges", "node_pads", "pads")
_BROKEN = (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError)


_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind))
    for kind in (Module, Function, Class, ExceptionPad)
}
_HEAD = tuple(each for each in _NAMES[Function] if each not in _BODY)


class _CachedModule(msgspec.Struct, array_like=True, gc=False):
    """A module in the cache."""

    name: str
    is_package: bool
    lines: int
    classes: msgspec.Raw
    heads: msgspec.Raw
    bodies: list[msgspec.Raw]


class KeptFunction(Function):
    """A function whose nodes are read when first asked for."""

    __slots__ = ("_kept",)
    _kept: msgspec.Raw

    def __getattr__(self, name: str) -> Any:
        """Called for attributes that are not set yet."""
        if name not in _BODY:
            raise AttributeError(name)
        _fill(self)
        return getattr(self, name)


def encoded(module: Module) -> bytes | None:
    """A graph as bytes. None if msgpack can't say it."""
    try:
        classes = msgspec.msgpack.encode([_row(each, _NAMES[Class]) for each in module.classes])
        heads = [msgspec.Raw(_encoded(each, _HEAD)) for each in module.functions]
        bodies = [msgspec.Raw(_LIST_OF_1 + _encoded(each, _BODY)) for each in module.functions]
        names = (module.name, module.is_package, module.lines)
        head = msgspec.msgpack.encode(heads)
        kept = _CachedModule(*names, msgspec.Raw(classes), msgspec.Raw(head), bodies)
        return msgspec.msgpack.encode(kept)
    except (OverflowError, UnicodeError, NotImplementedError, RecursionError, msgspec.MsgspecError):
        return None


def decoded(data: bytes) -> Module | None:
    """The graph, with functions whose nodes are read later. None if the bytes are none."""
    try:
        read = msgspec.msgpack.decode(data, type=_CachedModule)
        classes = [Class(*each) for each in _decoder(Class, _NAMES[Class]).decode(read.classes)]
        heads = _heads(read.heads)
    except _BROKEN:
        return None
    if len(heads) != len(read.bodies):
        return None
    functions: list[Function] = []
    for head, body in zip(heads, read.bodies, strict=True):
        made = KeptFunction.__new__(KeptFunction)
        for name, value in zip(_HEAD, head, strict=True):
            setattr(made, name, value)
        made._kept = body  # noqa: SLF001 - made here
        functions.append(made)
    return Module(read.name, "", read.is_package, read.lines, functions, classes)


def whole(module: Module) -> Module:
    """The same module with all functions read, as the front-end makes it."""
    functions = [Function(*_row(each, _NAMES[Function])) for each in module.functions]
    names = (module.name, module.file, module.is_package, module.lines)
    return Module(*names, functions, module.classes)


def _heads(data: msgspec.Raw) -> list[tuple[Any, ...]]:
    """The heads of functions, as rows of `_HEAD`."""
    try:
        found: list[tuple[Any, ...]] = _decoder(Function, _HEAD).decode(data)
    except msgspec.ValidationError:
        found = []
        for row in _decoder(Function, _HEAD, quick=False).decode(data):
            made = dict(zip(_HEAD, row, strict=True))
            values = made["assigned"].items()
            made["assigned"] = {key: [_tuples(each) for each in row] for key, row in values}
            found.append(tuple(made.values()))
    return found


def _fill(function: KeptFunction) -> None:
    """Reads the nodes of a function."""
    data = function._kept  # noqa: SLF001 - of this module
    try:
        [(ops, *rest)] = _decoder(Function, _BODY).decode(data)
    except msgspec.ValidationError:
        [(read, *rest)] = _decoder(Function, _BODY, quick=False).decode(data)
        ops = [None if op is None else _tuples(op) for op in read]
    if any(len(each) != len(ops) for each in rest[:3]):
        raise ValueError
    function.ops = ops
    function.at_nodes, function.edges, function.node_pads = rest[:3]
    function.pads = [ExceptionPad(*each) for each in rest[3]]


def _row(of: object, names: tuple[str, ...]) -> tuple[Any, ...]:
    return tuple([getattr(of, name) for name in names])


def _encoded(function: Function, names: tuple[str, ...]) -> bytes:
    row = _row(function, names)
    if "pads" in names:
        row = (*row[:-1], [(each.outer, each.clauses) for each in function.pads])
    return msgspec.msgpack.encode(row)


@cache
def _decoder(
    kind: type, names: tuple[str, ...], *, quick: bool = True
) -> msgspec.msgpack.Decoder[Any]:
    """Reads lists of rows with these fields of a kind."""
    value: Any = Any
    if quick:
        scalar = (None, bool, int, float, str)
        value = Union[scalar]  # noqa: UP007
        for _ in range(_DEEPEST):
            value = Union[(*scalar, tuple[value, ...])]
    hints, pad = get_type_hints(kind), get_type_hints(ExceptionPad)
    rows: Any = tuple
    known = {ExceptionPad: rows[tuple(pad[each] for each in _NAMES[ExceptionPad])]}
    row = rows[tuple(_typed(hints[each], value, known) for each in names)]
    lists: Any = list
    return msgspec.msgpack.Decoder(lists[row])


def _typed(hint: Any, value: Any, known: dict[Any, Any]) -> Any:
    """A type with `value` for Any, and rows for classes of graphs."""
    if hint is Any:
        return value
    if hint in known:
        return known[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if not parts:
        return hint
    inner = tuple(each if each is ... else _typed(each, value, known) for each in parts)
    return Union[inner] if origin in {Union, UnionType} else origin[inner]  # noqa: UP007


def _tuples(value: Any) -> Any:
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([_tuples(each) for each in value])
    return value
