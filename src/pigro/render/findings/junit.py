"""Findings as JUnit's XML: a test case for each rule and file with findings, or one that passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.render import junit
from pigro.render.findings.excerpts import FileLines
from pigro.render.findings.text import finding_text, plain

if TYPE_CHECKING:
    from pigro.scan.project.whole import ScanResult


def render(outcome: ScanResult) -> bytes:
    """The document. A rule without findings is a test that passes."""
    sources = FileLines()
    report = outcome.report
    cases = []
    for each in report.findings:
        name = f"{each.file}:{each.line}: {each.message}"
        told = finding_text(each, sources, plain, full=False)
        body = junit.fault("failure", each.severity, name, told)
        cases.append(junit.case(each.rule, name, body, file=each.file, line=each.line))
    failing = {each.rule for each in report.findings}
    for rule in outcome.rules:
        if rule.id in report.unfinished:
            body = '<skipped message="a limit was reached"/>'
            cases.append(junit.case(rule.id, rule.id, body))
        elif rule.id not in failing:
            cases.append(junit.case(rule.id, rule.id))
    for error in report.errors:
        file = (error.position.source if error.position is not None else None) or ""
        body = junit.fault("error", error.code, error.message)
        cases.append(junit.case("read", file, body, file=file))
    return junit.document(
        "pigro scan",
        cases,
        failures=len(report.findings),
        errors=len(report.errors),
        skipped=len(report.unfinished),
    )
