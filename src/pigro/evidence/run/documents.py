"""Evidence of runs as a JSON document, and back.

It has no certificate. It says how the model was read and where it starts, so that facts and claims
can be decided again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError
from pigro.evidence.data import RUN, NotEvidence, RunDocument, RunItemData, WrongEvidence
from pigro.evidence.documents import decode_tree, encode_tree, started
from pigro.evidence.states import RunEvidence
from pigro.logic import parse
from pigro.logic.printer import text_of

if TYPE_CHECKING:
    from pigro.evidence.kinds import SharedEvidence, ShownEvidence
    from pigro.evidence.tables import StateTables
    from pigro.logic import Formula
    from pigro.model import RSM


def run_piece(tables: StateTables, shown: ShownEvidence) -> RunDocument:
    """The document for a verdict, its states in other tables."""
    model, formula, evidence = shown.subject, shown.formula, shown.evidence
    nodes = evidence.nodes_of(model)
    initial = [evidence.state.node] if nodes.is_partial else list(nodes.initial)
    return RunDocument(
        schema=RUN,
        formula=str(formula),
        verdict="holds" if shown.holds else "fails",
        semantics=model.semantics.value,
        dead_ends=model.dead_ends.value,
        initial=initial,
        depth=evidence.depth,
        digest=model.digest.hex(),
        evidence=encode_tree(
            nodes, tables, evidence, lambda part: text_of(formula, part), RunItemData
        ),
    )


def read_run(
    model: RSM, found: RunDocument, shared: SharedEvidence
) -> tuple[RSM, Formula, RunEvidence]:
    """The model as it starts for the document, the formula, and the tree.

    `shared` has the states, if the document has no tables of its own. `NotEvidence` if it is no
    evidence, `Mismatch` if it is about another model, `WrongEvidence` if its states or subformulas
    are not those of the model and the formula.
    """
    if found.digest != (shared.digest or model.digest).hex():
        raise Mismatch("the evidence is about another model")
    try:
        formula = parse(found.formula).refuse_mu()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    model = started(model, found.initial).about(formula.atoms)
    numbered = shared.numbered(model, found.tables, formula)

    def text(part: int) -> str:
        if not 0 <= part < len(formula):
            raise WrongEvidence("a subformula is not there")
        return text_of(formula, part)

    evidence = decode_tree(numbered, found.evidence, text, RunEvidence)
    return model, formula, replace(evidence, depth=found.depth)
