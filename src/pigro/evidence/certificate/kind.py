"""Certificates, each a proof of one verdict, as a kind of evidence.

Whoever opens the file has asked a checker, so a certificate stands here with what became of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import require
from pigro.evidence.kinds import EvidenceKind, ShownEvidence
from pigro.logic import parse

if TYPE_CHECKING:
    from pigro.certificates import CertificateResult
    from pigro.evidence.kinds import SharedEvidence
    from pigro.model import RSM


class _CertificateKind(EvidenceKind):
    name = "certificate"

    def claim(self, head: CertificateResult) -> tuple[str, str]:
        return head.formula, "holds" if head.holds else "fails"

    def read(self, subject: RSM, head: CertificateResult, _shared: SharedEvidence) -> ShownEvidence:
        return ShownEvidence(subject, parse(head.formula), head.holds, head)

    def replay(self, shown: ShownEvidence, _shared: SharedEvidence) -> None:
        problem = shown.evidence.problem
        require(problem is None, str(problem))


KIND = _CertificateKind()
