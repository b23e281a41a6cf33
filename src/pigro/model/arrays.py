"""Whatever programs hand over as arrays, as the buffers that the native core reads in place."""

from __future__ import annotations

from array import array
from contextlib import suppress
from itertools import accumulate, chain
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias

from pigro.diagnostics import ModelError, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    Ints: TypeAlias = array[int]
else:
    Ints = array  # which has no parameters before Python 3.12


def as_ids(values: object, what: str) -> memoryview:
    """A contiguous view of 32-bit integers. Copies only if it is not one already."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except TypeError:
        return memoryview(_copy(values, what))
    if view.ndim == 1 and view.format in ("i", "l") and view.itemsize == 4 and view.c_contiguous:
        return view.cast("B").cast("i") if view.nbytes else memoryview(array("i"))
    return memoryview(_copy(_items(view, what), what))


def as_bytes(values: object, what: str) -> memoryview:
    """A contiguous view of bytes."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except TypeError:
        items = values
    else:
        if view.ndim == 1 and view.format in ("B", "b", "?", "c") and view.c_contiguous:
            return view.cast("B")
        items = _items(view, what)
    try:
        return memoryview(bytearray(iter(items)))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ModelError("P212", f"{what} must be bytes, one for each node") from None


def as_rows(rows: Mapping[str, object]) -> tuple[memoryview, memoryview]:
    """Offsets and joined values of several id arrays."""
    if all(type(values) is list for values in rows.values()):
        with suppress(TypeError, OverflowError):  # below, the row that raised it is named
            return _join_lists(rows)  # type: ignore[arg-type]
    offsets = array("i", [0])
    joined = array("i")
    for name, values in rows.items():
        joined.frombytes(as_ids(values, f'nodes of label "{printable(name)}"').cast("B"))
        offsets.append(len(joined))
    return memoryview(offsets), memoryview(joined)


def array_view(name: str, content: bytes | memoryview) -> memoryview:
    """The bytes of an array as the native core takes them."""
    view = memoryview(content)
    if name == "node_flags":
        return view
    return view.cast("i") if view.nbytes else memoryview(array("i"))


def for_pickle(row: object, protocol: SupportsIndex) -> object:
    """A buffer as pickles hold it: out of band where the protocol can do that."""
    if index(protocol) < 5:
        return bytes(memoryview(row))  # type: ignore[arg-type]
    from pickle import PickleBuffer

    return PickleBuffer(row)  # type: ignore[arg-type]


def _join_lists(rows: Mapping[str, list[int]]) -> tuple[memoryview, memoryview]:
    offsets = array("i", accumulate(map(len, rows.values()), initial=0))
    return memoryview(offsets), memoryview(array("i", chain.from_iterable(rows.values())))


def _items(view: memoryview, what: str) -> list[int]:
    """What a buffer holds, element by element."""
    try:
        if view.ndim == 1:
            return view.tolist()
    except NotImplementedError:
        pass
    raise ModelError("P212", f"{what} must be a flat array of integers, in native byte order")


def _copy(values: object, what: str) -> array[int]:
    try:
        return array("i", iter(values))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ModelError("P212", f"{what} must be integers") from None
    except OverflowError:
        raise ModelError("P213", f"{what} must fit into 32 bits") from None
