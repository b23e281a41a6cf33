"""The evidence of many verdicts on one model, among their results.

They share one file of certificates, in which a lemma stands once, and the tables of their states.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import msgspec

from pigro.certificates.certificate import CertificateFile
from pigro.evidence.documents import json_text
from pigro.evidence.joining import JoinedStates
from pigro.evidence.kinds import kind_of
from pigro.evidence.tables import StateTables
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.certificates.certificate import Certificate
    from pigro.evidence.data import TablesData
    from pigro.evidence.kinds import ShownEvidence
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model


class EvidenceBundle:
    """Takes the evidence of verdicts, and then tells what they share."""

    def __init__(self, model: Model) -> None:
        self.tables = StateTables()
        self._joined = JoinedStates(model)
        self._file: CertificateFile | None = None
        self._count = 0
        self._over: BaseException | None = None
        """What cut a certificate short. Then the file takes no other one."""

    @property
    def model(self) -> RSM:
        """The model that the nodes of all evidence are of."""
        return self._joined.model

    def add(self, shown: ShownEvidence, poll: Poll = no_poll) -> dict[str, object]:
        """What stands in the result of a verdict."""
        self._joined.expect(shown.subject)
        shown = self._joined.take(shown)
        made = kind_of(shown.evidence).document(shown, self, poll)
        poll()
        told: dict[str, object] = msgspec.to_builtins(made)
        return told

    def certified(self, certificate: Certificate, poll: Poll = no_poll) -> int | str:
        """The number of a certificate in the file of all, or the certificate itself in base64."""
        if self._over is not None:
            raise self._over
        if self._file is None:
            self._file = CertificateFile(self.model, shortest=certificate.shortest)
        try:
            self._file.add(certificate, poll)
        except BaseException as over:
            self._over = over
            raise
        self._count += 1
        return self._count - 1

    def shared(self, formulas: Iterable[Formula]) -> tuple[str, TablesData]:
        """All certificates in base64, and the tables. The labels of the formulas are told."""
        atoms = [atom for formula in formulas for atom in formula.atoms]
        file = b"" if self._file is None else self._file.to_bytes()
        return base64.b64encode(file).decode(), self.tables.data(self.model.showing(atoms))


class _SingleBundle(EvidenceBundle):
    """The evidence of one verdict, with the certificate in it."""

    def certified(self, certificate: Certificate, poll: Poll = no_poll) -> str:
        return base64.b64encode(certificate.to_bytes(poll)).decode()


def document(shown: ShownEvidence) -> bytes:
    """What is shown, as a document of its own, in ASCII."""
    bundle = _SingleBundle(shown.subject)
    made = bundle.add(shown)
    if "tables" in kind_of(shown.evidence).data.__struct_fields__:
        _, tables = bundle.shared([shown.formula])
        made["tables"] = msgspec.to_builtins(tables)
    return json_text(made).encode()
