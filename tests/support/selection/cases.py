"""How many random cases a test compares, and where their seeds begin.

`make test` compares few cases, a tenth, and others each day. `make test-all` compares all, and the same
ones each day, so that two commits can be compared. `PIGRO_CASES` is `few` or `all`. `PIGRO_SEED` chooses other
seeds; a run that fails prints its own.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FEW_CASES = os.environ.get("PIGRO_CASES", "few") != "all"
"""Whether only a part of the cases is compared. Then rare kinds of cases may be missing."""
SHARE = 10 if FEW_CASES else 1
SEED = int(os.environ.get("PIGRO_SEED") or (f"{datetime.now(UTC):%Y%m%d}" if FEW_CASES else "0"))
START = 100_000 * SEED
"""The first seed: seeds of different days have nothing in common."""


def number_of_cases(variable: str, number: int, *, least: int = 20) -> int:
    """How many cases to compare: `number`, or a tenth of it, or what the variable says."""
    return int(os.environ.get(variable) or min(number, max(number // SHARE, least)))


def seeds(number: int, chunk: int = 0, chunks: int = 1) -> range:
    """The seeds of so many cases, or one of several chunks of them."""
    return range(START + chunk, START + number, chunks)


def first_seed(variable: str) -> int:
    """Where the seeds of a test begin whose variable chooses them."""
    return int(os.environ.get(variable) or START)


def covers(found: Iterable[object], wanted: set[object]) -> bool:
    """Whether the cases were of all kinds that are wanted, and of no other. Few may lack some."""
    kinds = set(found)
    return kinds <= wanted if FEW_CASES else kinds == wanted
