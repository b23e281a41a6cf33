"""Findings as text, as compilers write them: what, where, an excerpt, and the run that shows it.

In the run, bars stand for open calls, files are named where they change, and plain lines are left
out unless all are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.render.findings.excerpts import FileLines, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.scan.findings import Finding, FindingStep
    from pigro.scan.project.whole import ScanResult

    Paint = Callable[[str, str], str]

_COLOURS = {
    "error": "31;1",
    "warning": "33;1",
    "note": "36;1",
    "mark": "31;1",
    "dim": "2",
    "bold": "1",
}


def plain(text: str, _style: str) -> str:
    """No colours."""
    return text


def coloured(text: str, style: str) -> str:
    """With the colours of a terminal."""
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"


def findings_text(outcome: ScanResult, *, paint: Paint = plain, full: bool = False) -> str:
    """All findings, and how many there are."""
    sources, report = FileLines(), outcome.report
    parts = [finding_text(each, sources, paint, full=full) for each in report.findings]
    count, files = len(report.findings), report.statistics.files
    end = f"{_count(count, 'finding')} in {_count(files, 'file')}"
    more = [f"{number:,} {how}" for number, how in (
        (outcome.known, "known by the baseline"), (outcome.ignored, "ignored by comments")
    ) if number]  # fmt: skip
    end += f" ({', '.join(more)})" if more else ""
    return "\n".join([*parts, end]) + "\n"


def finding_text(finding: Finding, sources: FileLines, paint: Paint, *, full: bool) -> str:
    """One finding over several lines."""
    head = paint(f"{finding.severity}[{finding.rule}]", finding.severity)
    lines = [f"{head}: {paint(printable(finding.message, 400), 'bold')}"]
    line, first, last = sources.span(finding.file, finding.at)
    lines.append(f"  --> {printable(finding.file, 400)}:{finding.line}:{first + 1}")
    width = len(str(max([finding.line, *(each.at[0] for each in finding.steps)])))
    pad = " " * width
    lines.append(f" {pad} |")
    lines.append(f" {finding.line:>{width}} | {shown(line)}")
    before = len(line[:first].expandtabs(4))
    lines.append(f" {pad} | {' ' * before}{paint('^' * (last - first), finding.severity)}")
    lines += _run(finding, sources, paint, width, full=full)
    return "\n".join([*lines, ""])


def _run(
    finding: Finding, sources: FileLines, paint: Paint, width: int, *, full: bool
) -> list[str]:
    lines: list[str] = []
    file = finding.file
    for step in finding.steps if full else folded(finding.steps):
        if step.file != file:
            file = step.file
            lines.append(f" {' ' * width} : {printable(file, 400)}")
        bars = "| " * step.depth
        text = (
            f" {step.at[0]:>{width}} : {bars}{shown(sources.line(step.file, step.at[0])).strip()}"
        )
        if step.note:
            note = f"  <- {printable(step.note, 400)}"
            text += paint(note, "mark" if step.is_decisive else "bold")
        lines.append(text)
    if lines:
        lines.insert(0, f" {' ' * width} = {paint('a run that shows it:', 'bold')}")
    return lines


def folded(steps: Sequence[FindingStep]) -> list[FindingStep]:
    """The steps that matter: those with notes, those that lead into calls, and the last ones."""
    found: list[FindingStep] = []
    for at, step in enumerate(steps):
        after = steps[at + 1].depth if at + 1 < len(steps) else -1
        same = found and (found[-1].file, found[-1].at[0], found[-1].depth) == (
            step.file, step.at[0], step.depth
        )  # fmt: skip
        if same and not step.note:
            continue
        if same and not found[-1].note:
            found.pop()
        if step.note or after > step.depth or after == -1 or step.is_decisive:
            found.append(step)
    return found


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
