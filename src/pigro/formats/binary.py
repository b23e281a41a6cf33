"""`.pigro` files: models as bytes (docs/formats.md), for loading fast.

The layout is in model/binary, because a pickled model is the same bytes. Here errors get the name
of the file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, Position
from pigro.formats.text import unencodable
from pigro.limits import unwatched
from pigro.model.binary.packing import pack, unpack
from pigro.model.choices import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model import RSM


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


def write(model: RSM) -> bytes:
    """The model as a `.pigro` file, without its conditions.

    Reading it again in the same way gives an equal model, apart from these.
    """
    try:
        positions = model.positions and model.positions.named(model.source)
        return pack(replace(model, positions=positions))
    except UnicodeEncodeError as error:
        raise unencodable(error) from None
