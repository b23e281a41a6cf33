"""Results that `pigro check --format json` wrote, read back to be judged.

Evidence is judged by its replay. Here is the rest: names, formulas and verdicts are compared with
the model and with the evidence. Sentences for people, sizes and times are not judged.
Docs/evidence.md lists them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.diagnostics import FormulaError, UsageError, printable
from pigro.engines import ENGINES
from pigro.evidence.data import NotEvidence, converted, need
from pigro.limits import Budget
from pigro.logic import parse
from pigro.logic.printer import paths_of
from pigro.model import DeadEnds
from pigro.session.findings import need_evidence
from pigro.session.formulas import shared_labels
from pigro.session.results import ModelResults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model import RSM
    from pigro.session.results import ModelResult


def read_results(decoded: object) -> ModelResults:
    """The results of a document that was decoded. `NotEvidence` if it holds none."""
    found = converted(decoded, ModelResults)
    need_evidence(found.results)
    if found.tables is UNSET or found.certificates is UNSET:
        raise NotEvidence("the tables or the certificates of the evidence are missing")
    return found


def check_model(told: ModelResults, model: RSM) -> None:
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


def check_row(row: ModelResult, model: RSM) -> None:
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


def check_result(told: ModelResults, row: ModelResult, model: RSM) -> None:
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


def _check_vacuous(row: ModelResult, model: RSM) -> None:
    """`WrongEvidence` if a result says that its premise is never true, and that is not known."""
    if row.vacuous is not UNSET:
        from pigro.engines.vacuity import Vacuity
        from pigro.verdict import CheckStats, Verdict

        verdict = Verdict(model, parse(row.formula), row.verdict == "holds", "", CheckStats(0.0))
        need(Vacuity(Budget()).has(verdict), "the premise of the formula is not shown to be false")


def _check_written(model: RSM, row: ModelResult) -> None:
    """`WrongEvidence` unless the formula that was checked means the one in the file."""
    if row.written is UNSET or row.paths is UNSET:
        return
    meanings = getattr(model.document, "meanings", None)
    found = () if meanings is None else meanings(parse(row.written))
    same = any(each == parse(row.formula) and paths_of(each) == row.paths for each in found)
    need(same, "the formula is not the one that was written")
