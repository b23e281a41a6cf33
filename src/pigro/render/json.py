"""Results as one JSON object, described by result.schema.json next to this file.

The text is UTF-8 and harmless on a terminal: characters that are not printable, and lone
surrogates, are written as JSON escapes. Nothing is shortened.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pigro.render.steps import steps_json

if TYPE_CHECKING:
    from pigro.engines import Verdict
    from pigro.render.report import Report

SCHEMA = "pigro.result/1"


def render_json(report: Report) -> bytes:
    """The report as JSON, with a line end."""
    document = {
        "schema": SCHEMA,
        "model": _model(report),
        "results": [_result(each, report) for each in report.verdicts],
        "warnings": list(report.warnings),
    }
    return harmless(json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


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


def _result(verdict: Verdict, report: Report) -> dict[str, object]:
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
    evidence = verdict.evidence if report.witness else None
    if evidence is not None:
        from pigro.evidence import document, run_document  # noqa: PLC0415 - few need it

        proof = verdict.certificate
        data = (
            run_document(verdict, evidence)
            if proof is None
            else document(verdict, proof.to_bytes(), evidence)
        )
        result["evidence"] = json.loads(data)
    if verdict.steps is not None:
        result["steps"] = steps_json(verdict.steps)
    return result


def harmless(text: str) -> str:
    """Everything but line ends and printable characters escaped; those stand only in strings."""
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c.isprintable() or c == "\n" else _escape(c) for c in text)


def _escape(c: str) -> str:
    return "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1]
