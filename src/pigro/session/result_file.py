"""Results that `pigro check --format json` wrote, read back to be judged.

Evidence is judged by its replay. Here is the rest: names, formulas and verdicts are compared with
the model and with the evidence. Sentences for people, sizes and times are not judged.
Docs/evidence.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.diagnostics import FormulaError, UsageError, printable
from pigro.engines import ENGINES
from pigro.evidence.data import (
    Base64,
    Count,
    DeadEndsRead,
    EvidenceData,
    Names,
    NotEvidence,
    Reading,
    Seconds,
    StatisticsData,
    TablesData,
    Text,
    Value,
    both,
    converted,
    need,
)
from pigro.limits import Budget
from pigro.logic import parse
from pigro.logic.printer import paths_of
from pigro.model import DeadEnds
from pigro.session.findings import need_evidence
from pigro.session.formulas import shared_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model import RSM

SCHEMA: Final = "pigro.result/2"


class ModelData(msgspec.Struct, forbid_unknown_fields=True):
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
    statistics: StatisticsData | UnsetType = UNSET
    """Only with --stats. Like all sizes and times, `pigro validate-witness` does not judge it."""
    load_seconds: Seconds | UnsetType | None = UNSET
    """Time to read the model. Only with --stats."""


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


class ContextData(msgspec.Struct, forbid_unknown_fields=True):
    """What a context says of one exit."""

    exit: str
    formula: str
    value: Literal["true", "false"]


class StepData(msgspec.Struct, forbid_unknown_fields=True):
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
    context: list[ContextData]
    """What the context says. Unknown values are left out."""
    reason: str | UnsetType = UNSET
    """For visit: the kind of checking that led there. For label: the iteration."""


class ResultData(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict on one formula."""

    formula: Text
    """In canonical form, never shortened: as it was checked."""
    verdict: Value
    """Whether the formula holds at every initial node."""
    reason: Text
    """One sentence for people, which `pigro validate-witness` does not read. Long subformulas are
    shortened. If unknown: why.
    """
    engine: Text
    """The engine that answered."""
    contexts: Count | None
    """Instances of components under a context that were built. Null where the engine has none."""
    seconds: Seconds
    """Time for checking alone."""
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
    steps: list[StepData] | UnsetType = UNSET
    """What the engine did, in order. Only with --trace."""


class ResultsData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro check --format json` writes: one object."""

    schema: Literal["pigro.result/2"]
    """Names this format and its version. The version grows when a reader would have to change."""
    model: Annotated[ModelData, both("statistics", "load_seconds")]
    results: list[
        Annotated[ResultData, both("visited", "passes", "states"), both("written", "paths")]
    ]
    """A result for each formula that was checked, in the order given."""
    warnings: list[Text]
    """Sentences for people, such as that no node carries a label or that the run was interrupted.
    `pigro validate-witness` does not read them.
    """
    certificates: Base64 | UnsetType = UNSET
    """The certificates of all evidence that has one, in base64: a file as `--certificate` writes
    it, empty if there are none. Only with --witness.
    """
    tables: TablesData | UnsetType = UNSET


Whole = Annotated[ResultsData, both("certificates", "tables")]


def read_results(decoded: object) -> ResultsData:
    """The results of a document that was decoded. `NotEvidence` if it holds none."""
    found = converted(decoded, ResultsData)
    need_evidence(found.results)
    if found.tables is UNSET or found.certificates is UNSET:
        raise NotEvidence("the tables or the certificates of the evidence are missing")
    return found


def check_model(told: ResultsData, model: RSM) -> None:
    """`WrongEvidence` if what the file says of the model, which was read so, is wrong."""
    said = told.model
    if model.is_partial:
        known = {model.node_name(node) for node in model.initial}
        need(known == set(said.initial), "its initial nodes are not those of the evidence")
        return
    nodes = nodes_of(model, said.initial)
    need(nodes, "its initial nodes are not nodes of the model")
    used = any(row.initial is UNSET and row.evidence is not UNSET for row in told.results)
    need(
        used or nodes == list(model.initial),
        "its initial nodes are not those of the model, and no evidence starts there",
    )


def nodes_of(model: RSM, names: Sequence[str]) -> list[int]:
    """The nodes that names say, each once and in full. None if they are not that."""
    found: list[int] = []
    for name in names:
        try:
            node = model.find(name)
        except UsageError:
            return []
        if node in found or model.node_name(node) != name:
            return []
        found.append(node)
    return found


def check_row(row: ResultData, model: RSM) -> None:
    """`WrongEvidence` if a result, with evidence or without, names what there is not."""
    need(is_formula(row.formula), "its formula can't be read")
    engines = [row.engine] + ([] if row.certificate is UNSET else [row.certificate.engine])
    for name in engines:
        need(name in ENGINES, f"there is no engine {printable(name)!r}")
    if row.initial is not UNSET:
        need(nodes_of(model, row.initial), "its initial nodes are not nodes of the model")


def is_formula(text: str) -> bool:
    """Whether a text is a formula, of any logic."""
    try:
        parse(text)
    except FormulaError:
        return False
    return True


def check_result(told: ResultsData, row: ResultData, model: RSM) -> None:
    """`WrongEvidence` if a result whose evidence is right says something else that is not.

    `model` is read, and starts, as the evidence says.
    """
    said = told.model
    need(
        said.semantics == str(model.semantics),
        f"the evidence reads the model in {model.semantics} semantics, the results do not",
    )
    need(
        (said.dead_ends == "stop") is (model.dead_ends is DeadEnds.STOP),
        f"the evidence reads dead ends as {model.dead_ends}, the results do not",
    )
    initial = said.initial if row.initial is UNSET else row.initial
    starts = [model.node_name(node) for node in model.initial]
    same = initial == starts or (model.is_partial and set(starts) <= set(initial))
    need(same, "the evidence starts at other nodes than the result says")
    need(row.initial != said.initial, "the result repeats the initial nodes of the model")
    _check_written(model, row)
    functions = () if row.activations is UNSET else tuple(row.activations)
    same = functions == shared_labels(model, parse(row.formula))
    need(same, "the recursive functions are not those of the formula")
    _check_vacuous(row, model)


def _check_vacuous(row: ResultData, model: RSM) -> None:
    """`WrongEvidence` if a result says that its premise is never true, and that is not known."""
    if row.vacuous is not UNSET:
        from pigro.engines.vacuity import Vacuity
        from pigro.verdict import CheckStats, Verdict

        verdict = Verdict(model, parse(row.formula), row.verdict == "holds", "", CheckStats(0.0))
        need(Vacuity(Budget()).has(verdict), "the premise of the formula is not shown to be false")


def _check_written(model: RSM, row: ResultData) -> None:
    """`WrongEvidence` unless the formula that was checked means the one in the file."""
    if row.written is UNSET or row.paths is UNSET:
        return
    meanings = getattr(model.document, "meanings", None)
    found = () if meanings is None else meanings(parse(row.written))
    same = any(each == parse(row.formula) and paths_of(each) == row.paths for each in found)
    need(same, "the formula is not the one that was written")
