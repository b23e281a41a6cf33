"""What a file of parts holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.diagnostics import PigroError, Position
    from pigro.formats.registry import Requirement
    from pigro.model.lazy.part import GivenPart


@dataclass(frozen=True, slots=True)
class PartsFile:
    """Parts, and what the file says about them."""

    parts: tuple[GivenPart, ...]
    compose: tuple[str, ...] | None = None
    """The names of parts to compose, some maybe from other files. None: it does not say."""
    formulas: tuple[Requirement, ...] = ()
    """What to check, with text and line."""
    faults: tuple[PigroError, ...] = ()
    """The errors of formulas that the file states and that are left out."""
    source: str | None = None
    compose_at: Position | None = None
    """Where it says what to compose."""
    types: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Of parts with variables, by name: the values of each of them."""
