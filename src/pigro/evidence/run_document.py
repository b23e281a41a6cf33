"""Evidence of runs as a JSON document, described by run.schema.json next to this file, and back.

There is no certificate in it. Instead it says how the model was read and where it starts, so that
its facts and claims can be decided again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Protocol

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, ModelError
from pigro.evidence.document import Provable, in_ascii
from pigro.evidence.tables import Numbered, Tables, TablesData
from pigro.evidence.tree_json import ItemData, NotEvidence, put, take
from pigro.evidence.walking import WrongEvidence, need
from pigro.logic import parse
from pigro.logic.printer import text_of
from pigro.model.json_keys import require_distinct_keys

if TYPE_CHECKING:
    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA: Literal["pigro.run/2"] = "pigro.run/2"


class RunDocument(msgspec.Struct, forbid_unknown_fields=True):
    """A whole document."""

    schema: Literal["pigro.run/2"]
    formula: str
    verdict: Literal["holds", "fails"]
    semantics: Literal["standard", "rsmcheck", "rmv"]
    dead_ends: Literal["stutter", "stop", "error"]
    initial: list[int]
    depth: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None
    digest: str
    evidence: list[ItemData]
    tables: TablesData | UnsetType = UNSET
    """Not among results, which have tables of their own."""


class Showable(Provable, Protocol):
    """What a verdict must have."""

    @property
    def depth(self) -> int | None:
        """How high stacks may get, for whoever decides again; None: as high as they do."""


def run_document(verdict: Showable, evidence: Evidence) -> bytes:
    """The document for a verdict on a formula outside of CTL, as ASCII."""
    tables = Tables()
    made = run_piece(tables, verdict, evidence)
    made.tables = tables.data(verdict.model.showing(verdict.formula.atoms))
    return in_ascii(made)


def run_piece(tables: Tables, verdict: Showable, evidence: Evidence) -> RunDocument:
    """The document for a verdict, its states in other tables."""
    model, formula = verdict.model, verdict.formula
    return RunDocument(
        schema=SCHEMA,
        formula=str(formula),
        verdict="holds" if verdict.holds else "fails",
        semantics=model.semantics.value,
        dead_ends=model.dead_ends.value,
        initial=list(model.initial),
        depth=verdict.depth,
        digest=model.digest.hex(),
        evidence=put(tables, evidence, lambda part: text_of(formula, part), runs=True),
    )


def run_head(data: bytes) -> RunDocument:
    """The document, unread; `NotEvidence` if it is none."""
    require_distinct_keys(data, None)
    try:
        found = msgspec.json.decode(data, type=RunDocument)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotEvidence(str(error)) from None
    if found.tables is UNSET:
        raise NotEvidence("this is a part of results")
    return found


def read_run(
    model: RSM, found: RunDocument, numbered: Numbered | None = None
) -> tuple[RSM, Formula, Evidence]:
    """The model as it starts for the document, the formula, and the tree.

    `numbered` has the states, if the document has no tables of its own. `NotEvidence` if it is no
    evidence, `Mismatch` if it is about another model, `WrongEvidence` if its states or subformulas
    are not those of the model and the formula.
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
    if numbered is None:
        assert found.tables is not UNSET, "it was looked at"
        numbered = Numbered(model.showing(formula.atoms), found.tables)

    def text(part: int) -> str:
        if not 0 <= part < len(formula):
            raise WrongEvidence("a subformula is not there")
        return text_of(formula, part)

    return model, formula, take(numbered, found.evidence, text, runs=True)
