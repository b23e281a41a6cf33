"""Results that `pigro compose --format json` wrote, read back to be judged.

Strategies are judged by their replay. Here is the rest: names, formulas and verdicts are compared
with the parts and with the strategy. Sentences for people, sizes, times and the rounds of
refinement are not judged. Docs/evidence.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError
from pigro.engines.game.checking import is_about_runs, require_modal
from pigro.engines.table import METHODS
from pigro.evidence.data import (
    Count,
    Decided,
    EvidenceData,
    Seconds,
    Text,
    Value,
    WrongEvidence,
    asks,
    converted,
    need,
)
from pigro.evidence.strategy.replay import Rules, check_actions
from pigro.logic import parse
from pigro.model.part import Part
from pigro.session.findings import need_evidence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Strategy
    from pigro.model.composition import Composition

SCHEMA: Final = "pigro.composition/1"


class PartData(msgspec.Struct, forbid_unknown_fields=True):
    """A part."""

    name: str
    states: Count | None
    """Null if they are not listed."""
    steps: Count | None
    labels: list[str]
    """Those that the part sees."""
    actions: list[str] | None
    """Null for a part that moves in step with all others."""


class LayerData(msgspec.Struct, forbid_unknown_fields=True):
    """A game that was played on some of the parts, the others unknown."""

    parts: list[str]
    """By name."""
    value: Value
    """Unknown where the parts of a game do not decide it."""
    nodes: Count
    edges: Count
    open_nodes: Count
    """Undecided nodes, with what they lead to. 0 if the value is definite."""
    open_edges: Count
    seconds: Seconds


class DoubtData(msgspec.Struct, forbid_unknown_fields=True):
    """A label or a step of a block that was in doubt and was then found out."""

    part: str
    """The part that looked more closely, by name."""
    block: str
    """Its first state, with +N if there are N more."""
    label: str | None
    """The label in doubt. Null for a step."""
    action: str | None
    """The action of the step, if parts have actions."""
    target: str | None
    """The block that the step leads to."""
    split: bool
    """Whether the states of the block differed, so that it was split."""


class RoundData(msgspec.Struct, forbid_unknown_fields=True):
    """A round of refinement."""

    blocks: list[Count]
    """Of each part, in order. Its states if it is not abstract."""
    layers: list[LayerData]
    findings: list[DoubtData]
    splits: Count


class SymbolicData(msgspec.Struct, forbid_unknown_fields=True):
    """What the symbolic method took."""

    alone: list[Value]
    """What each part says alone. Parts after one that decides are not asked."""
    second_step: bool
    """Whether the composition was asked."""
    variables: Count
    """Boolean variables of a composed state."""
    nodes: Count
    """The most nodes of decision diagrams at once."""
    rounds_alone: Count
    """Rounds of fixpoints in the parts."""
    rounds: Count
    """Rounds of fixpoints in the composition."""
    package: Literal["cudd", "autoref"]
    """The package that kept the diagrams."""


class PointData(msgspec.Struct, forbid_unknown_fields=True):
    """Something that a part leaves open: a label of a state, or a step."""

    part: str
    state: str
    label: str | None
    """Null for a step."""
    action: str | None
    """Of a step, if parts have actions."""
    target: str | None
    """Of a step."""
    value: bool
    """Whether the label is true, or the step is there."""


class RunData(msgspec.Struct, forbid_unknown_fields=True):
    """A run of composed states."""

    states: list[list[str]]
    """Of each part, by name."""
    ends: Literal["loop", "here", "stays"]
    """After the last state comes that at `start` again, or the run shows it however it goes on. Or
    the last state is a dead end.
    """
    start: Count | None


class FinishedData(msgspec.Struct, forbid_unknown_fields=True):
    """A way to finish the parts."""

    verdict: Decided
    points: list[PointData]
    """What the verdict may depend on."""
    run: RunData | None
    """A run that shows it, where one is enough."""


class ResultData(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict on one formula."""

    formula: Text
    """In canonical form, never shortened."""
    verdict: Value
    """Whether the formula holds in every initial state of the composition."""
    reason: Text
    """One sentence for people, which `pigro validate-witness` does not read: who decided it, or why
    it is unknown.
    """
    method: Annotated[str, asks(enum=list(METHODS))]
    decided_by: list[str]
    """The parts that were needed, by name. None if the verdict is unknown, and all with the method
    full.
    """
    seconds: Seconds
    """Time for checking alone."""
    full_nodes: Count | None
    """The most nodes that a game on everything composed can have: composed states times
    subformulas. `pigro validate-witness` does not judge it.
    """
    layers: list[LayerData]
    """The games that were played, in order. Of refinement, those of the last round."""
    rounds: list[RoundData]
    """Of refinement."""
    symbolic: SymbolicData | None
    finished: list[FinishedData] | UnsetType = UNSET
    """Of LTL and CTL*: a way to finish the parts, or two that have different verdicts. Only with
    --witness, or if there are two.
    """
    evidence: EvidenceData | UnsetType = UNSET
    """A strategy that wins the game, described by strategy.schema.json. Only with --witness."""


class ResultsData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro compose --format json` writes: one object."""

    schema: Literal["pigro.composition/1"]
    """Names this format and its version. The version grows when a reader would have to change."""
    parts: Annotated[list[PartData], asks(minItems=1)]
    """The parts that were composed, in order."""
    composed_states: Count | None
    """Tuples of states that can agree on the joint labels, reachable or not. Null if there are too
    many to count. Like all sizes and times, `pigro validate-witness` does not judge it.
    """
    dead_ends: Literal["stutter", "stop"]
    """How CTL reads states without a next state."""
    results: list[ResultData]
    """A result for each formula that was checked, in the order given."""
    warnings: list[Text]
    """Sentences for people, such as that no part sees a label or that the run was interrupted.
    `pigro validate-witness` does not read them.
    """
    load_seconds: Seconds | UnsetType = UNSET
    """Time to read the parts. Only with --stats."""


def read_results(composition: Composition, decoded: object) -> ResultsData:
    """The results of a document that was decoded.

    `NotEvidence` if it holds none, `Mismatch` if it is about other parts.
    """
    found = converted(decoded, ResultsData)
    if all(row.finished is UNSET for row in found.results):
        need_evidence(found.results)
    if msgspec.to_builtins(found.parts) != parts_json(composition):
        raise Mismatch("the results are about other parts")
    return found


def parts_json(composition: Composition) -> list[dict[str, object]]:
    """What the parts are like, in order."""
    return [
        {
            "name": part.name,
            "states": len(part.states) if isinstance(part, Part) else None,
            "steps": len(part.targets) if isinstance(part, Part) else None,
            "labels": list(part.atoms),
            "actions": None if part.actions is None else list(part.actions),
        }
        for part in composition.parts
    ]


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
    is_symbolic = row.method == "symbolic"
    need((row.symbolic is not None) == is_symbolic, "only the symbolic method has diagrams")
    names = [part.name for part in composition.parts]
    _check_names(row.decided_by, names)
    places = Rules(composition, strategy).starts()
    used = {names[part] for at, _ in places for part in strategy.layers[at].parts}
    need(used <= set(row.decided_by), "the strategy needs other parts than those that decided")


def check_row(composition: Composition, told: ResultsData, row: ResultData) -> None:
    """`WrongEvidence` if a result, with evidence or without, names what there is not."""
    need(row.method in METHODS, "there is no such method")
    need(row.verdict != "unknown" or not row.decided_by, "no part decided it")
    names = [part.name for part in composition.parts]
    _check_formula(composition, told, row)
    for layer in (*row.layers, *(layer for each in row.rounds for layer in each.layers)):
        _check_names(layer.parts, names)
        enough = bool(row.rounds) or set(row.decided_by) <= set(layer.parts)
        shown = layer.value == row.verdict and enough  # in rounds, other games may have helped
        need(layer.value == "unknown" or shown, "a game has a value that is not shown")


def _check_formula(composition: Composition, told: ResultsData, row: ResultData) -> None:
    """`WrongEvidence` if a formula can't be asked about the parts."""
    try:
        formula = parse(row.formula)
        if is_about_runs(formula):
            return
        form = require_modal(formula, dead_ends=told.dead_ends)
    except (FormulaError, CheckError):
        raise WrongEvidence("its formula can't be read") from None
    check_actions(form, composition)


def _check_names(told: Sequence[str], names: Sequence[str]) -> None:
    """Some of the parts, in their order."""
    need(told and list(told) == [name for name in names if name in told], "these are not parts")
