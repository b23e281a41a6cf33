"""Results that `pigro check --format json` wrote, read back to be judged by `validate-witness`.

Evidence is judged by its replay. Here is the rest: each text is compared with the model, with the
evidence or with the verdict that the evidence shows. What only tells of the run of `pigro check`,
such as seconds, can't be judged; docs/evidence.md lists it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pigro.cli.checking import CUT_SHORT
from pigro.diagnostics import FormulaError, PigroError, UsageError, printable
from pigro.engines import ENGINES, choose_engine, unknown_labels, with_depth
from pigro.engines.reason import explain
from pigro.evidence.tables import TablesData  # noqa: TC001 - msgspec reads the annotations
from pigro.evidence.tree_json import NotEvidence
from pigro.evidence.walking import WrongEvidence, need
from pigro.logic import parse
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.engines.labels import UnknownLabels
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA: Final = "pigro.result/2"
_Count = Annotated[int, Meta(ge=0)]
_Seconds = Annotated[float, Meta(ge=0)]
_Semantics = Literal["standard", "rsmcheck", "rmv"]
_DeadEnds = Literal["stutter", "stop", "error"]
_TO_A_FILE = "; to read formulas from the file "


class ModelData(msgspec.Struct, forbid_unknown_fields=True):
    """The model and how it was read."""

    file: str | None
    semantics: _Semantics
    dead_ends: _DeadEnds
    initial: list[str]
    statistics: dict[str, int | bool] | UnsetType = UNSET
    load_seconds: _Seconds | UnsetType | None = UNSET


class CertificateData(msgspec.Struct, forbid_unknown_fields=True):
    """What the proof cost."""

    engine: str
    bytes: _Count
    seconds: _Seconds
    verify_seconds: _Seconds | None


class ResultData(msgspec.Struct, forbid_unknown_fields=True):
    """The verdict on one formula."""

    formula: str
    verdict: Literal["holds", "fails", "unknown"]
    reason: str
    engine: str
    contexts: _Count | None
    seconds: _Seconds
    initial: list[str] | UnsetType = UNSET
    visited: _Count | UnsetType | None = UNSET
    passes: _Count | UnsetType | None = UNSET
    states: _Count | UnsetType | None = UNSET
    certificate: CertificateData | UnsetType = UNSET
    evidence: dict[str, Any] | UnsetType = UNSET
    steps: list[dict[str, Any]] | UnsetType = UNSET


class ResultsData(msgspec.Struct, forbid_unknown_fields=True):
    """All results."""

    schema: Literal["pigro.result/2"]
    model: ModelData
    results: list[ResultData]
    warnings: list[str]
    certificates: str | UnsetType = UNSET
    tables: TablesData | UnsetType = UNSET


def read_results(decoded: object) -> ResultsData:
    """The results of a document that was decoded; `NotEvidence` if it holds none."""
    try:
        found = msgspec.convert(decoded, type=ResultsData)
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise NotEvidence(str(error)) from None
    if all(each.evidence is UNSET for each in found.results):
        raise NotEvidence("no result has evidence")
    if found.tables is UNSET or found.certificates is UNSET:
        raise NotEvidence("the tables or the certificates of the evidence are missing")
    return found


def check_model(told: ResultsData, model: RSM) -> None:
    """`WrongEvidence` if what the file says of the model, which was read so, is wrong."""
    said = told.model
    nodes = nodes_of(model, said.initial)
    need(nodes, "its initial nodes are not nodes of the model")
    used = any(row.initial is UNSET and row.evidence is not UNSET for row in told.results)
    need(
        used or nodes == list(model.initial),
        "its initial nodes are not those of the model, and no evidence starts there",
    )
    if said.statistics is not UNSET:
        counted = model.with_initial(nodes).statistics.as_dict()
        same = json.dumps(said.statistics, sort_keys=True) == json.dumps(counted, sort_keys=True)
        need(same, "its statistics are not those of the model")


def nodes_of(model: RSM, names: Sequence[str]) -> list[int]:
    """The nodes that names say, each once and in full; none if they are not that."""
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


def check_result(told: ResultsData, row: ResultData, model: RSM, depth: int | None) -> None:
    """`WrongEvidence` if a result whose evidence is right says something else that is not.

    `model` is read, and starts, as the evidence says; `depth` is that of the evidence, if any.
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
    need(initial == starts, "the evidence starts at other nodes than the result says")
    need(row.initial != said.initial, "the result repeats the initial nodes of the model")
    try:
        reason = _reason(model, parse(row.formula), row.verdict == "holds", depth)
    except PigroError as error:
        raise WrongEvidence(f"the reason can't be judged: {error.message}") from None
    need(row.reason == reason, "the reason is not what the verdict means")


def _reason(model: RSM, formula: Formula, holds: bool, depth: int | None) -> str:  # noqa: FBT001
    """The sentence for a verdict; where it fails at one of several nodes, that is decided again."""
    if holds or len(model.initial) == 1:
        return explain(model, formula, tuple((node, holds) for node in model.initial))
    engine = choose_engine("auto")
    if depth is not None:
        engine = with_depth(engine, depth)
    return engine(model, formula).reason


def judged_warnings(told: ResultsData, model: RSM) -> Iterator[tuple[str, bool | None]]:
    """Each warning of the file, and whether it is right; None if that can't be judged.

    Those about labels that no node carries can, unless results are missing.
    """
    whole = not any(CUT_SHORT in warning for warning in told.warnings)
    candidates: list[UnknownLabels] | None = None
    for warning in told.warnings:
        if unknown_labels(model, ()).nowhere not in warning:
            yield warning, None
            continue
        if candidates is None:
            candidates = _label_warnings(model, [parse(row.formula) for row in told.results])
        alike = (each for each in candidates if warning.startswith(each.lead))
        right = {each.message() for each in alike}  # takes long, so not for all
        if warning in right:
            yield warning, True
        else:
            known = not whole or warning.partition(_TO_A_FILE)[0] in right
            yield warning, None if known else False


def _label_warnings(model: RSM, formulas: Sequence[Formula]) -> list[UnknownLabels]:
    """What `pigro check` may have said of these formulas, of which the model's file states some."""
    strange = [
        bool(each.atoms) and not any(atom in model.label_ids for atom in each.atoms)
        for each in formulas
    ]
    found = {}
    for given in range(len(formulas) + 1):  # the file's own formulas come last
        if given and strange[given - 1]:
            continue  # nothing new: it counts as the file's own too
        own = [each for each, odd in zip(formulas[given:], strange[given:], strict=True) if odd]
        unknown = unknown_labels(model, (*formulas[:given], *own))
        found[unknown.names] = unknown
    return [each for each in found.values() if each]
