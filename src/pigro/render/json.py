"""Results as one JSON object, described by result.schema.json and composition.schema.json.

The text is UTF-8 and harmless on a terminal: characters that are not printable, and lone
surrogates, are written as JSON escapes. Nothing is shortened.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET

from pigro.evidence.data import StatisticsData
from pigro.evidence.documents import json_text
from pigro.evidence.kinds import kind_of
from pigro.limits import no_poll
from pigro.logic.printer import as_written, paths_of
from pigro.model.kinds import SubjectKind
from pigro.render.text import value_word
from pigro.session.results import (
    COMPOSITION,
    MODEL,
    CertificateData,
    CompositionResult,
    CompositionResults,
    DoubtData,
    EngineStepData,
    ExitContextData,
    LayerGameData,
    ModelHeadData,
    ModelResult,
    ModelResults,
    PartSizeData,
    RoundData,
    SymbolicData,
)
from pigro.verdict import StepLog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence.kinds import ShownEvidence
    from pigro.limits import Poll
    from pigro.render.text import CheckReport
    from pigro.session.asking import EvidenceRoom
    from pigro.session.results import ResultRow, ResultsData
    from pigro.verdict import Step, Verdict
    from pigro.verdict.composition_details import (
        CompositionDetails,
        LayerReport,
        Round,
        SymbolicResult,
    )

    Fields = dict[str, Any]

_LAST = ("results", "warnings", "certificates", "tables")
"""What stands behind the description of the subject, in this order."""


def results_document(
    report: CheckReport,
    verdicts: Sequence[Verdict],
    results: Sequence[str],
    warnings: Sequence[str],
) -> bytes:
    """The whole document, with a line end. The results are JSON texts already."""
    kind = _KINDS[report.subject.kind]
    head = kind.head(report, verdicts)
    return list_document(kind.results(results=[], warnings=list(warnings), **head), results)


def result_with_evidence(
    report: CheckReport, number: int, verdict: Verdict, room: EvidenceRoom
) -> str:
    """One of the results, with its evidence as far as there is room for it.

    Two ways to finish parts that have different verdicts are told in any case.
    """
    shown = verdict.shown
    if shown is not None and (report.style.witness != "none" or shown.holds is None):
        text = room.make(number, lambda: _row_text(report, verdict, shown, room.poll))
        if text is not None:
            return text
    return _row_text(report, verdict)


def _row_text(
    report: CheckReport, verdict: Verdict, shown: ShownEvidence | None = None, poll: Poll = no_poll
) -> str:
    """A result, indented as in a list of them."""
    row = _row(report, verdict)
    if shown is not None:
        assert report.bundle is not None, "a report in JSON has one"
        setattr(row, kind_of(shown.evidence).field, report.bundle.add(shown, poll))
    return harmless(json_text(msgspec.to_builtins(row), ascii_only=False, margin="    "))


def _row(report: CheckReport, verdict: Verdict) -> ResultRow:
    return _KINDS[report.subject.kind].row(
        report,
        verdict,
        {
            "formula": str(verdict.formula),
            "verdict": verdict.outcome,
            "reason": verdict.reason,
            "seconds": verdict.stats.seconds,
        },
    )


def document_json(made: msgspec.Struct) -> bytes:
    """A document as JSON, with a line end."""
    text = json.dumps(msgspec.to_builtins(made), ensure_ascii=False, indent=2)
    return f"{harmless(text)}\n".encode()


def list_document(made: msgspec.Struct, results: Sequence[str]) -> bytes:
    """A document with a list of results, which are JSON texts already. No text is made twice.

    Needs: an empty list of results in the document.
    """
    fields = msgspec.to_builtins(made)
    fields |= {name: fields.pop(name) for name in _LAST if name in fields}
    text = json_text(fields, ascii_only=False)
    before, _, after = text.rpartition('"results": []')
    listed = ",\n".join(results)
    whole = f'"results": [\n{listed}\n  ]' if results else '"results": []'
    return "".join([harmless(before), whole, harmless(after), "\n"]).encode()


def _model_head(report: CheckReport, verdicts: Sequence[Verdict]) -> Fields:
    model, bundle = report.subject, report.bundle
    assert bundle is not None, "a report in JSON has one"
    made = ModelHeadData.of(model, bundle.model)
    if report.style.statistics and model.is_listed:
        made.statistics = msgspec.convert(model.statistics.as_dict(), StatisticsData)
        made.load_seconds = None if report.question is None else report.question.load_seconds
    head: Fields = {"schema": MODEL, "model": made}
    if report.style.witness != "none":
        shared = bundle.shared([each.formula for each in verdicts])
        head["certificates"], head["tables"] = shared
    return head


def _model_row(report: CheckReport, verdict: Verdict, common: Fields) -> ModelResult:
    stats = verdict.stats
    row = ModelResult(**common, engine=verdict.engine, contexts=stats.contexts)
    paths = paths_of(verdict.formula)
    if paths is not None:
        row.written, row.paths = str(as_written(verdict.formula)), paths
    asked, model = report.subject, verdict.subject
    if asked.is_listed and model.is_listed and model.initial != asked.initial:
        row.initial = [model.node_name(node) for node in model.initial]
    if report.style.statistics:
        row.visited, row.passes, row.states = stats.visited, stats.passes, stats.states
    if verdict.certificate is not None and stats.certificate_bytes is not None:
        assert stats.certify_seconds is not None, "it was made"
        row.certificate = CertificateData(
            verdict.certificate.engine,
            stats.certificate_bytes,
            stats.certify_seconds,
            stats.verify_seconds,
        )
    if verdict.remarks.vacuous:
        row.vacuous = True
    if verdict.remarks.caveat is not None:
        row.caveat = verdict.remarks.caveat
    if verdict.remarks.activations:
        row.activations = list(verdict.remarks.activations)
    if isinstance(verdict.details, StepLog):
        row.steps = _steps(verdict.details.steps)
    return row


def _composition_head(report: CheckReport, _verdicts: Sequence[Verdict]) -> Fields:
    question = report.question
    head: Fields = {
        "schema": COMPOSITION,
        "parts": [PartSizeData.of(part) for part in report.subject.parts],
        "composed_states": report.subject.counted,
        "dead_ends": "stutter" if question is None else question.dead_ends,
    }
    if report.style.statistics and question is not None:
        head["load_seconds"] = question.load_seconds
    return head


def _composition_row(_report: CheckReport, verdict: Verdict, common: Fields) -> CompositionResult:
    from pigro.render.details import full_positions

    details: CompositionDetails = verdict.details
    names = [part.name for part in verdict.subject.parts]
    return CompositionResult(
        **common,
        method=details.method,
        decided_by=list(details.decided_by),
        full_nodes=full_positions(verdict),
        layers=_layers(names, details.layers),
        rounds=[_round(names, each) for each in details.rounds],
        symbolic=None if details.symbolic is None else _symbolic(details.symbolic),
    )


class _ResultsKind(NamedTuple):
    """How results about a kind of subject are written."""

    results: type[ResultsData]
    head: Callable[[CheckReport, Sequence[Verdict]], Fields]
    """The fields of the document besides results and warnings."""
    row: Callable[[CheckReport, Verdict, Fields], ResultRow]
    """A result, with the fields that all have."""


_KINDS = {
    SubjectKind.MODEL: _ResultsKind(ModelResults, _model_head, _model_row),
    SubjectKind.COMPOSITION: _ResultsKind(CompositionResults, _composition_head, _composition_row),
}
"""By kinds of subjects."""


def _symbolic(result: SymbolicResult) -> SymbolicData:
    return SymbolicData(
        alone=[value_word(value) for value in result.alone],
        second_step=result.second_step,
        variables=result.variables,
        nodes=result.nodes,
        rounds_alone=result.rounds_alone,
        rounds=result.rounds,
        package=result.package,
    )


def _round(names: Sequence[str], each: Round) -> RoundData:
    return RoundData(
        blocks=list(each.blocks),
        layers=_layers(names, each.layers),
        findings=[
            DoubtData(
                part=names[found.part],
                block=found.state,
                label=found.atom,
                action=found.action,
                target=found.target,
                split=found.split,
            )
            for found in each.findings
        ],
        splits=each.splits,
    )


def _layers(names: Sequence[str], layers: Sequence[LayerReport]) -> list[LayerGameData]:
    """Games, for programs. The parts have these names."""
    return [
        LayerGameData(
            parts=[names[part] for part in each.parts],
            value=value_word(each.value),
            nodes=each.nodes,
            edges=each.edges,
            open_nodes=each.open_nodes,
            open_edges=each.open_edges,
            seconds=each.seconds,
        )
        for each in layers
    ]


def _steps(steps: Sequence[Step]) -> list[EngineStepData]:
    """Each step, for programs."""
    return [
        EngineStepData(
            action=step.action,
            formula=step.formula,
            value=step.value,
            nodes=list(step.nodes),
            box=step.box,
            caller=step.caller,
            instance=step.instance,
            built=step.built,
            context=[
                ExitContextData(exit_, formula, "true" if value == "true" else "false")
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
