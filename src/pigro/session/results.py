"""The results of `pigro check` and `pigro compose` as JSON documents: one envelope, and its rows.

Writers make values of these types, readers take such values, and the JSON schemas are made from
them. `pigro validate-witness` does not judge sentences for people, sizes and times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.evidence.completion.data import FinishedData  # noqa: TC001 - type of a field
from pigro.evidence.data import (
    Base64,
    Count,
    DeadEndsRead,
    EvidenceData,
    Names,
    Reading,
    Seconds,
    StatisticsData,
    TablesData,
    Text,
    Value,
    asks,
    both,
)
from pigro.options import METHODS

if TYPE_CHECKING:
    from typing import Self

    from pigro.model import RSM
    from pigro.model.lazy.seen import AnyPart
    from pigro.model.space import Model

MODEL: Final = "pigro.result/2"
COMPOSITION: Final = "pigro.composition/1"


class ModelRead(msgspec.Struct, forbid_unknown_fields=True):
    """The model and how it was read."""

    file: str | None
    """The file as given, `<stdin>` for standard input, null for a model made by a program."""
    semantics: Reading
    """How calls of nodes that are entry and exit at once are read."""
    dead_ends: DeadEndsRead
    """What a run does where no step leads on."""
    initial: Names
    """The nodes that the formulas were checked at, as COMPONENT:NODE. If states are computed on
    demand: those that evidence starts at, or one of them.
    """

    @classmethod
    def of(cls, model: Model, shown: RSM, **more: Any) -> Self:
        """The head of a document about a model. Its initial nodes are those of `shown`."""
        return cls(
            file=model.source,
            semantics=model.semantics.value,
            dead_ends=model.dead_ends.value,
            initial=[shown.node_name(node) for node in shown.initial],
            **more,
        )


class ModelHeadData(ModelRead, forbid_unknown_fields=True):
    """The model and how it was read."""

    statistics: StatisticsData | UnsetType = UNSET
    """Only with --stats. Like all sizes and times, `pigro validate-witness` does not judge it."""
    load_seconds: Seconds | UnsetType | None = UNSET
    """Time to read the model. Only with --stats."""


class ResultRow(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The verdict on one formula, about whatever it is."""

    formula: Text
    """In canonical form, never shortened: as it was checked."""
    verdict: Value
    """Whether the formula holds in every initial state."""
    reason: Text
    """One sentence for people, which `pigro validate-witness` does not read. Long subformulas are
    shortened. If unknown: why.
    """
    seconds: Seconds
    """Time for checking alone."""


class CertificateData(msgspec.Struct, forbid_unknown_fields=True):
    """The proof of the verdict. Only with --certificate or --verify."""

    engine: Text
    """The engine that proved it: demand, where the one that answered has no proofs."""
    bytes: Count
    """Its size, new lemmas included."""
    seconds: Seconds
    """Time to make it, after the verdict was there."""
    verify_seconds: Seconds | None
    """Time to check it. Null without --verify."""


class ExitContextData(msgspec.Struct, forbid_unknown_fields=True):
    """What a context says of one exit."""

    exit: str
    formula: str
    value: Literal["true", "false"]


class EngineStepData(msgspec.Struct, forbid_unknown_fields=True):
    """One step of an engine that tells its steps."""

    action: Literal["initialize", "contextualize", "resolve", "visit", "label"]
    formula: Text
    """The subformula that asked for the step."""
    value: Literal["true", "false"] | None
    """For resolve: what the subformula is worth on the cycle. For label: at the nodes."""
    nodes: list[str]
    """The exits where that subformula was unknown. For label, the nodes that got a label."""
    box: str | None
    """For contextualize: the box."""
    caller: str | None
    """For contextualize: the instance with the box, COMPONENT#NUMBER."""
    instance: str | None
    """The instance under the context."""
    built: bool
    """Whether the instance is new."""
    context: list[ExitContextData]
    """What the context says. Unknown values are left out."""
    reason: str | UnsetType = UNSET
    """For visit: the kind of checking that led there. For label: the iteration."""


class ModelResult(ResultRow, forbid_unknown_fields=True, kw_only=True):
    """The verdict on one formula about a model."""

    engine: Text
    """The engine that answered."""
    contexts: Count | None
    """Instances of components under a context that were built. Null where the engine has none."""
    written: Text | UnsetType = UNSET
    """The formula as it was written, if the file of the model says that it is about some paths
    only. Then `formula` says so in CTL*.
    """
    paths: Literal["fair", "endless"] | UnsetType = UNSET
    """Which paths these are."""
    initial: Names | UnsetType = UNSET
    """The nodes that the formula was checked at, as COMPONENT:NODE, if not those of the model."""
    visited: Count | UnsetType | None = UNSET
    """Pairs of an entry under a context and a node, or assertions, that searches reached. Only with
    --stats.
    """
    passes: Count | UnsetType | None = UNSET
    """Instances whose node values were computed. Only with --stats."""
    states: Count | UnsetType | None = UNSET
    """States that were looked at, for engines that look at states. Only with --stats."""
    certificate: CertificateData | UnsetType = UNSET
    evidence: EvidenceData | UnsetType = UNSET
    """Why. Only with --witness. Of CTL: paths and claims, with the number of their certificate,
    described by evidence.schema.json. Of LTL and CTL*: runs and claims, described by
    run.schema.json. Of the mu-calculus: a strategy, described by game.schema.json.
    """
    vacuous: Literal[True] | UnsetType = UNSET
    """The formula is `AG (p -> q)`, and holds only because no reachable state satisfies p."""
    caveat: Text | UnsetType = UNSET
    """Why the verdict may be wrong. Only with --variant tool, which is not sound."""
    activations: Names | UnsetType = UNSET
    """Recursive functions with local variables that the formula is about, if there are any. All
    activations of a function share the labels of its variables, so the verdict may be wrong about
    a variable of one activation.
    """
    steps: list[EngineStepData] | UnsetType = UNSET
    """What the engine did, in order. Only with --trace."""


class ResultsData(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Results of a check: its subject, a result for each formula, and warnings."""

    schema: str
    """Names this format and its version. The version grows when a reader would have to change."""
    results: list[Any]
    """A result for each formula that was checked, in the order given."""
    warnings: list[Text]
    """Sentences for people, such as that nothing has a label or that the run was interrupted.
    `pigro validate-witness` does not read them.
    """


class ModelResults(ResultsData, forbid_unknown_fields=True, kw_only=True):
    """What `pigro check --format json` writes about a model: one object."""

    schema: Literal["pigro.result/2"]
    model: Annotated[ModelHeadData, both("statistics", "load_seconds")]
    results: list[
        Annotated[ModelResult, both("visited", "passes", "states"), both("written", "paths")]
    ]
    certificates: Base64 | UnsetType = UNSET
    """The certificates of all evidence that has one, in base64: a file as `--certificate` writes
    it, empty if there are none. Only with --witness.
    """
    tables: TablesData | UnsetType = UNSET


Whole = Annotated[ModelResults, both("certificates", "tables")]


class PartSizeData(msgspec.Struct, forbid_unknown_fields=True):
    """A part."""

    name: str
    states: Count | None
    """Null if they are not listed."""
    steps: Count | None
    labels: list[str]
    """Those that the part sees."""
    actions: list[str] | None
    """Null for a part that moves in step with all others."""

    @classmethod
    def of(cls, part: AnyPart) -> Self:
        """What a part is like."""
        return cls(
            part.name,
            len(part.states) if part.is_listed else None,
            len(part.targets) if part.is_listed else None,
            list(part.atoms),
            None if part.actions is None else list(part.actions),
        )


class LayerGameData(msgspec.Struct, forbid_unknown_fields=True):
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
    layers: list[LayerGameData]
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


class CompositionResult(ResultRow, forbid_unknown_fields=True, kw_only=True):
    """The verdict on one formula about a composition."""

    method: Annotated[str, asks(enum=list(METHODS))]
    decided_by: list[str]
    """The parts that were needed, by name. None if the verdict is unknown, and all with the method
    full.
    """
    full_nodes: Count | None
    """The most nodes that a game on everything composed can have: composed states times
    subformulas. `pigro validate-witness` does not judge it.
    """
    layers: list[LayerGameData]
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


class CompositionResults(ResultsData, forbid_unknown_fields=True, kw_only=True):
    """What `pigro compose --format json` writes: one object."""

    schema: Literal["pigro.composition/1"]
    parts: Annotated[list[PartSizeData], asks(minItems=1)]
    """The parts that were composed, in order."""
    composed_states: Count | None
    """Tuples of states that can agree on the joint labels, reachable or not. Null if there are too
    many to count. Like all sizes and times, `pigro validate-witness` does not judge it.
    """
    dead_ends: Literal["stutter", "stop"]
    """How CTL reads states without a next state."""
    load_seconds: Seconds | UnsetType = UNSET
    """Time to read the parts. Only with --stats."""
    results: list[CompositionResult]
