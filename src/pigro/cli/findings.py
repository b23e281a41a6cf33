"""What the replays of `validate-witness` and `compose --replay` found, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pigro.cli.destination import write_stdout
from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Word = Literal["right", "wrong", "no evidence", "not judged"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of one result of a file, or of another text in it."""

    word: Word
    about: str
    """The verdict with the formula, or which other text it is."""
    problem: str | None = None
    """What is wrong."""
    counts_against: bool = False
    """Whether the file says something that is wrong or not shown."""


def result_finding(
    formula: str, verdict: str, problem: str | None, *, has_evidence: bool = True
) -> Finding:
    """The finding about a result; without evidence only an unknown verdict is fine."""
    about = f"{printable(verdict)}  {printable(formula, len(formula))}"
    if problem is not None:
        return Finding("wrong", about, problem, counts_against=True)
    if has_evidence:
        return Finding("right", about)
    return Finding("no evidence", about, counts_against=verdict != "unknown")


def wrong(about: str, problem: str) -> Finding:
    """The finding that a text which is no result is wrong."""
    return Finding("wrong", about, problem, counts_against=True)


def not_judged(what: str, results: int) -> Iterator[Finding]:
    """The finding that some results tell what can't be judged, if some do."""
    if results:
        yield Finding("not judged", f"{what}, in {results:,} of the results")


def tell(found: Iterable[Finding]) -> int:
    """Writes all findings; returns the exit code: 1 if something counts against the file."""
    against = 0
    for each in found:
        against += each.counts_against
        write_stdout(f"{each.word}  {each.about}\n")
        if each.problem is not None:
            write_stdout(f"       {each.problem}\n")
    return int(against > 0)
