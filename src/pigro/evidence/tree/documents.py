"""Evidence of CTL as a JSON document, and back. What it needs to be checked is the certificate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError, FormulaError
from pigro.evidence.data import EVIDENCE, ItemData, NotEvidence, TreeDocument, WrongEvidence
from pigro.evidence.documents import decode_tree, encode_tree
from pigro.evidence.states import Evidence
from pigro.logic import existential_normal_form, parse

if TYPE_CHECKING:
    from pigro.evidence.data import Decided
    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.tables import DocumentStates, StateTables
    from pigro.logic import Formula


def piece(tables: StateTables, shown: ShownEvidence, certificate: str | int) -> TreeDocument:
    """The document for a verdict, its states in other tables."""
    form = existential_normal_form(shown.formula)
    word: Decided = "holds" if shown.holds else "fails"
    items = encode_tree(shown.subject, tables, shown.evidence, form.text, ItemData)
    return TreeDocument(EVIDENCE, str(shown.formula), word, certificate, items)


def formula_of(found: TreeDocument) -> Formula:
    """The formula of a document. `NotEvidence` if it is none of CTL."""
    try:
        return parse(found.formula).require_ctl()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None


def read_piece(numbered: DocumentStates, found: TreeDocument) -> Evidence:
    """The tree of a document, with states in these tables."""
    form = existential_normal_form(formula_of(found))

    def text(part: int) -> str:
        if not 0 <= part < len(form):
            raise WrongEvidence("a subformula is not there")
        return form.text(part)

    return decode_tree(numbered, found.evidence, text, Evidence)
