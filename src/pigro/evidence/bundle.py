"""The evidence of many verdicts on one model, among their results.

They share one file of certificates, in which a lemma stands once, and the tables of their states.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from pigro.certificates.certificate import CertificateFile
from pigro.evidence.document import SCHEMA, Document, piece
from pigro.evidence.run_document import RunDocument, run_piece
from pigro.evidence.tables import Tables
from pigro.evidence.tree_json import NotEvidence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.certificates.certificate import Certificate
    from pigro.evidence.run_document import Showable
    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM


class Bundle:
    """Takes the evidence of verdicts, and then tells what they share."""

    def __init__(self, model: RSM, formulas: Iterable[Formula]) -> None:
        """`formulas` are those of the verdicts; their labels are told."""
        atoms = [atom for formula in formulas for atom in formula.atoms]
        self.model, self._tables = model, Tables(model.showing(atoms))
        self._file: CertificateFile | None = None
        self._count = 0

    def add(
        self, verdict: Showable, certificate: Certificate | None, evidence: Evidence
    ) -> dict[str, object]:
        """What stands in the result of a verdict; outside of CTL there is no certificate."""
        made: Document | RunDocument
        if certificate is None:
            made = run_piece(self._tables, verdict, evidence)
        else:
            if self._file is None:
                self._file = CertificateFile(self.model, shortest=certificate.shortest)
            self._file.add(certificate)
            made = piece(self._tables, verdict, self._count, evidence)
            self._count += 1
        told: dict[str, object] = msgspec.to_builtins(made)
        return told

    def shared(self) -> dict[str, object]:
        """What stands besides the results."""
        file = b"" if self._file is None else self._file.to_bytes()
        return {
            "certificates": base64.b64encode(file).decode(),
            "tables": msgspec.to_builtins(self._tables.data()),
        }


def read_file(certificates: str) -> bytes:
    """The file of certificates; `NotEvidence` if it is none. Empty if there are none."""
    try:
        return base64.b64decode(certificates, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotEvidence(str(error)) from None


def read_head(told: object) -> Document | RunDocument:
    """The evidence in a result, unread; `NotEvidence` if it is none."""
    schema = told.get("schema") if isinstance(told, dict) else None
    found: Document | RunDocument
    try:
        if schema == SCHEMA:
            found = msgspec.convert(told, Document)
        else:
            found = msgspec.convert(told, RunDocument)
    except msgspec.ValidationError as error:
        raise NotEvidence(str(error)) from None
    own = isinstance(found, Document) and isinstance(found.certificate, str)
    if own or found.tables is not UNSET:
        raise NotEvidence("the evidence in a result has a certificate or tables of its own")
    return found
