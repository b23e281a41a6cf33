"""`.pds` files: pushdown systems of the model checker PuMoC (docs/formats/pushdown.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.formats.pds.grammar import parse
from pigro.formats.pds.translate import PushdownTranslation, translate
from pigro.limits import no_poll
from pigro.model.choices import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model import RSM

__all__ = ["PushdownTranslation", "parse", "read", "translate", "write"]


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    translation: PushdownTranslation | str = PushdownTranslation.AUTO,
    poll: Poll = no_poll,
) -> RSM:
    """The model in a `.pds` file's bytes.

    `translation` is `split` (a component for each procedure), `general` (for any system) or `auto`.
    """
    return translate(
        parse(data, source=source, poll=poll),
        translation=translation,
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        poll=poll,
    )


def write(model: RSM, *, poll: Poll = no_poll) -> bytes:
    """The model as a `.pds` file (writing.py)."""
    from pigro.formats.pds import writing

    return writing.write(model, poll)
