"""`.pigro` files: models as bytes (docs/formats.md), for loading fast.

The layout is in model/binary, because a pickled model is the same bytes. Here errors get the name
of the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from pigro.diagnostics import InputError, ModelError, PigroError, Position
from pigro.formats import rsm_json
from pigro.formats.rsm_json import statable
from pigro.formats.text import unencodable
from pigro.limits import unwatched
from pigro.model.binary.packing import pack, packed_formulas, unpack
from pigro.model.choices import DeadEnds, Semantics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll
    from pigro.model import RSM

__all__ = ["read", "requirements", "statable", "write"]


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = unwatched,
) -> RSM:
    """The model in a `.pigro` file's bytes."""
    poll()
    try:
        model = unpack(data, semantics=semantics, dead_ends=dead_ends, source=source)
        return model.without_dead_ends() if model.dead_ends is DeadEnds.ERROR else model
    except (InputError, ModelError) as error:
        error.position = Position(source=source)
        raise


def requirements(
    data: bytes, *, source: str | None = None, model: RSM | None = None
) -> list[Requirement]:
    """The formulas that the file states; `model` is the one that was read from it."""
    found = packed_formulas(data)
    model = read(data, source=source) if model is None else model
    try:
        return rsm_json.requirements(found, model=model) if found else []
    except PigroError as error:
        error.position = Position(source=source)
        raise


def write(model: RSM, formulas: Sequence[Requirement] = ()) -> bytes:
    """The model as a `.pigro` file, without its conditions.

    Reading it again in the same way gives an equal model, apart from these. The formulas are some
    of those that `statable` gives.
    """
    try:
        positions = model.positions and model.positions.named(model.source)
        listed = msgspec.json.encode(rsm_json.stated(model, formulas)) if formulas else b""
        return pack(replace(model, positions=positions), formulas=listed)
    except UnicodeEncodeError as error:
        raise unencodable(error) from None
