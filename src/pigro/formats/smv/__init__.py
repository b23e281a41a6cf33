"""`.smv` files: modules in the language of NuSMV, with calls and exits (docs/formats/smv.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.formats.smv.document import SmvDocument, StatedFormula
from pigro.formats.smv.writer import statable, write
from pigro.limits import no_poll
from pigro.model.choices import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model.space import Model

__all__ = [
    "Document",
    "SmvDocument",
    "StatedFormula",
    "formula",
    "read",
    "requirements",
    "statable",
    "write",
]

Document = SmvDocument
"""The name by which `formats/registry.py` finds the documents of a format."""


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = no_poll,
) -> Model:
    """The model in an `.smv` file's bytes, with the labels of its DEFINEs and SPECs."""
    document = SmvDocument(data, source=source, poll=poll)
    return document.model(semantics=semantics, dead_ends=dead_ends, poll=poll)


def requirements(data: bytes, *, source: str | None = None) -> list[StatedFormula]:
    """The SPECs of a file. Each is about `model.with_initial(requirement.initial)`."""
    document = SmvDocument(data, source=source)
    return document.requirements(document.model())


def formula(text: str, document: SmvDocument) -> Formula:
    """A formula over variables, about the models that `document` makes."""
    return document.formula(text)
