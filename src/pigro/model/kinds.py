"""The kinds of subjects: what can be checked."""

from __future__ import annotations

from enum import StrEnum


class SubjectKind(StrEnum):
    """A kind of subject. Each class of subjects has its kind in the class attribute `kind`."""

    MODEL = "model"
    COMPOSITION = "composition"
