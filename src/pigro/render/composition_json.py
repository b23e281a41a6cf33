"""Results about compositions as one JSON object, described by composition.schema.json."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from pigro.evidence.kinds import Writing, kind_of
from pigro.evidence.tables import Tables
from pigro.render.composition import bound
from pigro.render.json import list_document, result_text
from pigro.render.trace import value_word
from pigro.session.results import (
    COMPOSITION,
    CompositionResult,
    CompositionResults,
    DoubtData,
    LayerData,
    PartData,
    RoundData,
    SymbolicData,
)

if TYPE_CHECKING:
    from pigro.model.composition import Composition
    from pigro.render.composition import CompositionReport
    from pigro.session.asking import Room
    from pigro.verdict import Verdict
    from pigro.verdict.games import LayerReport, SymbolicResult


def render_composition_json(report: CompositionReport) -> bytes:
    """The report as JSON, with a line end."""
    results = report.texts or [composition_result(each, report) for each in report.verdicts]
    made = CompositionResults(
        schema=COMPOSITION,
        parts=[PartData.of(part) for part in report.composition.parts],
        composed_states=report.states,
        dead_ends="stop" if report.dead_ends == "stop" else "stutter",
        results=[],
        warnings=list(report.warnings),
    )
    if report.statistics and report.load_seconds is not None:
        made.load_seconds = report.load_seconds
    return list_document(made, results)


def shown_composition_result(
    number: int, verdict: Verdict, report: CompositionReport, room: Room
) -> str:
    """One of the results, with its evidence as far as there is room for it."""
    if report.witness and verdict.evidence is not None:
        text = room.make(number, lambda: composition_result(verdict, report))
        if text is not None:
            return text
        verdict = replace(verdict, evidence=None)
    return composition_result(verdict, report)


def composition_result(verdict: Verdict, report: CompositionReport) -> str:
    """One of the results."""
    return result_text(_result(verdict, report))


def _result(verdict: Verdict, report: CompositionReport) -> CompositionResult:
    result = CompositionResult(
        formula=str(verdict.formula),
        verdict=verdict.outcome,
        reason=verdict.reason,
        seconds=verdict.seconds,
        method=verdict.method,
        decided_by=list(verdict.decided_by),
        full_nodes=bound(verdict),
        layers=[_layer(verdict.composition, layer) for layer in verdict.layers],
        rounds=_rounds(verdict),
        symbolic=None if verdict.symbolic is None else _symbolic(verdict.symbolic),
    )
    shown = verdict.shown
    if shown is not None and (report.witness or verdict.holds is None):
        kind = kind_of(shown.evidence)
        made = kind.document(shown, Writing(Tables()))
        setattr(result, kind.field, msgspec.to_builtins(made))
    return result


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


def _rounds(verdict: Verdict) -> list[RoundData]:
    """Each round, for programs."""
    composition = verdict.composition
    return [
        RoundData(
            blocks=list(each.blocks),
            layers=[_layer(composition, layer) for layer in each.layers],
            findings=[
                DoubtData(
                    part=composition.parts[found.part].name,
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
        for each in verdict.rounds
    ]


def _layer(composition: Composition, layer: LayerReport) -> LayerData:
    """A game, for programs."""
    return LayerData(
        parts=[composition.parts[at].name for at in layer.parts],
        value=value_word(layer.value),
        nodes=layer.nodes,
        edges=layer.edges,
        open_nodes=layer.open_nodes,
        open_edges=layer.open_edges,
        seconds=layer.seconds,
    )
