"""Verdicts in SARIF: a result for each formula that fails or is unknown, with its run.

There are two rules, since services group results by rule. A formula that holds has no result. The
place is where the run begins, or the file, if the model names no source.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pigro.model.positions import OWN
from pigro.render import sarif

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.trace import TraceState
    from pigro.model.positions import SourcePosition
    from pigro.render.text import CheckReport
    from pigro.session.asking import EvidenceRoom
    from pigro.verdict import Verdict

_STDIN = "<stdin>"
"""Standard input, as positions name it. Services have no such file."""
MOST = 1000
"""Steps of a run. Services for code review take few."""
RULES = {
    "fails": ("formula-fails", "error", "A formula does not hold in every initial state."),
    "unknown": ("formula-unknown", "warning", "A formula has no verdict."),
}


def result_with_evidence(
    report: CheckReport, number: int, verdict: Verdict, room: EvidenceRoom
) -> str:
    """A result, as JSON text. Empty if the formula holds."""
    if verdict.outcome not in RULES:
        return ""
    rule, level, _ = RULES[verdict.outcome]
    trace = room.make(number, verdict.trace) if report.style.witness != "none" else None
    states = () if trace is None else trace.states
    formula = str(verdict.formula)
    made: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": [*RULES].index(verdict.outcome),
        "level": level,
        "message": sarif.message(f"{formula}: {verdict.reason}"),
        "locations": [each for each in [_location(report, states[0] if states else None)] if each],
        "partialFingerprints": {"pigro/v1": _fingerprint(report, formula)},
        "properties": {"formula": formula, "verdict": verdict.outcome},
    }
    if states:
        steps = [
            sarif.step(
                _location(report, each) | {"message": sarif.message(_state_in_words(each))},
                each.depth,
                is_decisive=at in (0, len(states) - 1),
                has_note=bool(each.changes),
            )
            for at, each in enumerate(states[:MOST])
        ]
        made["codeFlows"] = sarif.flow(steps)
    return json.dumps(made)


def results_document(
    report: CheckReport,
    verdicts: Sequence[Verdict],
    results: Sequence[str],
    warnings: Sequence[str],
) -> bytes:
    """The log."""
    rules = [
        {
            "id": name,
            "shortDescription": {"text": text},
            "fullDescription": {"text": text},
            "defaultConfiguration": {"level": level, "enabled": True},
            "properties": {},
        }
        for name, level, text in RULES.values()
    ]
    is_ended = bool(report.unchecked(verdicts))
    level = "error" if is_ended else "warning"
    told = [{"level": level, "message": sarif.message(each)} for each in warnings]
    whole = not is_ended and all(each.holds is not None for each in verdicts)
    found = [json.loads(each) for each in results if each]
    return sarif.to_bytes(sarif.log(rules, found, told, whole=whole))


def _location(report: CheckReport, state: TraceState | None) -> dict[str, Any]:
    """Where a state stands in a source, and its name. Without a state: the file."""
    position = None if state is None else state.position
    made: dict[str, Any] = {}
    file = report.file if position is None or position.file == OWN else position.file
    if file is not None and file != _STDIN:
        made["physicalLocation"] = sarif.place(file, _region(position))
    if state is not None:
        made["logicalLocations"] = sarif.name_in_program(state.name)
    return made


def _region(position: SourcePosition | None) -> dict[str, int]:
    if position is None:
        return {}
    region = {"startLine": position.line}
    if position.column:
        region["startColumn"] = position.column
    if position.end_line > position.line:
        region["endLine"] = position.end_line
    if position.end_column:
        region["endColumn"] = position.end_column
    return region


def _state_in_words(state: TraceState) -> str:
    """A state, with what changes there."""
    changes = [*state.changes, *(f"{name} = {value}" for name, value in state.variables.items())]
    return f"{state.name}: {', '.join(changes)}" if changes else state.name


def _fingerprint(report: CheckReport, formula: str) -> str:
    """What stays the same while the program around it changes."""
    text = f"{report.file}\0{formula}".encode("utf-8", "surrogateescape")
    return sha256(text).hexdigest()
