"""Whatever programs hand over as arrays, as the buffers that the native core reads in place."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping

_INT32 = array("i").itemsize == 4  # true on every platform that CPython 3.11 runs on


def as_ids(values: object, what: str) -> memoryview:
    """A contiguous view of 32-bit integers; copies only what is not one already."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
    except TypeError:
        return memoryview(_copy(values, what))
    if view.ndim == 1 and view.format in ("i", "l") and view.itemsize == 4 and view.c_contiguous:
        return view.cast("B").cast("i") if len(view) else memoryview(array("i"))
    return memoryview(_copy(view, what))


def as_bytes(values: object, what: str) -> memoryview:
    """A contiguous view of bytes."""
    try:
        view = memoryview(values)  # type: ignore[arg-type]
        if view.itemsize == 1 and view.ndim == 1 and view.c_contiguous:
            return view.cast("B")
        return memoryview(bytes(view.tolist()))
    except (TypeError, ValueError):
        pass
    try:
        return memoryview(bytes(values))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise ModelError("P212", f"{what} are no bytes") from None


def as_rows(rows: Mapping[str, object]) -> tuple[memoryview, memoryview]:
    """Offsets and joined values of several id arrays."""
    offsets = array("i", [0])
    joined = array("i")
    for name, values in rows.items():
        if isinstance(values, list):
            joined.extend(_copy(values, f'nodes of label "{name}"') if len(values) > 1 else values)
        else:
            joined.frombytes(as_ids(values, f'nodes of label "{name}"').cast("B"))
        offsets.append(len(joined))
    return memoryview(offsets), memoryview(joined)


def _copy(values: object, what: str) -> array[int]:
    try:
        return array("i", values)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ModelError("P212", f"{what} are no integers") from None
    except OverflowError:
        raise ModelError("P213", f"{what} need more than 32 bits") from None
