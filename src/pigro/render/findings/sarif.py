"""Findings as SARIF 2.1.0, which services for code review read.

A code flow shows the run: `nestingLevel` is the number of open calls, `importance` says which steps
matter. Columns count code points. Files are URIs relative to the working folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pigro import __version__
from pigro.diagnostics import printable
from pigro.render.findings.excerpts import Sources
from pigro.rules.templates import TEMPLATES
from pigro.scan.project.baseline import fingerprint

if TYPE_CHECKING:
    from pigro.diagnostics import InputError
    from pigro.rules import Rule
    from pigro.scan.findings import Finding, Step
    from pigro.scan.project.whole import Outcome
    from pigro.sources.graph import At

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_MESSAGE = 2000


def render(outcome: Outcome) -> bytes:
    """The log, indented."""
    return (json.dumps(sarif(outcome), indent=1) + "\n").encode()


def sarif(outcome: Outcome) -> dict[str, Any]:
    """The log as JSON values."""
    sources = Sources()
    numbers = {each.id: at for at, each in enumerate(outcome.rules)}
    report = outcome.report
    driver = {
        "name": "Pigro",
        "version": __version__,
        "rules": [_rule(each) for each in outcome.rules],
    }
    results = [_result(each, numbers, sources) for each in report.findings]
    is_whole = not report.errors and not report.unfinished
    invocation: dict[str, Any] = {"executionSuccessful": is_whole}
    told = [_notification(each) for each in report.errors]
    if told:
        invocation["toolExecutionNotifications"] = told
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


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


def _result(finding: Finding, numbers: dict[str, int], sources: Sources) -> dict[str, Any]:
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": numbers[finding.rule],
        "level": finding.severity,
        "message": {"text": printable(finding.message, _MESSAGE)},
        "locations": [_location(finding.file, finding.at, finding.function, sources)],
        "partialFingerprints": {"pigro/v1": fingerprint(finding)},
        "properties": {"grade": finding.grade, "formula": finding.formula},
    }
    if finding.steps:
        places = [_step(each, sources) for each in finding.steps]
        made["codeFlows"] = [{"threadFlows": [{"locations": places}]}]
    return made


def _step(step: Step, sources: Sources) -> dict[str, Any]:
    location = _location(step.file, step.at, step.function, sources)
    if step.note:
        location["message"] = {"text": printable(step.note, _MESSAGE)}
    importance = "essential" if step.is_decisive else "important" if step.note else "unimportant"
    return {"location": location, "nestingLevel": step.depth, "importance": importance}


def _location(file: str, at: At, function: str, sources: Sources) -> dict[str, Any]:
    line, first, last = sources.span(file, at)
    region: dict[str, Any] = {"startLine": at[0], "startColumn": first + 1}
    if at[2] <= at[0]:
        region["endColumn"] = last + 1
    else:
        region["endLine"] = at[2]
        region["endColumn"] = sources.columns(file, at[2], at[3]) + 1
    if line:
        region["snippet"] = {"text": printable(line.rstrip("\r"), _MESSAGE)}
    return {
        "physicalLocation": {"artifactLocation": _artifact(file), "region": region},
        "logicalLocations": [{"fullyQualifiedName": printable(function, _MESSAGE)}],
    }


def _artifact(file: str) -> dict[str, str]:
    path = Path(file)
    raw = file.encode("utf-8", "surrogateescape")
    if path.is_absolute():
        return {"uri": "file://" + quote(raw)}
    return {"uri": quote(raw), "uriBaseId": _ROOT}


def _notification(error: InputError) -> dict[str, Any]:
    made: dict[str, Any] = {
        "level": "error",
        "message": {"text": f"{error.code}: {printable(error.message, _MESSAGE)}"},
    }
    where = error.position
    if where is not None and where.source:
        place: dict[str, Any] = {"artifactLocation": _artifact(where.source)}
        if where.line:
            place["region"] = {"startLine": where.line}
        made["locations"] = [{"physicalLocation": place}]
    return made
