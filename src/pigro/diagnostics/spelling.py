"""Spelling hints for names that do not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

_EFFORT = 100_000
"""Pairs of letters compared at most, about 10 ms. A hint is not worth more."""
_LOOK = 10
"""What it costs to see that two names are not alike at all."""


def close_matches(
    name: str, candidates: Iterable[str], *, most: int = 3, effort: int = _EFFORT
) -> list[str]:
    """The candidates most like `name`, best first, of those that `effort` lasts for."""
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(name)
    scored = set[tuple[float, str]]()
    for candidate in candidates:
        effort -= _LOOK
        if effort < 0:
            break
        if abs(len(candidate) - len(name)) > max(2, len(name) // 3):
            continue
        matcher.set_seq1(candidate)
        if matcher.real_quick_ratio() <= 0.7 or matcher.quick_ratio() <= 0.7:
            continue
        effort -= len(name) * len(candidate)
        if effort >= 0 and (ratio := matcher.ratio()) > 0.7:
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
