"""Evidence as a JSON document, described by evidence.schema.json next to this file, and back.

The document has all that is needed to check it: the certificate besides the tree (tree_json.py).
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Protocol

import msgspec

from pigro.diagnostics import CheckError, FormulaError
from pigro.evidence.tree_json import EvidenceData, NotEvidence, check_texts, put, take
from pigro.logic import existential_normal_form, parse
from pigro.model.json_keys import require_distinct_keys

if TYPE_CHECKING:
    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

SCHEMA = "pigro.evidence/1"


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A whole document."""

    schema: str
    formula: str
    verdict: str
    certificate: str
    evidence: EvidenceData


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
    """The document for a verdict, as UTF-8."""
    form = existential_normal_form(verdict.formula)
    model = verdict.model.showing(verdict.formula.atoms)
    tree = put(model, evidence, lambda part: str(form.readable(part)), runs=False)
    whole = Document(
        SCHEMA,
        str(verdict.formula),
        "holds" if verdict.holds else "fails",
        base64.b64encode(certificate).decode(),
        tree,
    )
    return json.dumps(msgspec.to_builtins(whole), indent=1).encode()


def head_of(data: bytes) -> Document:
    """The document, unread; `NotEvidence` if it is none."""
    return _decode(data)[0]


def certificate_of(data: bytes) -> bytes:
    """The certificate in a document; `NotEvidence` if it is none."""
    return _decode(data)[1]


def _decode(data: bytes) -> tuple[Document, bytes]:
    require_distinct_keys(data, None)
    try:
        found = msgspec.json.decode(data, type=Document)
        certificate = base64.b64decode(found.certificate, validate=True)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, binascii.Error) as error:
        raise NotEvidence(str(error)) from None
    if found.schema != SCHEMA:
        raise NotEvidence(f"this is no evidence of version {SCHEMA}")
    return found, certificate


def read(model: RSM, data: bytes) -> tuple[Document, bytes, Evidence]:
    """The document, its certificate and its tree.

    `NotEvidence` if it is none, `WrongEvidence` if its states or the texts of its subformulas are
    not those of the model and the formula.
    """
    found, certificate = _decode(data)
    try:
        formula = parse(found.formula)
        form = existential_normal_form(formula)
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    shown = model.about(formula.atoms).showing(formula.atoms)
    evidence = take(shown, found.evidence, runs=False)
    check_texts(found.evidence, len(form), lambda part: str(form.readable(part)))
    return found, certificate, evidence
