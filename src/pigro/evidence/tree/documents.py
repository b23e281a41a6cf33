"""Evidence of CTL as a JSON document, and back. What it needs to be checked is the certificate."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.diagnostics import CheckError, FormulaError
from pigro.evidence.data import EVIDENCE, Document, ItemData, NotEvidence, WrongEvidence
from pigro.evidence.documents import in_ascii, put, take, whole_document
from pigro.evidence.kinds import Shown
from pigro.evidence.states import Evidence
from pigro.evidence.tables import Numbered, Tables
from pigro.logic import existential_normal_form, parse

if TYPE_CHECKING:
    from pigro.evidence.data import Decided
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict


def document(verdict: Verdict, certificate: bytes, evidence: Evidence) -> bytes:
    """The document for a verdict, as ASCII."""
    tables = Tables()
    shown = Shown(verdict.subject, verdict.formula, verdict.holds is True, evidence)
    made = piece(tables, shown, base64.b64encode(certificate).decode())
    made.tables = tables.data(shown.subject.showing(shown.formula.atoms))
    return in_ascii(made)


def piece(tables: Tables, shown: Shown, certificate: str | int) -> Document:
    """The document for a verdict, its states in other tables."""
    form = existential_normal_form(shown.formula)
    word: Decided = "holds" if shown.holds else "fails"
    items = put(shown.subject, tables, shown.evidence, form.text, ItemData)
    return Document(EVIDENCE, str(shown.formula), word, certificate, items)


def head_of(data: bytes) -> Document:
    """The document, unread. `NotEvidence` if it is none."""
    found = whole_document(data, Document)
    if isinstance(found.certificate, int):
        raise NotEvidence("this is a part of results")
    return found


def certificate_of(found: Document) -> bytes:
    """The certificate in a document. `NotEvidence` if it is none."""
    try:
        return base64.b64decode(str(found.certificate), validate=True)
    except binascii.Error as error:
        raise NotEvidence(str(error)) from None


def read(model: RSM, data: bytes) -> tuple[Document, bytes, Evidence]:
    """The document, its certificate and its tree.

    `NotEvidence` if it is none, `WrongEvidence` if its states or the texts of its subformulas are
    not those of the model and the formula.
    """
    found = head_of(data)
    assert found.tables is not UNSET, "it was looked at"
    atoms = formula_of(found).atoms
    numbered = Numbered(model.about(atoms).showing(atoms), found.tables)
    return found, certificate_of(found), read_piece(numbered, found)


def formula_of(found: Document) -> Formula:
    """The formula of a document. `NotEvidence` if it is none of CTL."""
    try:
        return parse(found.formula).require_ctl()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None


def read_piece(numbered: Numbered, found: Document) -> Evidence:
    """The tree of a document, with states in these tables."""
    form = existential_normal_form(formula_of(found))

    def text(part: int) -> str:
        if not 0 <= part < len(form):
            raise WrongEvidence("a subformula is not there")
        return form.text(part)

    return take(numbered, found.evidence, text, Evidence)
