"""What a suite is: its cases, how to run one, and how to report the findings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - decoding needs it
from typing import TYPE_CHECKING

from pigro.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.figure import Figure

    from benchmarks.case import Case, Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.tables import StudyTable


@dataclass(frozen=True, slots=True)
class StudyScope:
    """What a run of suites may use."""

    quick: bool = False
    """Small sizes only, for a first look."""
    files: Path | None = None
    """The folder with the models of other tools, if there is one."""
    peers: tuple[tuple[str, str], ...] = ()
    """Other tools to run beside Pigro: their names, and where they are."""
    versions: tuple[tuple[str, str], ...] = ()
    """Of these tools, for the record."""
    limits: Limits = field(default_factory=Limits)
    """For each run."""

    def peer(self, name: str) -> str | None:
        """Where another tool is, if it takes part."""
        return dict(self.peers).get(name)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: its file's name without suffix, its size in inches, and who draws it."""

    name: str
    size: tuple[float, float]
    draw: Callable[[Figure], None]


class Suite(ABC):
    """An experiment. Suites have no state: they are asked anew in each process.

    A case means the same as long as it has the same coordinates. If you change what a case
    runs, change them too, so that old runs are not taken for new ones.
    """

    name: str
    about: str
    """A line for the list of suites."""
    tools: tuple[str, ...] = ()
    """Names of other tools that it can run beside Pigro."""
    repeat: int = 5
    """How often a case is measured, besides a first run to warm up. 1: just once, without that."""

    @abstractmethod
    def cases(self, scope: StudyScope) -> Iterable[Case]:
        """What to measure, in order. Cases at the same place follow each other."""

    def skipped(self, scope: StudyScope) -> list[str]:
        """The cases that this scope leaves out, and why: a line each."""
        return []

    @abstractmethod
    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """Runs a case, in a process of its own, within the limits of the scope."""

    @abstractmethod
    def tables(self, found: ResultSet) -> list[StudyTable]:
        """The findings. There may be none at all, or a part of the cases."""

    def plots(self, found: ResultSet) -> list[Plot]:
        """The findings, as pictures."""
        return []

    def facts(self, found: ResultSet) -> dict[str, str]:
        """Single numbers for the text of the study, by name (after that of the suite)."""
        return {}
