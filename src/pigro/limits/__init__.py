"""How much time and memory a run may take: `Limits` says it, and a `Budget` watches over it.

One budget goes through all stages of a run, from reading the input to writing the results. Layers
that need no more than to be ended get its `poll`, a function without arguments.
"""

from pigro.limits.budget import (
    LIMIT_ERRORS,
    Budget,
    KilledBySystem,
    OutOfMemory,
    OutOfTime,
    Poll,
    budget_of,
    interrupt_in,
    no_poll,
    shared_by_all,
    tick_of,
    watched,
)
from pigro.limits.limits import NO_LIMITS, Limits, require_jobs

__all__ = [
    "LIMIT_ERRORS",
    "NO_LIMITS",
    "Budget",
    "KilledBySystem",
    "Limits",
    "OutOfMemory",
    "OutOfTime",
    "Poll",
    "budget_of",
    "interrupt_in",
    "no_poll",
    "require_jobs",
    "shared_by_all",
    "tick_of",
    "watched",
]
