"""Results that `pigro compose --format json` wrote, read back to be judged.

Strategies are judged by their replay. Here is the rest: each text is compared with the parts, with
the strategy or with the verdict that it shows. What only tells of the run, such as the sizes of
games and the rounds of refinement, can't be judged; docs/evidence.md lists it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, ModelError
from pigro.engines.game import METHODS
from pigro.engines.game.checking import require_modal
from pigro.engines.game.verdict import reason_of
from pigro.evidence.data import WrongEvidence, converted, need
from pigro.evidence.strategy_replay import Rules, check_actions
from pigro.logic import parse
from pigro.session.findings import need_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Strategy
    from pigro.model.composition import Composition

SCHEMA: Final = "pigro.composition/1"
_Count = Annotated[int, Meta(ge=0)]
_Seconds = Annotated[float, Meta(ge=0)]
_Value = Literal["holds", "fails", "unknown"]


class LayerData(msgspec.Struct, forbid_unknown_fields=True):
    """A game that was played."""

    parts: list[str]
    value: _Value
    nodes: _Count
    edges: _Count
    open_nodes: _Count
    open_edges: _Count
    seconds: _Seconds


class RoundData(msgspec.Struct, forbid_unknown_fields=True):
    """A round of refinement."""

    blocks: list[_Count]
    layers: list[LayerData]
    findings: list[dict[str, Any]]
    splits: _Count


class ResultData(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict on one formula."""

    formula: str
    verdict: _Value
    reason: str
    method: str
    decided_by: list[str]
    seconds: _Seconds
    full_nodes: _Count | None
    layers: list[LayerData]
    rounds: list[RoundData]
    symbolic: dict[str, Any] | None
    evidence: dict[str, Any] | UnsetType = UNSET


class ResultsData(msgspec.Struct, forbid_unknown_fields=True):
    """All results."""

    schema: Literal["pigro.composition/1"]
    parts: list[dict[str, Any]]
    composed_states: _Count | None
    dead_ends: Literal["stutter", "stop"]
    results: list[ResultData]
    warnings: list[str]
    load_seconds: _Seconds | UnsetType | None = UNSET


def read_results(composition: Composition, decoded: object) -> ResultsData:
    """The results of a document that was decoded.

    `NotEvidence` if it holds none, `Mismatch` if it is about other parts.
    """
    found = converted(decoded, ResultsData)
    need_evidence(found.results)
    if found.parts != parts_json(composition):
        raise Mismatch("the results are about other parts")
    return found


def parts_json(composition: Composition) -> list[dict[str, object]]:
    """What the parts are like, in order."""
    return [
        {
            "name": part.name,
            "states": len(part.states),
            "steps": len(part.targets),
            "labels": list(part.atoms),
            "actions": None if part.actions is None else list(part.actions),
        }
        for part in composition.parts
    ]


def check_system(composition: Composition, told: ResultsData) -> None:
    """`WrongEvidence` if what the file says of the parts together is wrong."""
    need(told.composed_states == states_of(composition), "it has another number of composed states")


def states_of(composition: Composition) -> int | None:
    """How many composed states there are; None: too many combinations to count."""
    try:
        return composition.states
    except ModelError:
        return None


def check_result(
    composition: Composition, told: ResultsData, row: ResultData, strategy: Strategy
) -> None:
    """`WrongEvidence` if a result says something else than its strategy, which is right."""
    assert row.evidence is not UNSET, "else there is no strategy"
    inside = (row.evidence["formula"], row.evidence["verdict"])
    same = (row.formula, row.verdict) == inside
    need(same, "the evidence is for another formula or verdict than the result")
    need(
        told.dead_ends == strategy.dead_ends,
        f"the evidence reads dead ends as {strategy.dead_ends}, the results do not",
    )
    need(row.method in METHODS, "there is no such method")
    need(row.symbolic is None and row.method != "symbolic", "the symbolic method has no evidence")
    names = [part.name for part in composition.parts]
    _check_names(row.decided_by, names)
    places = Rules(composition, strategy).starts()
    used = {names[part] for at, _ in places for part in strategy.layers[at].parts}
    need(used <= set(row.decided_by), "the strategy needs other parts than those that decided")
    reason = reason_of(composition, row.method, tuple(row.decided_by))
    need(row.reason == reason, "the reason is not what the verdict means")


def check_row(composition: Composition, told: ResultsData, row: ResultData) -> None:
    """`WrongEvidence` if a result, with evidence or without, names what there is not."""
    try:
        form = require_modal(parse(row.formula), dead_ends=told.dead_ends)
    except (FormulaError, CheckError):
        raise WrongEvidence("its formula can't be read") from None
    check_actions(form, composition)
    need(row.method in METHODS, "there is no such method")
    names = [part.name for part in composition.parts]
    need(row.verdict != "unknown" or not row.decided_by, "nobody decided it")
    states = states_of(composition)
    bound = None if states is None else states * len(form)
    need(row.full_nodes == bound, "the game in full has another number of nodes")
    for layer in (*row.layers, *(layer for each in row.rounds for layer in each.layers)):
        _check_names(layer.parts, names)
        enough = bool(row.rounds) or set(row.decided_by) <= set(layer.parts)
        shown = layer.value == row.verdict and enough  # in rounds, other games may have helped
        need(layer.value == "unknown" or shown, "a game has a value that is not shown")


def _check_names(told: Sequence[str], names: Sequence[str]) -> None:
    """Some of the parts, in their order."""
    need(told and list(told) == [name for name in names if name in told], "these are not parts")
