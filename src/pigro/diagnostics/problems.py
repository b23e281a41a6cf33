"""Several errors at once, so that one run tells all that is wrong with the input."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.diagnostics.errors import InternalError, PigroError

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(eq=False)
class InputProblems(Exception):
    """All that is wrong with the input."""

    errors: list[PigroError] = field(default_factory=list)

    def add(self, error: PigroError) -> None:
        """One more. A fault of Pigro's own is no problem of the input and is raised."""
        if isinstance(error, InternalError):
            raise error
        self.errors.append(error)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Goes on after an error in the body, and keeps it."""
        try:
            yield
        except PigroError as error:
            self.add(error)

    def raise_if_any(self) -> None:
        """Ends the run if anything is wrong."""
        if self.errors:
            raise self
