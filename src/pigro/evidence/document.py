"""Evidence as a JSON document, described by evidence.schema.json next to this file, and back.

The document has all that is needed to check it: the certificate and the tables of its states
(tables.py) besides the tree (tree_json.py). Among results, certificates and tables are shared by
all of them (bundle.py).
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from pigro.diagnostics import CheckError, FormulaError
from pigro.evidence.json_text import json_text
from pigro.evidence.tables import Numbered, Tables, TablesData
from pigro.evidence.tree_json import ItemData, NotEvidence, put, take
from pigro.evidence.walking import WrongEvidence
from pigro.logic import existential_normal_form, parse
from pigro.model.json_keys import require_distinct_keys

if TYPE_CHECKING:
    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA: Literal["pigro.evidence/2"] = "pigro.evidence/2"


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A whole document; or a piece of results."""

    schema: Literal["pigro.evidence/2"]
    formula: str
    verdict: Literal["holds", "fails"]
    certificate: str | int
    """In base64; among results, the number of the certificate in their file of certificates."""
    evidence: list[ItemData]
    tables: TablesData | UnsetType = UNSET
    """Not among results, which have tables of their own."""


class Provable(Protocol):
    """What a verdict must have."""

    @property
    def model(self) -> RSM:
        """The model."""

    @property
    def formula(self) -> Formula:
        """The formula."""

    @property
    def holds(self) -> bool | None:
        """Whether it holds."""


def document(verdict: Provable, certificate: bytes, evidence: Evidence) -> bytes:
    """The document for a verdict, as ASCII."""
    tables = Tables()
    made = piece(tables, verdict, base64.b64encode(certificate).decode(), evidence)
    made.tables = tables.data(verdict.model.showing(verdict.formula.atoms))
    return in_ascii(made)


def piece(
    tables: Tables, verdict: Provable, certificate: str | int, evidence: Evidence
) -> Document:
    """The document for a verdict, its states in other tables."""
    form = existential_normal_form(verdict.formula)
    items = put(tables, evidence, form.text, runs=False)
    word: Literal["holds", "fails"] = "holds" if verdict.holds else "fails"
    return Document(SCHEMA, str(verdict.formula), word, certificate, items)


def in_ascii(made: msgspec.Struct) -> bytes:
    """A document as JSON in ASCII: names may be no text, and then have lone surrogates."""
    return json_text(msgspec.to_builtins(made)).encode()


def head_of(data: bytes) -> Document:
    """The document, unread; `NotEvidence` if it is none."""
    require_distinct_keys(data, None)
    try:
        found = msgspec.json.decode(data, type=Document)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotEvidence(str(error)) from None
    if found.tables is UNSET or isinstance(found.certificate, int):
        raise NotEvidence("this is a part of results")
    return found


def certificate_of(found: Document) -> bytes:
    """The certificate in a document; `NotEvidence` if it is none."""
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
    atoms = _formula(found).atoms
    numbered = Numbered(model.about(atoms).showing(atoms), found.tables)
    return found, certificate_of(found), read_piece(numbered, found)


def _formula(found: Document) -> Formula:
    try:
        return parse(found.formula).require_ctl()
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None


def read_piece(numbered: Numbered, found: Document) -> Evidence:
    """The tree of a document, with states in these tables."""
    form = existential_normal_form(_formula(found))

    def text(part: int) -> str:
        if not 0 <= part < len(form):
            raise WrongEvidence("a subformula is not there")
        return form.text(part)

    return take(numbered, found.evidence, text, runs=False)
