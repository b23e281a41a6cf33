"""A fixed piece of work that is timed beside every run, to tell a slow machine from a slow Pigro.

It loops in Python and goes through memory, for some milliseconds. Who compares runs of two days
divides their times by the yardstick's, because the machine may have been busy on one of them.
"""

from __future__ import annotations

import hashlib
import time

KEY = "yardstick"
"""Its name among the details of an outcome. Microseconds."""
_STEPS = 30_000
_BYTES = bytes(2_000_000)


def microseconds() -> float:
    """How long the work takes now."""
    began = time.perf_counter()
    total = 0
    for step in range(_STEPS):
        total += step & 7
    hashlib.blake2b(_BYTES).digest()
    assert total > 0, "the loop ran"
    return (time.perf_counter() - began) * 1e6
