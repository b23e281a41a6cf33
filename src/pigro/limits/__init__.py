"""How much time and memory a run may take: `Limits` says it, and a `Budget` watches over it.

One budget goes through all stages of a run, from reading the input to writing the results. Layers
that need no more than to be ended get its `poll`, a function without arguments.
"""

from pigro.limits.budget import (
    OVER,
    Budget,
    KilledBySystem,
    OutOfMemory,
    OutOfTime,
    Poll,
    budget_of,
    interrupt_in,
    shared_by_all,
    tick_of,
    unwatched,
    watched,
)
from pigro.limits.limits import NO_LIMITS, Limits, require_jobs

__all__ = [
    "NO_LIMITS",
    "OVER",
    "Budget",
    "KilledBySystem",
    "Limits",
    "OutOfMemory",
    "OutOfTime",
    "Poll",
    "budget_of",
    "interrupt_in",
    "require_jobs",
    "shared_by_all",
    "tick_of",
    "unwatched",
    "watched",
]
