"""Tables of findings: as text, as Markdown, and cells that read well."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.render.tables import table as aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.findings import CaseResult

_IN_A_LANGUAGE = ("formula", "command")
"""Names of columns."""
_OVER = {"timeout": "time", "memout": "memory", "error": "error", "wrong": "wrong"}


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A title, a name for documents, and cells as texts."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def without_blanks(self) -> StudyTable:
        """The same without columns in which there is nothing."""
        kept = [place for place in range(len(self.columns)) if any(row[place] for row in self.rows)]
        columns = tuple(self.columns[place] for place in kept)
        rows = tuple(tuple(row[place] for place in kept) for row in self.rows)
        return replace(self, columns=columns, rows=rows)

    @property
    def text(self) -> str:
        """For a terminal."""
        right = range(1, len(self.columns))
        return f"{self.title}\n\n{aligned([self.columns, *self.rows], right)}"

    @property
    def csv(self) -> str:
        """A data file, with the cells as they are shown."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([self.columns, *self.rows])
        return out.getvalue()

    @property
    def markdown(self) -> str:
        """For a document, without the title. Formulas and the like are marked as code."""
        as_code = [column in _IN_A_LANGUAGE for column in self.columns]
        marked = (
            (
                f"`{cell}`" if code and cell else cell
                for cell, code in zip(row, as_code, strict=True)
            )
            for row in self.rows
        )
        lines = [self.columns, ["---"] * len(self.columns), *marked]
        return "".join(f"| {' | '.join(map(_escaped, line))} |\n" for line in lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", r"\|")


def amount_of_time(seconds: float | None) -> str:
    """Three digits, with a unit.

    >>> amount_of_time(0.01234), amount_of_time(2.5), amount_of_time(0.0000042), amount_of_time(754)
    ('12.3 ms', '2.5 s', '4.2 µs', '754 s')
    """
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds / 1e-6)} µs"


def _three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def amount_of_memory(size: int | None) -> str:
    """In MB, or GB from a thousand on.

    >>> amount_of_memory(45_400_000), amount_of_memory(2_270_000_000)
    ('45 MB', '2.27 GB')
    """
    if size is None:
        return ""
    return f"{size / 1e9:.3g} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def count(value: float | None) -> str:
    """With commas."""
    return "" if value is None else f"{value:,.0f}"


def ratio(slow: float | None, fast: float | None) -> str:
    """How many times as long, to two or three digits.

    >>> ratio(12.0, 1.5), ratio(3000.0, 0.02), ratio(None, 1.0)
    ('8', '150,000', '')
    """
    if slow is None or not fast:
        return ""
    times = slow / fast
    return f"{times:,.0f}" if times >= 100 else f"{times:.2g}"


def undecided(results: Sequence[CaseResult]) -> str:
    """How many cases were not decided. Nothing if none was asked."""
    return count(sum(not each.decided for each in results)) if results else ""


def time_of(result: CaseResult | None) -> str:
    """The median time with its spread, or why there is none: `time`, `memory`, `error`."""
    if result is None:
        return ""
    if not result.decided:
        return _OVER[result.word]
    spread = result.spread
    return amount_of_time(result.seconds) + ("" if spread is None else f" ±{spread:.0%}")
