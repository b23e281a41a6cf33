"""The kinds of subjects: what can be checked."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """A kind of subject. Each class of subjects has its kind in the class attribute `kind`."""

    MODEL = "model"
    COMPOSITION = "composition"
    SYSTEM = "system"
    """A Python object with `initial`, `successors` and `labels`."""


def kind_of(subject: object) -> Kind:
    """The kind of a subject. An object that does not say so is a system."""
    kind = getattr(subject, "kind", None)
    return kind if isinstance(kind, Kind) else Kind.SYSTEM
