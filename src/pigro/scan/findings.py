"""What a scan finds, as data: the seam to all renderings.

A `ScanReport` has findings in order of file, line and rule, and the files that could not be read.
The same sources and rules give the same report, whatever the hash seed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pigro.diagnostics import InputError
    from pigro.sources.graph import At


@dataclass(frozen=True, slots=True)
class FindingStep:
    """A step of the run that shows a finding."""

    file: str
    at: At
    """Lines from 1, columns in bytes from 0, as `ast` counts them."""
    function: str
    depth: int
    """How many calls are open: 0 in the function of the finding."""
    note: str = ""
    """What happens here, if it matters."""
    is_decisive: bool = False
    is_uncertain: bool = False
    """Whether the run only goes this way if code that is not known raises."""
    is_leaving: bool = False
    """Whether it only leaves a `with`. Its place is the first line of the `with`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One place to mend."""

    rule: str
    severity: str
    file: str
    at: At
    function: str
    message: str
    grade: str
    """How certain the run is, or how it ends: `return`, `handled`, `raise`, `mayraise`, ..."""
    formula: str
    steps: tuple[FindingStep, ...] = ()
    line_text: str = ""
    """The source line, for fingerprints."""
    harm: str = ""
    """Whether it stays, or lasts until an object is collected. Empty if the rule does not say."""
    also: tuple[tuple[str, At], ...] = ()
    """Other sites that lead to the same fault: this finding is about them, too."""

    @property
    def line(self) -> int:
        """The line of the finding."""
        return self.at[0]


@dataclass(slots=True)
class ScanStatistics:
    """The files and functions that were looked at."""

    files: int = 0
    lines: int = 0
    functions: int = 0
    nodes: int = 0
    calls: int = 0
    unknown_calls: int = 0
    outside_calls: int = 0
    """Calls of functions that are known by name, but not among the files."""
    sites: dict[str, int] = field(default_factory=dict)
    """By rule: the places that were asked about."""
    model_nodes: int = 0
    verified: int = 0
    """Certificates that were checked."""

    def rows(self) -> list[tuple[str, str]]:
        """Names and values, for people."""
        followed = self.calls - self.unknown_calls - self.outside_calls
        rows = [
            ("files", f"{self.files:,}"),
            ("lines", f"{self.lines:,}"),
            ("functions", f"{self.functions:,}"),
            ("nodes of graphs", f"{self.nodes:,}"),
            ("calls", f"{self.calls:,}"),
            ("calls into the scanned files", self._share(followed)),
            ("calls into code that was not scanned", self._share(self.outside_calls)),
            ("calls whose target is unknown", self._share(self.unknown_calls)),
            ("nodes of models", f"{self.model_nodes:,}"),
        ]
        if self.verified:
            rows.append(("certificates checked", f"{self.verified:,}"))
        return [*rows, *((f"sites of {each}", f"{self.sites[each]:,}") for each in self.sites)]

    def _share(self, calls: int) -> str:
        """A number of calls, and its share of all."""
        return f"{calls:,} ({100 * calls / self.calls:.0f} %)" if self.calls else "0"


@dataclass(slots=True)
class ScanReport:
    """The outcome of a scan."""

    findings: list[Finding]
    errors: list[InputError]
    statistics: ScanStatistics
    unfinished: list[str] = field(default_factory=list)
    """Rules that were not checked to the end, because a limit was reached."""
