"""Results as one JSON object, described by result.schema.json next to this file.

The text is UTF-8 and harmless on a terminal: characters that are not printable, and lone
surrogates, are written as JSON escapes. Nothing is shortened.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pigro.evidence.json_text import json_text
from pigro.render.steps import steps_json

if TYPE_CHECKING:
    from pigro.engines import Verdict
    from pigro.evidence.bundle import Bundle
    from pigro.render.report import Report

SCHEMA = "pigro.result/2"


def render_json(report: Report) -> bytes:
    """The report as JSON, with a line end."""
    bundle = None
    if report.witness:
        from pigro.evidence.bundle import Bundle  # noqa: PLC0415 - few need it

        bundle = Bundle(report.model, [each.formula for each in report.verdicts])
    document: dict[str, object] = {
        "schema": SCHEMA,
        "model": _model(report),
        "results": [_result(each, report, bundle) for each in report.verdicts],
        "warnings": list(report.warnings),
    }
    if bundle is not None:
        document |= bundle.shared()
    return harmless(json_text(document, ascii_only=False) + "\n").encode()


def _model(report: Report) -> dict[str, object]:
    model = report.model
    described: dict[str, object] = {
        "file": model.source,
        "semantics": str(model.semantics),
        "dead_ends": str(model.dead_ends),
        "initial": [model.node_name(node) for node in model.initial],
    }
    if report.statistics:
        described["statistics"] = model.statistics.as_dict()
        described["load_seconds"] = report.load_seconds
    return described


def _result(verdict: Verdict, report: Report, bundle: Bundle | None) -> dict[str, object]:
    stats = verdict.stats
    result: dict[str, object] = {
        "formula": str(verdict.formula),
        "verdict": verdict.word,
        "reason": verdict.reason,
        "engine": verdict.engine,
        "contexts": stats.contexts,
        "seconds": stats.seconds,
    }
    if verdict.model.initial != report.model.initial:
        result["initial"] = [verdict.model.node_name(node) for node in verdict.model.initial]
    if report.statistics:
        result |= {"visited": stats.visited, "passes": stats.passes, "states": stats.states}
    if verdict.certificate is not None and stats.certificate_bytes is not None:
        result["certificate"] = {
            "engine": verdict.certificate.engine,
            "bytes": stats.certificate_bytes,
            "seconds": stats.certify_seconds,
            "verify_seconds": stats.verify_seconds,
        }
    evidence = None if bundle is None else verdict.evidence
    if bundle is not None and evidence is not None:
        result["evidence"] = bundle.add(verdict, verdict.certificate, evidence)
    if verdict.steps is not None:
        result["steps"] = steps_json(verdict.steps)
    return result


_ODD = re.compile(r"[^\n -~]")


def harmless(text: str) -> str:
    """Everything but line ends and printable characters escaped; those stand only in strings."""
    return _ODD.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    c = found[0]
    if c.isprintable():
        return c
    return "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1]
