"""Compares the runs of two sessions, and says what became slower beyond noise.

Times are divided by the yardstick of their own session, which was timed by turns with the runs.
Counts are exact, so that every difference is told. Noise is what the runs of a case differ among
themselves, in both sessions, and at least a tenth. The noise of a single short run is not known,
so only its counts are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.running import PATIENCE
from benchmarks.tables import StudyTable, amount_of_time
from benchmarks.yardstick import KEY

if TYPE_CHECKING:
    from benchmarks.case import Case
    from benchmarks.findings import CaseResult, ResultSet

LEAST_NOISE = 0.1
LONG_NOISE = 0.5
"""Of a case that takes so long that it was run once."""
TOO_SHORT = 1e-4
"""Seconds. A difference below this is noise, however many times as long it is."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case that was measured in both sessions."""

    case: Case
    then: float
    now: float
    """Median seconds, as measured."""
    times: float
    """How many times as long as then, by the yardstick."""
    noise: float
    """The part of the time by which runs differ anyway."""

    @property
    def is_slower(self) -> bool:
        """Whether it takes longer beyond noise."""
        return self.times > 1 + self.noise and (self.times - 1) * self.then > TOO_SHORT

    @property
    def is_faster(self) -> bool:
        """Whether it takes less time beyond noise."""
        return self.times < 1 / (1 + self.noise) and (1 - self.times) * self.then > TOO_SHORT


@dataclass(frozen=True, slots=True)
class Counted:
    """A count or a verdict that is not what it was."""

    case: Case
    what: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of the cases that both sessions have."""

    changes: tuple[CaseChange, ...]
    counts: tuple[Counted, ...]
    unjudged: int
    """Cases whose times can't be compared: a single short run, or no verdict."""

    @property
    def slower(self) -> list[CaseChange]:
        """The cases that became slower, the worst first."""
        return sorted(
            (each for each in self.changes if each.is_slower), key=lambda each: -each.times
        )

    @property
    def faster(self) -> list[CaseChange]:
        """The cases that became faster, the best first."""
        return sorted(
            (each for each in self.changes if each.is_faster), key=lambda each: each.times
        )

    def tables(self) -> list[StudyTable]:
        """What changed: times, and then counts."""
        rows = tuple(
            (
                str(each.case), amount_of_time(each.then), amount_of_time(each.now),
                f"{each.times:.2f}", f"{each.noise:.0%}",
            )
            for each in (*self.slower, *self.faster)
        )  # fmt: skip
        columns = ("case", "then", "now", "times as long", "noise")
        counts = tuple((str(each.case), each.what, each.then, each.now) for each in self.counts)
        found = [StudyTable("against", "Times that changed beyond noise", columns, rows)]
        if counts:
            of_counts = ("case", "count", "then", "now")
            found.append(StudyTable("against-counts", "Counts that changed", of_counts, counts))
        return found

    @property
    def summary(self) -> str:
        """One line."""
        total, slower, faster = len(self.changes), len(self.slower), len(self.faster)
        single = f" (not counting {self.unjudged:,} without times to compare)"
        return (
            f"of {total:,} cases measured then and now{single if self.unjudged else ''}, "
            f"{slower:,} are slower beyond noise, {faster:,} are faster, and "
            f"{len(self.counts):,} counts differ"
        )


def compare(now: ResultSet, then: ResultSet) -> Comparison:
    """The cases that both have, with other tools in the same version."""
    before = {each.case.key: each for each in then}
    pairs = [(each, before[each.case.key]) for each in now if each.case.key in before]
    found = [_change(new, old) for new, old in pairs]
    changes = tuple(each for each in found if each is not None)
    counts = tuple(each for new, old in pairs for each in _counts(new, old))
    return Comparison(changes, counts, len(found) - len(changes))


def _change(now: CaseResult, then: CaseResult) -> CaseChange | None:
    noises = [each for each in (_noise(now), _noise(then)) if each is not None]
    if not now.seconds or not then.seconds or len(noises) < 2:
        return None
    times = now.seconds / then.seconds / _slowness(now, then)
    return CaseChange(now.case, then.seconds, now.seconds, times, max(LEAST_NOISE, sum(noises)))


def _noise(result: CaseResult) -> float | None:
    """The distance of the quartiles in parts of the median. None if it can't be known."""
    if result.spread is not None:
        return 2 * result.spread
    return LONG_NOISE if (result.seconds or 0.0) > PATIENCE else None


def _slowness(now: CaseResult, then: CaseResult) -> float:
    """How many times as long the yardstick takes now. 1 if one of the sessions has none."""
    lengths = [
        [float(each.details[KEY]) for each in result.counted if KEY in each.details]
        for result in (now, then)
    ]
    return median(lengths[0]) / median(lengths[1]) if all(lengths) else 1.0


def _counts(now: CaseResult, then: CaseResult) -> list[Counted]:
    """Verdicts, contexts and visited nodes, where both are known."""
    pairs = (
        ("verdict", then.word, now.word),
        ("contexts", then.last.contexts, now.last.contexts),
        ("visited", then.last.visited, now.last.visited),
    )
    return [
        Counted(now.case, what, _text(old), _text(new))
        for what, old, new in pairs
        if old is not None and new is not None and old != new
    ]


def _text(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"
