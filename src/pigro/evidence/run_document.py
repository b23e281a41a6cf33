"""Evidence of runs as a JSON document, described by run.schema.json next to this file, and back.

There is no certificate in it. Instead it says how the model was read and where it starts, so that
its facts and claims can be decided again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Literal, Protocol

import msgspec
from msgspec import Meta

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, ModelError
from pigro.evidence.document import Provable
from pigro.evidence.tree_json import EvidenceData, NotEvidence, check_texts, put, take
from pigro.evidence.walking import WrongEvidence, need
from pigro.logic import parse
from pigro.logic.printer import text_of
from pigro.model.json_keys import require_distinct_keys

if TYPE_CHECKING:
    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA = "pigro.run/1"


class RunDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole document."""

    schema: Literal["pigro.run/1"]
    formula: str
    verdict: Literal["holds", "fails"]
    semantics: Literal["standard", "rsmcheck"]
    dead_ends: Literal["stutter", "stop", "error"]
    initial: list[int]
    depth: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None
    digest: str
    evidence: EvidenceData


class Showable(Provable, Protocol):
    """What a verdict must have."""

    @property
    def depth(self) -> int | None:
        """How high stacks may get, for whoever decides again; None: as high as they do."""


def run_document(verdict: Showable, evidence: Evidence) -> bytes:
    """The document for a verdict on a formula outside of CTL, as UTF-8."""
    model, formula = verdict.model, verdict.formula
    shown = model.showing(formula.atoms)
    tree = put(shown, evidence, lambda part: text_of(formula, part), runs=True)
    whole = {
        "schema": SCHEMA,
        "formula": str(formula),
        "verdict": "holds" if verdict.holds else "fails",
        "semantics": str(model.semantics),
        "dead_ends": str(model.dead_ends),
        "initial": list(model.initial),
        "depth": verdict.depth,
        "digest": model.digest.hex(),
        "evidence": msgspec.to_builtins(tree),
    }
    return json.dumps(whole, indent=1).encode()


def run_head(data: bytes) -> RunDocument:
    """The document, unread; `NotEvidence` if it is none."""
    require_distinct_keys(data, None)
    try:
        return msgspec.json.decode(data, type=RunDocument)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotEvidence(str(error)) from None


def read_run(model: RSM, found: RunDocument) -> tuple[RSM, Formula, Evidence]:
    """The model as it starts for the document, the formula, and the tree.

    `NotEvidence` if it is none, `Mismatch` if it is about another model, `WrongEvidence` if its
    states or subformulas are not those of the model and the formula.
    """
    if found.digest != model.digest.hex():
        raise Mismatch("the evidence is about another model")
    try:
        formula = parse(found.formula).refuse_mu()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    try:
        model = model.with_initial(found.initial)
    except ModelError:
        raise WrongEvidence("the initial nodes are none of the model") from None
    need(list(model.initial) == found.initial, "an initial node is named twice")
    model = model.about(formula.atoms)
    evidence = take(model.showing(formula.atoms), found.evidence, runs=True)
    check_texts(found.evidence, len(formula), lambda part: text_of(formula, part))
    return model, formula, evidence
