"""Findings as JSON: `pigro.scan/1`, with a schema in the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.render.findings.excerpts import FileLines
from pigro.render.json import document_json
from pigro.scan.project.baseline import fingerprint

if TYPE_CHECKING:
    from pigro.scan.findings import Finding
    from pigro.scan.project.whole import ScanResult

SCAN: Final = "pigro.scan/1"


class FindingStepData(msgspec.Struct, forbid_unknown_fields=True):
    """A step of the run that shows a finding."""

    file: str
    line: int
    column: int
    """From 1, in characters."""
    function: str
    depth: int
    """How many calls are open. 0 in the function of the finding."""
    text: str
    """The source line, without the blanks around it."""
    note: str | UnsetType = UNSET
    decisive: bool | UnsetType = UNSET
    uncertain: bool | UnsetType = UNSET
    """The run only goes this way if code that is not known raises."""


class FindingData(msgspec.Struct, forbid_unknown_fields=True):
    """One place to mend."""

    rule: str
    severity: Literal["error", "warning", "note"]
    file: str
    """Relative to the working folder, if it is inside."""
    line: int
    column: int
    end_line: int
    end_column: int
    function: str
    message: str
    grade: str
    """How the run ends: `return`, `handled`, `raise`, `mayraise`, ..."""
    formula: str
    """The formula that fails."""
    fingerprint: str
    """The same for the same fault when other lines change: of rule, file, function, line text."""
    steps: list[FindingStepData]
    harm: Literal["stays", "until collected"] | UnsetType = UNSET
    """Whether it stays, or lasts until the interpreter collects the object."""


class FileError(msgspec.Struct, forbid_unknown_fields=True):
    """A file that could not be read."""

    code: str
    message: str
    file: str
    line: int | UnsetType = UNSET


class SitesData(msgspec.Struct, forbid_unknown_fields=True):
    """How many places a rule asked about."""

    rule: str
    count: int


class ScanStatisticsData(msgspec.Struct, forbid_unknown_fields=True):
    """The files and functions that were looked at."""

    files: int
    lines: int
    functions: int
    nodes: int
    calls: int
    unknown_calls: int
    """Calls that could lead anywhere."""
    outside_calls: int
    """Calls of functions that are known by name, but not among the files."""
    sites: list[SitesData]
    """The places that were asked about."""
    model_nodes: int


class NoticeData(msgspec.Struct, forbid_unknown_fields=True):
    """Something that the user should know, which is no finding."""

    message: str
    file: str | UnsetType = UNSET
    line: int | UnsetType = UNSET


class ScanData(msgspec.Struct, forbid_unknown_fields=True):
    """Findings of `pigro scan`."""

    schema: Literal["pigro.scan/1"]
    findings: list[FindingData]
    errors: list[FileError]
    notices: list[NoticeData]
    """For example comments that ignore nothing."""
    unfinished: list[str]
    """Rules that were not checked to the end, because a limit was reached."""
    ignored: int
    """How many findings comments ignore."""
    known: int
    """How many findings the baseline knows."""
    statistics: ScanStatisticsData


def scan_data(outcome: ScanResult) -> ScanData:
    """The document of a report."""
    sources, report = FileLines(), outcome.report
    found = report.statistics
    statistics = ScanStatisticsData(
        found.files, found.lines, found.functions, found.nodes, found.calls, found.unknown_calls,
        found.outside_calls, [SitesData(*each) for each in sorted(found.sites.items())],
        found.model_nodes,
    )  # fmt: skip
    errors = []
    for each in report.errors:
        where = each.position
        line = where.line if where is not None and where.line else UNSET
        file = (where.source if where is not None else None) or ""
        errors.append(FileError(each.code, each.message, file, line))
    notices = [
        NoticeData(each.message, each.file or UNSET, each.line or UNSET) for each in outcome.notices
    ]
    findings = [_finding(each, sources) for each in report.findings]
    return ScanData(
        SCAN, findings, errors, notices, report.unfinished, outcome.ignored, outcome.known,
        statistics,
    )  # fmt: skip


def render(outcome: ScanResult) -> bytes:
    """A report as indented JSON. Bytes in names that are not UTF-8 are escapes of surrogates."""
    return document_json(scan_data(outcome))


def _finding(finding: Finding, sources: FileLines) -> FindingData:
    at = finding.at
    _, first, last = sources.span(finding.file, at)
    if at[2] != at[0]:
        last = sources.columns(finding.file, at[2], at[3])
    steps = [
        FindingStepData(
            each.file,
            each.at[0],
            sources.span(each.file, each.at)[1] + 1,
            each.function,
            each.depth,
            sources.line(each.file, each.at[0]).strip(),
            each.note or UNSET,
            each.is_decisive or UNSET,
            each.is_uncertain or UNSET,
        )
        for each in finding.steps
    ]
    severity = finding.severity
    assert severity in {"error", "warning", "note"}
    return FindingData(
        finding.rule, severity, finding.file, at[0], first + 1, at[2], last + 1,  # type: ignore[arg-type]
        finding.function, finding.message, finding.grade, finding.formula,
        fingerprint(finding), steps, finding.harm or UNSET,  # type: ignore[arg-type]
    )  # fmt: skip
