"""Findings as SARIF 2.1.0, with their runs as code flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.render import sarif
from pigro.render.findings.excerpts import FileLines
from pigro.rules.templates import TEMPLATES
from pigro.scan.project.baseline import fingerprint

if TYPE_CHECKING:
    from pigro.diagnostics import InputError
    from pigro.rules import Rule
    from pigro.scan.findings import Finding, FindingStep
    from pigro.scan.project.whole import ScanResult
    from pigro.sources.graph import At


def render(outcome: ScanResult) -> bytes:
    """The log, indented."""
    return sarif.to_bytes(log_of(outcome))


def log_of(outcome: ScanResult) -> dict[str, Any]:
    """The log as JSON values."""
    sources, report = FileLines(), outcome.report
    numbers = {each.id: at for at, each in enumerate(outcome.rules)}
    return sarif.log(
        [_rule(each) for each in outcome.rules],
        [_result(each, numbers, sources) for each in report.findings],
        [_notification(each) for each in report.errors],
        whole=not report.errors and not report.unfinished,
    )


def _rule(rule: Rule) -> dict[str, Any]:
    about = TEMPLATES[rule.template].about
    made: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": about},
        "fullDescription": {"text": " ".join(filter(None, (about, rule.help)))},
        "defaultConfiguration": {"level": rule.severity, "enabled": rule.default},
        "properties": {"template": rule.template, "formula": TEMPLATES[rule.template].formula},
    }
    if rule.help:
        made["help"] = {"text": rule.help}
    return made


def _result(finding: Finding, numbers: dict[str, int], sources: FileLines) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.severity,
        "message": sarif.message(finding.message),
        "locations": [_location(finding.file, finding.at, finding.function, sources)],
        "partialFingerprints": {"pigro/v1": fingerprint(finding)},
        "properties": {"grade": finding.grade, "formula": finding.formula},
    }
    if finding.steps:
        made["codeFlows"] = sarif.flow([_step(each, sources) for each in finding.steps])
    return made


def _step(step: FindingStep, sources: FileLines) -> dict[str, Any]:
    location = _location(step.file, step.at, step.function, sources)
    if step.note:
        location["message"] = sarif.message(step.note)
    return sarif.step(location, step.depth, is_decisive=step.is_decisive, has_note=bool(step.note))


def _location(file: str, at: At, function: str, sources: FileLines) -> dict[str, Any]:
    line, first, last = sources.span(file, at)
    region: dict[str, Any] = {"startLine": at[0], "startColumn": first + 1}
    if at[2] <= at[0]:
        region["endColumn"] = last + 1
    else:
        region["endLine"] = at[2]
        region["endColumn"] = sources.columns(file, at[2], at[3]) + 1
    if line:
        region["snippet"] = sarif.message(line.rstrip("\r"))
    return {
        "physicalLocation": sarif.place(file, region),
        "logicalLocations": sarif.name_in_program(function),
    }


def _notification(error: InputError) -> dict[str, Any]:
    made: dict[str, Any] = {
        "level": "error",
        "message": sarif.message(f"{error.code}: {error.message}"),
    }
    where = error.position
    if where is not None and where.source:
        region = {"startLine": where.line} if where.line else None
        made["locations"] = [{"physicalLocation": sarif.place(where.source, region)}]
    return made
