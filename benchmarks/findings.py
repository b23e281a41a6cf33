"""Runs read back: medians and spreads of each case, and where runners disagree."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.case import VERDICTS, Case, Measurement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.case import At, Coordinate, Place


@dataclass(frozen=True, slots=True)
class CaseResult:
    """All runs of a case. The first of several runs is for warming up and is not counted."""

    case: Case
    runs: tuple[Measurement, ...]

    @property
    def last(self) -> Measurement:
        """The run that stands for all where they are alike."""
        return self.runs[-1]

    @property
    def word(self) -> str:
        """What came out."""
        return self.last.word

    @property
    def decided(self) -> bool:
        """Whether something came out."""
        return self.last.decided

    @property
    def counted(self) -> Sequence[Measurement]:
        """The runs without the one to warm up."""
        return self.runs[1:] or self.runs

    def times(self, what: str = "seconds") -> list[float]:
        """Seconds of the counted runs: `seconds`, `load_seconds` or `whole_seconds`."""
        found = [getattr(each, what) for each in self.counted if each.decided]
        return [each for each in found if each is not None]

    @property
    def seconds(self) -> float | None:
        """The median time for checking, if the case was decided."""
        return median(self.times()) if self.decided and self.times() else None

    @property
    def load_seconds(self) -> float | None:
        """The median time for loading, of those runs that did load, the first included."""
        found = [each.load_seconds for each in self.runs if each.load_seconds is not None]
        return median(found) if found else None

    @property
    def whole_seconds(self) -> float | None:
        """The median time on the clock, for everything."""
        found = self.times("whole_seconds")
        return median(found) if found else None

    @property
    def spread(self) -> float | None:
        """Half the distance of the quartiles, in parts of the median. None for a single run."""
        found = self.times()
        if len(found) < 2 or median(found) == 0:
            return None
        low, _, high = quantiles(found, n=4, method="inclusive")
        return (high - low) / 2 / median(found)

    @property
    def peak_memory(self) -> int | None:
        """The largest peak."""
        found = [each.peak_memory for each in self.runs if each.peak_memory is not None]
        return max(found) if found else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Runners that were asked the same and answered differently."""

    place: Place
    answers: tuple[tuple[str, str], ...]
    """Runner and word."""


def slowest_of(results: Iterable[CaseResult]) -> float | None:
    """The longest of the median times. None if nothing was decided."""
    return max((each.seconds for each in results if each.seconds is not None), default=None)


class ResultSet:
    """The results of one suite or several."""

    def __init__(self, runs: Iterable[tuple[Case, Measurement]]) -> None:
        """Runs of a case come in the order in which they were made."""
        found: dict[str, tuple[Case, list[Measurement]]] = {}
        for case, outcome in runs:
            found.setdefault(case.key, (case, []))[1].append(outcome)
        self._results = [CaseResult(case, tuple(each)) for case, each in found.values()]

    def of(self, suite: str) -> ResultSet:
        """Those of one suite."""
        part = ResultSet([])
        part._results = [each for each in self._results if each.case.suite == suite]
        return part

    def __iter__(self) -> Iterator[CaseResult]:
        """All results, in the order in which cases were first run."""
        return iter(self._results)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._results)

    def where(self, runner: str | None = None, **at: Coordinate) -> list[CaseResult]:
        """The results with these coordinates, and of this runner."""
        wanted = at.items()
        return [
            each
            for each in self._results
            if (runner is None or each.case.runner == runner)
            and wanted <= dict(each.case.at).items()
        ]

    def one(self, runner: str, **at: Coordinate) -> CaseResult | None:
        """The result with these coordinates, if there is one."""
        found = self.where(runner, **at)
        return found[0] if found else None

    def values(self, name: str) -> list[Coordinate]:
        """The values of a coordinate, in the order in which they first occur."""
        found = (dict(each.case.at).get(name) for each in self._results)
        return list(dict.fromkeys(each for each in found if each is not None))

    def ratios(self, slow: str, fast: str) -> dict[At, float]:
        """How many times as long one runner took as another, where both decided."""
        times = {each.case.at: each.seconds for each in self.where(fast)}
        found = {}
        for result in self.where(slow):
            least = times.get(result.case.at)
            if least and result.seconds is not None:
                found[result.case.at] = result.seconds / least
        return found

    def disagreements(self) -> list[Disagreement]:
        """Where verdicts on the same question differ, between runners or runs."""
        said: dict[Place, dict[tuple[str, str], None]] = defaultdict(dict)
        for result in self._results:
            for outcome in result.runs:
                if outcome.word in VERDICTS:
                    said[result.case.place][result.case.runner, outcome.word] = None
                elif "verdicts" in outcome.details:
                    verdicts = f"verdicts {outcome.details['verdicts']}"
                    said[result.case.place][result.case.runner, verdicts] = None
        return [
            Disagreement(place, tuple(answers))
            for place, answers in said.items()
            if len({word for _, word in answers}) > 1
        ]
