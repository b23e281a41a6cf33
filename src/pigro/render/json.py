"""Results as one JSON object, described by result.schema.json.

The text is UTF-8 and harmless on a terminal: characters that are not printable, and lone
surrogates, are written as JSON escapes. Nothing is shortened.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from pigro.evidence.data import StatisticsData
from pigro.evidence.documents import json_text
from pigro.evidence.joining import starting
from pigro.limits import unwatched
from pigro.logic.printer import as_written, paths_of
from pigro.session.results import (
    MODEL,
    CertificateData,
    ContextData,
    ModelData,
    ModelResult,
    ModelResults,
    StepData,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines import Verdict
    from pigro.evidence.kinds import Shown
    from pigro.limits import Poll
    from pigro.render.text import Report
    from pigro.session.asking import Room
    from pigro.session.results import ResultRow
    from pigro.verdict import Step


def render_json(report: Report) -> bytes:
    """The report as JSON, with a line end."""
    results = report.texts or [result_json(each, report) for each in report.verdicts]
    made = ModelResults(MODEL, _model(report), [], list(report.warnings))
    if report.bundle is not None:
        shared = report.bundle.shared([each.formula for each in report.verdicts])
        made.certificates, made.tables = shared
    return list_document(made, results)


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


def list_document(made: msgspec.Struct, results: Sequence[str]) -> bytes:
    """A document with a list of results, which are JSON texts already. No text is made twice.

    Needs: an empty list of results in the document.
    """
    text = json_text(msgspec.to_builtins(made), ascii_only=False)
    before, _, after = text.rpartition('"results": []')
    listed = ",\n".join(results)
    whole = f'"results": [\n{listed}\n  ]' if results else '"results": []'
    return "".join([harmless(before), whole, harmless(after), "\n"]).encode()


def result_text(result: ResultRow) -> str:
    """One of a list of results, indented as there."""
    return harmless(json_text(msgspec.to_builtins(result), ascii_only=False, margin="    "))


def _model(report: Report) -> ModelData:
    model = report.model
    made = ModelData.of(model, starting(model) if report.bundle is None else report.bundle.model)
    if report.statistics and model.is_listed:
        made.statistics = msgspec.convert(model.statistics.as_dict(), StatisticsData)
        made.load_seconds = report.load_seconds
    return made


def _result(verdict: Verdict, shown: Shown | None, report: Report, poll: Poll) -> ModelResult:
    stats = verdict.stats
    result = ModelResult(
        formula=str(verdict.formula),
        verdict=verdict.outcome,
        reason=verdict.reason,
        seconds=stats.seconds,
        engine=verdict.engine,
        contexts=stats.contexts,
    )
    paths = paths_of(verdict.formula)
    if paths is not None:
        result.written, result.paths = str(as_written(verdict.formula)), paths
    asked, model = report.model, verdict.model
    if asked.is_listed and model.is_listed and model.initial != asked.initial:
        result.initial = [model.node_name(node) for node in model.initial]
    if report.statistics:
        result.visited, result.passes, result.states = stats.visited, stats.passes, stats.states
    if verdict.certificate is not None and stats.certificate_bytes is not None:
        assert stats.certify_seconds is not None, "it was made"
        result.certificate = CertificateData(
            verdict.certificate.engine,
            stats.certificate_bytes,
            stats.certify_seconds,
            stats.verify_seconds,
        )
    if report.bundle is not None and shown is not None:
        result.evidence = report.bundle.add(shown, poll)
    if verdict.vacuous:
        result.vacuous = True
    if verdict.caveat is not None:
        result.caveat = verdict.caveat
    if verdict.activations:
        result.activations = list(verdict.activations)
    if verdict.steps is not None:
        result.steps = _steps(verdict.steps)
    return result


def _steps(steps: Sequence[Step]) -> list[StepData]:
    """Each step, for programs."""
    return [
        StepData(
            action=step.action,
            formula=step.formula,
            value=step.value,
            nodes=list(step.nodes),
            box=step.box,
            caller=step.caller,
            instance=step.instance,
            built=step.built,
            context=[
                ContextData(exit_, formula, "true" if value == "true" else "false")
                for exit_, formula, value in step.context
            ],
            reason=UNSET if step.reason is None else step.reason,
        )
        for step in steps
    ]


_ODD = re.compile(r"[^\n -~]")


def harmless(text: str) -> str:
    """Everything but line ends and printable characters escaped. Those stand only in strings."""
    return _ODD.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    c = found[0]
    if c.isprintable():
        return c
    return "\\u007f" if c == "\x7f" else json.dumps(c)[1:-1]
