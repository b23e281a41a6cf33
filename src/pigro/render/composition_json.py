"""Results about compositions as one JSON object, described by composition.schema.json."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from pigro.evidence.kinds import Writing, kind_of
from pigro.evidence.tables import Tables
from pigro.render.json import list_document, result_text
from pigro.render.trace import layer_json, rounds_json, value_word
from pigro.session.composition_file import parts_json

if TYPE_CHECKING:
    from pigro.render.composition import CompositionReport
    from pigro.session.asking import Room
    from pigro.verdict import Verdict
    from pigro.verdict.games import SymbolicResult

SCHEMA = "pigro.composition/1"


def render_composition_json(report: CompositionReport) -> bytes:
    """The report as JSON, with a line end."""
    composition = report.composition
    document: dict[str, object] = {
        "schema": SCHEMA,
        "parts": parts_json(composition),
        "composed_states": report.states,
        "dead_ends": report.dead_ends,
    }
    if report.statistics:
        document["load_seconds"] = report.load_seconds
    results = report.texts or [composition_result(each, report) for each in report.verdicts]
    return list_document(document, results, list(report.warnings))


def shown_composition_result(
    number: int, verdict: Verdict, report: CompositionReport, room: Room
) -> str:
    """One of the results, with its evidence as far as there is room for it."""
    if report.witness and verdict.evidence is not None:
        text = room.make(number, lambda: composition_result(verdict, report))
        if text is not None:
            return text
    return composition_result(replace(verdict, evidence=None), report)


def composition_result(verdict: Verdict, report: CompositionReport) -> str:
    """One of the results."""
    return result_text(_result(verdict, report))


def _result(verdict: Verdict, report: CompositionReport) -> dict[str, object]:
    result: dict[str, object] = {
        "formula": str(verdict.formula),
        "verdict": verdict.outcome,
        "reason": verdict.reason,
        "method": verdict.method,
        "decided_by": list(verdict.decided_by),
        "seconds": verdict.seconds,
        "full_nodes": report.bound(verdict),
        "layers": [layer_json(verdict.composition, layer) for layer in verdict.layers],
        "rounds": rounds_json(verdict),
        "symbolic": None if verdict.symbolic is None else _symbolic(verdict.symbolic),
    }
    if verdict.depends or (report.witness and verdict.finished):
        from pigro.render.parts.finished import finished_json

        result["finished"] = finished_json(verdict)
    if report.witness and verdict.shown is not None:
        made = kind_of(verdict.evidence).document(verdict.shown, Writing(Tables()))
        result["evidence"] = msgspec.to_builtins(made)
    return result


def _symbolic(result: SymbolicResult) -> dict[str, object]:
    return {
        "alone": [value_word(value) for value in result.alone],
        "second_step": result.second_step,
        "variables": result.variables,
        "nodes": result.nodes,
        "rounds_alone": result.rounds_alone,
        "rounds": result.rounds,
        "package": result.package,
    }
