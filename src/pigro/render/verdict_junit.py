"""Verdicts as JUnit's XML: a test for each formula.

A formula that holds passes, and one that fails has the run as its failure. An unknown one is an
error and no skipped test: nobody looks at skipped ones, and the command ends with exit code 3. So
is one that was not checked, because an error or a signal ended the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.render import junit
from pigro.render.text import verdict_with_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.render.text import CheckReport
    from pigro.session.asking import EvidenceRoom
    from pigro.verdict import Verdict

_UNCHECKED = "not checked: the run ended before"
_ELEMENTS = {"fails": "failure", "unknown": "error"}


def result_with_evidence(
    report: CheckReport, number: int, verdict: Verdict, room: EvidenceRoom
) -> str:
    """A test."""
    body = ""
    if verdict.outcome in _ELEMENTS:
        told = verdict_with_evidence(number, verdict, report.style, room)
        body = junit.fault(_ELEMENTS[verdict.outcome], verdict.outcome, verdict.reason, told)
    return junit.case(
        report.command,
        str(verdict.formula),
        body,
        file=report.file or "",
        seconds=verdict.stats.seconds,
    )


def results_document(
    report: CheckReport,
    verdicts: Sequence[Verdict],
    results: Sequence[str],
    warnings: Sequence[str],
) -> bytes:
    """The report. Warnings stand behind the tests. A formula that was not checked is an error."""
    words = [each.outcome for each in verdicts]
    unchecked = report.unchecked(verdicts)
    not_checked = [
        junit.case(
            report.command,
            str(each),
            junit.fault("error", "unknown", _UNCHECKED, "\n".join(warnings)),
            file=report.file or "",
        )
        for each in unchecked
    ]
    more = f"<system-err>{junit.content(chr(10).join(warnings))}</system-err>" if warnings else ""
    return junit.document(
        f"pigro {report.command} {report.file or ''}".rstrip(),
        [*results, *not_checked],
        failures=words.count("fails"),
        errors=words.count("unknown") + len(unchecked),
        skipped=0,
        more=more,
    )
