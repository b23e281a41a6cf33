"""Results as one JSON object, described by result.schema.json next to this file.

The text is UTF-8 and harmless on a terminal: characters that are not printable, and lone
surrogates, are written as JSON escapes. Nothing is shortened.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from pigro.evidence.documents import json_text
from pigro.evidence.joining import starting
from pigro.limits import unwatched
from pigro.logic.printer import ALL, written_of
from pigro.render.trace import steps_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence.kinds import Shown
    from pigro.limits import Poll
    from pigro.render.text import Report
    from pigro.session.asking import Room

SCHEMA = "pigro.result/2"


def render_json(report: Report) -> bytes:
    """The report as JSON, with a line end."""
    results = report.texts or [result_json(each, report) for each in report.verdicts]
    more = {}
    if report.bundle is not None:
        more = report.bundle.shared([each.formula for each in report.verdicts])
    head: dict[str, object] = {"schema": SCHEMA, "model": _model(report)}
    return list_document(head, results, list(report.warnings), more)


def shown_result(
    number: int, verdict: Verdict, shown: Shown | None, report: Report, room: Room
) -> str:
    """One of the results, with its evidence as far as there is room for it."""
    if shown is not None:
        text = room.make(number, lambda: result_json(verdict, report, shown, room.poll))
        if text is not None:
            return text
    return result_json(verdict, report)


def result_json(
    verdict: Verdict, report: Report, shown: Shown | None = None, poll: Poll = unwatched
) -> str:
    """One of the results."""
    return result_text(_result(verdict, shown, report, poll))


def list_document(
    head: dict[str, object],
    results: Sequence[str],
    warnings: list[str],
    more: dict[str, object] | None = None,
) -> bytes:
    """A document with a list of results, which are JSON texts already. No text is made twice."""
    ends = {**head, "results": [], "warnings": warnings, **(more or {})}
    before, _, after = json_text(ends, ascii_only=False).rpartition('"results": []')
    listed = ",\n".join(results)
    whole = f'"results": [\n{listed}\n  ]' if results else '"results": []'
    return "".join([harmless(before), whole, harmless(after), "\n"]).encode()


def result_text(result: dict[str, object]) -> str:
    """One of a list of results, indented as there."""
    return harmless(json_text(result, ascii_only=False, margin="    "))


def _model(report: Report) -> dict[str, object]:
    model = report.model
    shown = starting(model) if report.bundle is None else report.bundle.model
    described: dict[str, object] = {
        "file": model.source,
        "semantics": str(model.semantics),
        "dead_ends": str(model.dead_ends),
        "initial": [shown.node_name(node) for node in shown.initial],
    }
    if report.statistics and model.on_demand is None:
        described["statistics"] = model.statistics.as_dict()
        described["load_seconds"] = report.load_seconds
    return described


def _result(verdict: Verdict, shown: Shown | None, report: Report, poll: Poll) -> dict[str, object]:
    stats = verdict.stats
    result: dict[str, object] = {
        "formula": str(verdict.formula),
        "verdict": verdict.outcome,
        "reason": verdict.reason,
        "engine": verdict.engine,
        "contexts": stats.contexts,
        "seconds": stats.seconds,
    }
    written = written_of(verdict.formula)
    if written is not None and written.paths != ALL:
        result |= {"written": str(written.formula), "paths": written.paths}
    listed = verdict.model.on_demand is report.model.on_demand is None
    if listed and verdict.model.initial != report.model.initial:
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
    if report.bundle is not None and shown is not None:
        result["evidence"] = report.bundle.add(shown, poll)
    if verdict.vacuous:
        result["vacuous"] = True
    if verdict.caveat is not None:
        result["caveat"] = verdict.caveat
    if verdict.activations:
        result["activations"] = list(verdict.activations)
    if verdict.steps is not None:
        result["steps"] = steps_json(verdict.steps)
    return result


_ODD = re.compile(r"[^\n -~]")


def harmless(text: str) -> str:
    """Everything but line ends and printable characters escaped. Those stand only in strings."""
    return _ODD.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    c = found[0]
    if c.isprintable():
        return c
    return "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1]
