"""Spelling hints for names that do not exist."""

from __future__ import annotations

import time
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pigro.diagnostics.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 200


def close_matches(
    name: str, candidates: Iterable[str], *, most: int = 3, seconds: float = 0.01
) -> list[str]:
    """The candidates most like `name`, best first; looks for at most `seconds`."""
    if len(name) > _LONGEST:  # comparing takes quadratic time
        return []
    deadline = time.perf_counter() + seconds
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    scored = set[tuple[float, str]]()
    for candidate in candidates:
        if time.perf_counter() > deadline:
            break
        if abs(len(candidate) - len(name)) > max(2, len(name) // 3):
            continue
        matcher.set_seq1(candidate)
        if (
            matcher.real_quick_ratio() > 0.7
            and matcher.quick_ratio() > 0.7
            and (ratio := matcher.ratio()) > 0.7
        ):
            scored.add((-ratio, candidate))
    return [candidate for _, candidate in sorted(scored)[:most]]


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A hint such as `did you mean "main"?`, or None when nothing is close.

    >>> did_you_mean("mian", ["main", "helper"])
    'did you mean "main"?'
    """
    found = close_matches(name, candidates)
    if not found:
        return None
    return "did you mean " + " or ".join(f'"{printable(each)}"' for each in found) + "?"
