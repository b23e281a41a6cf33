"""Room for evidence: what is beyond the limits of a run is left out of its results, and told."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pigro.limits import OVER, unwatched

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Poll

T = TypeVar("T")


class Room:
    """Whether there is room for the evidence of verdicts, which are known by their numbers."""

    def __init__(self, poll: Poll = unwatched) -> None:
        self.poll = poll
        self.without: set[int] = set()
        """Verdicts that some evidence of is left out."""
        self._interrupt: KeyboardInterrupt | None = None
        self._is_closed = False

    def make(self, number: int, evidence: Callable[[], T]) -> T | None:
        """What `evidence` makes for a verdict; None beyond the limits, or if it is interrupted."""
        try:
            if not self._is_closed:
                self.poll()
                return evidence()
        except OVER:
            pass
        except KeyboardInterrupt as interrupt:
            self._is_closed, self._interrupt = True, interrupt
        self.without.add(number)
        return None

    def let_through(self) -> None:
        """Raises the interrupt that came while evidence was made: now, when the verdict is told."""
        interrupt, self._interrupt = self._interrupt, None
        if interrupt is not None:
            raise interrupt

    def close(self) -> None:
        """The run is interrupted: there is room for nothing more."""
        self._is_closed = True

    @property
    def warning(self) -> str | None:
        """What a reader of the results must know, if anything is left out."""
        count = len(self.without)
        if not count:
            return None
        verdicts = "1 verdict has" if count == 1 else f"{count:,} verdicts have"
        why = "to find it took more than the limits"
        return f"{verdicts} no evidence: {'the run was interrupted' if self._is_closed else why}"
