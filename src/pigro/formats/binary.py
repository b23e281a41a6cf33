"""`.pigro` files: models as bytes (docs/formats/binary.md), for loading fast.

The layout is in model/binary, because a pickled model is the same bytes. Here errors get the name
of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, PigroError, Position
from pigro.formats.text import unencodable
from pigro.limits import no_poll
from pigro.model.binary.packing import pack, packed_formulas, unpack
from pigro.model.choices import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.choices import Semantics

__all__ = ["read", "requirements", "statable", "write"]


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str | None = None,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = no_poll,
) -> RSM:
    """The model in a `.pigro` file's bytes. It is read as the file says where nothing is given."""
    poll()
    try:
        model = unpack(data, semantics=semantics, dead_ends=dead_ends, source=source, poll=poll)
        model = model.as_read()
        return model.without_dead_ends() if model.dead_ends is DeadEnds.ERROR else model
    except (InputError, ModelError) as error:
        error.position = Position(source=source)
        raise


def requirements(
    data: bytes, *, source: str | None = None, model: RSM | None = None
) -> list[Requirement]:
    """The formulas that the file states. `model` is the one that was read from it."""
    from pigro.formats import rsm_json

    try:
        found = packed_formulas(data)
        model = read(data, source=source) if model is None else model
        return rsm_json.requirements(found, model=model) if found else []
    except PigroError as error:
        error.position = Position(source=source)
        raise


def statable(model: RSM, formulas: Iterable[Requirement]) -> list[Requirement]:
    """The formulas that a file can have."""
    from pigro.formats import rsm_json

    return rsm_json.statable(model, formulas)


def write(model: RSM, formulas: Sequence[Requirement] = (), *, poll: Poll = no_poll) -> bytes:
    """The model as a `.pigro` file, without its conditions.

    Reading it again in the same way gives an equal model, apart from these. The formulas are some
    of those that `statable` gives. Ending states of the semantics `rmv` are written too, so the
    standard semantics gives the same verdicts.
    """
    try:
        poll()
        stated = _packed(model, formulas) if formulas else b""
        return pack(model, formulas=stated, is_file=True)
    except UnicodeEncodeError as error:
        raise unencodable(error) from None


def _packed(model: RSM, formulas: Sequence[Requirement]) -> bytes:
    import msgspec

    from pigro.formats import rsm_json

    return msgspec.json.encode(rsm_json.stated(model, formulas))
