"""Folders whose tests all have the mark of a selection."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
LONG = ("benchmarks", "browser", "study")
RANDOM = ("property",)


def mark_of(file: Path) -> str | None:
    """`long`, `random`, or None if the file's own marks decide."""
    if any(file.is_relative_to(TESTS / folder) for folder in LONG):
        return "long"
    return "random" if any(file.is_relative_to(TESTS / folder) for folder in RANDOM) else None
