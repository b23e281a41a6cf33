"""Findings as workflow commands of GitHub, which become annotations of a change.

Values are escaped as GitHub asks for, so no name or message can start another command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.render.findings.excerpts import FileLines
from pigro.render.findings.text import folded

if TYPE_CHECKING:
    from pigro.scan.findings import Finding
    from pigro.scan.project.whole import ScanResult

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
_MOST = 12
"""Steps of a run in an annotation."""


def render(outcome: ScanResult) -> bytes:
    """A line for each finding, and for each file that can't be read."""
    sources = FileLines()
    lines = [_line(each, sources) for each in outcome.report.findings]
    for each in outcome.report.errors:
        where = each.position
        file = (where.source if where is not None else None) or ""
        line = f",line={where.line}" if where is not None and where.line else ""
        message = _data(f"{each.code}: {each.message}")
        lines.append(f"::error file={_property(file)}{line},title=pigro::{message}")
    return "".join(f"{each}\n" for each in lines).encode("utf-8", "replace")


def _line(finding: Finding, sources: FileLines) -> str:
    at = finding.at
    _, first, last = sources.span(finding.file, at)
    place = f"file={_property(finding.file)},line={at[0]}"
    place += f",col={first + 1},endColumn={last}" if at[2] <= at[0] else f",endLine={at[2]}"
    title = _property(f"pigro {finding.rule}")
    steps = folded(finding.steps)
    rows = [finding.message, *(_step(each.file, each.at[0], each.note) for each in steps[:_MOST])]
    if len(steps) > _MOST:
        rows.append(f"... and {len(steps) - _MOST} more steps")
    message = _data("\n".join(rows))
    return f"::{_LEVELS[finding.severity]} {place},title={title}::{message}"


def _step(file: str, line: int, note: str) -> str:
    return f"{printable(file, 400)}:{line}" + (f": {printable(note, 400)}" if note else "")


def _data(text: str) -> str:
    rows = [printable(each, 2000) for each in text.split("\n")]
    return "%0A".join(each.replace("%", "%25").replace("\r", "%0D") for each in rows)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
