"""Paths and claims for CTL, proved by a certificate, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import TreeDocument
from pigro.evidence.kinds import ShownEvidence
from pigro.evidence.path_kind import PathKind
from pigro.limits import no_poll

if TYPE_CHECKING:
    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.kinds import SharedEvidence
    from pigro.limits import Poll
    from pigro.model import RSM


class _TreeKind(PathKind):
    name, data = "tree", TreeDocument

    def reading(self, head: TreeDocument, shared: SharedEvidence) -> tuple[str, str]:
        from pigro.certificates.reading import read_header

        header = read_header(shared.certificate_file(head.certificate))
        return header.semantics, "stop" if header.stop else "stutter"

    def document(
        self, shown: ShownEvidence, bundle: EvidenceBundle, poll: Poll = no_poll
    ) -> TreeDocument:
        from pigro.evidence.tree.documents import piece

        return piece(bundle.tables, shown, bundle.certified(shown.certificate, poll))

    def read(self, subject: RSM, head: TreeDocument, shared: SharedEvidence) -> ShownEvidence:
        from pigro.evidence.replaying import need_claim
        from pigro.evidence.tree.documents import formula_of, read_piece

        checked, section = shared.proof(subject, head.certificate)
        need_claim(checked, head)
        formula = formula_of(head)
        numbered = shared.numbered(subject.about(formula.atoms), head.tables, formula)
        evidence = read_piece(numbered, head)
        model = subject.with_initial(checked.initial)
        return ShownEvidence(model, formula, head.verdict == "holds", evidence, section)

    def replay(self, shown: ShownEvidence, _shared: SharedEvidence) -> None:
        from pigro.evidence.replaying import replay_proved
        from pigro.evidence.tree.proved import CertificateView

        replay_proved(
            shown.subject, CertificateView(shown.subject, shown.certificate), shown.evidence
        )


KIND = _TreeKind()
