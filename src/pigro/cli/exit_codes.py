"""The exit codes, a contract with scripts."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from pigro.cli.stopping import Terminated

if TYPE_CHECKING:
    from pigro.session.request import Outcome


class Exit(IntEnum):
    """How a run ended."""

    HOLDS = 0
    FAILS = 1
    BAD_INPUT = 2
    NO_VERDICT = 3
    INTERNAL = 4
    INTERRUPTED = 130
    TERMINATED = 143
    """As if ended by SIGTERM, but with the verdicts that there were."""
    READER_GONE = 141
    """Nobody reads standard output any more; as if ended by SIGPIPE."""


def interrupted(by: BaseException | None) -> Exit:
    """The code for a run that a signal ended."""
    return Exit.TERMINATED if isinstance(by, Terminated) else Exit.INTERRUPTED


def exit_of(outcome: Outcome) -> Exit:
    """The code for finished checks.

    Interrupted outranks an internal error, which outranks every verdict; a failing formula outranks
    one without verdict.
    """
    if outcome.is_interrupted:
        return interrupted(outcome.stopped_by)
    if outcome.is_fault:
        return Exit.INTERNAL
    words = {verdict.word for verdict in outcome.verdicts}
    if "fails" in words:
        return Exit.FAILS
    return Exit.NO_VERDICT if "unknown" in words or not outcome.is_complete else Exit.HOLDS
