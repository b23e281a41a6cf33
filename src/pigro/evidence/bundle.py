"""The evidence of many verdicts on one model, among their results.

They share one file of certificates, in which a lemma stands once, and the tables of their states.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from pigro.certificates.certificate import CertificateFile
from pigro.evidence.joining import Joined
from pigro.evidence.kinds import Writing, kind_of
from pigro.evidence.tables import Tables
from pigro.limits import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.certificates.certificate import Certificate
    from pigro.evidence.data import TablesData
    from pigro.evidence.kinds import Shown
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model


class Bundle(Writing):
    """Takes the evidence of verdicts, and then tells what they share."""

    def __init__(self, model: Model) -> None:
        super().__init__(Tables())
        self._joined = Joined(model)
        self._file: CertificateFile | None = None
        self._count = 0
        self._over: BaseException | None = None
        """What cut a certificate short. Then the file takes no other one."""

    @property
    def model(self) -> RSM:
        """The model that the nodes of all evidence are of."""
        return self._joined.model

    def add(self, shown: Shown, poll: Poll = unwatched) -> dict[str, object]:
        """What stands in the result of a verdict."""
        self._joined.expect(shown.subject)
        shown = replace(shown, evidence=self._joined.take(shown.evidence))
        made = kind_of(shown.evidence).document(shown, self, poll)
        poll()
        told: dict[str, object] = msgspec.to_builtins(made)
        return told

    def certified(self, certificate: Certificate, poll: Poll = unwatched) -> int:
        """The number of a certificate in the file of all."""
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
