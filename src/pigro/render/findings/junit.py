"""Findings as JUnit's XML: a test case for each rule and file with findings, or one that passes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pigro.diagnostics import printable
from pigro.render.findings.excerpts import Sources
from pigro.render.findings.text import finding_text, plain

if TYPE_CHECKING:
    from pigro.scan.project.whole import Outcome


def render(outcome: Outcome) -> bytes:
    """The document. A rule without findings is a test that passes."""
    sources = Sources()
    report = outcome.report
    cases = []
    for each in report.findings:
        name = f"{each.file}:{each.line}: {each.message}"
        told = finding_text(each, sources, plain, full=False)
        message = _attribute(f"{each.file}:{each.line}: {each.message}")
        kind = _attribute(each.severity)
        body = f"<failure message={message} type={kind}>{_text(told)}</failure>"
        cases.append(_case(each.rule, name, each.file, each.line, body))
    failing = {each.rule for each in report.findings}
    for rule in outcome.rules:
        if rule.id in report.unfinished:
            body = '<skipped message="a limit was reached"/>'
            cases.append(_case(rule.id, rule.id, "", 0, body))
        elif rule.id not in failing:
            cases.append(_case(rule.id, rule.id, "", 0, ""))
    for error in report.errors:
        file = (error.position.source if error.position is not None else None) or ""
        body = f"<error message={_attribute(error.message)} type={_attribute(error.code)}/>"
        cases.append(_case("read", file, file, 0, body))
    counts = (
        f'tests="{len(cases)}" failures="{len(report.findings)}" errors="{len(report.errors)}" '
        f'skipped="{len(report.unfinished)}"'
    )
    rows = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="pigro" {counts}>',
            f'<testsuite name="pigro scan" {counts}>', *cases,
            "</testsuite>", "</testsuites>"]  # fmt: skip
    return ("\n".join(rows) + "\n").encode("utf-8", "replace")


def _case(rule: str, name: str, file: str, line: int, body: str) -> str:
    place = f" file={_attribute(file)}" if file else ""
    place += f' line="{line}"' if line else ""
    head = f"<testcase classname={_attribute(f'pigro.{rule}')} name={_attribute(name)}{place}"
    return f"{head}>{body}</testcase>" if body else f"{head}/>"


def _attribute(text: str) -> str:
    return quoteattr(printable(text, 2000))


def _text(text: str) -> str:
    return escape("\n".join(printable(each, 2000) for each in text.split("\n")))
