"""What a run has to tell: the record that every renderer takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pigro.engines import Verdict
    from pigro.evidence.bundle import Bundle
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class Report:
    """A model, the verdicts on it in the order asked, and what a reader must know besides."""

    model: RSM
    verdicts: tuple[Verdict, ...]
    warnings: tuple[str, ...] = ()
    load_seconds: float | None = None
    statistics: bool = False
    """Also tell the model's statistics and the cost of each check."""
    texts: tuple[str, ...] = ()
    """What is told about each verdict, if that was written before; it may have evidence in it."""
    bundle: Bundle | None = None
    """Takes the evidence that is told in JSON, if any is."""
