"""`.pigro` files: models as bytes (docs/formats.md), for loading fast.

The layout is the model's (model/packing.py), because a pickled model is the same bytes; here files
get their name into errors.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, Position
from pigro.formats.text import unencodable
from pigro.limits import unwatched
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.packing import pack, unpack

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
        model = model.as_read()
        return model.without_dead_ends() if model.dead_ends is DeadEnds.ERROR else model
    except (InputError, ModelError) as error:
        error.position = Position(source=source)
        raise


def write(model: RSM) -> bytes:
    """The model as a `.pigro` file, without its conditions.

    Reading it again in the same way gives an equal model, apart from these. Ending states of the
    semantics `rmv` are written too, so the standard semantics gives the same verdicts.
    """
    try:
        positions = model.positions and model.positions.named(model.source)
        return pack(replace(model, positions=positions))
    except UnicodeEncodeError as error:
        raise unencodable(error) from None
