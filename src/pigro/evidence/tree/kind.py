"""Paths and claims for CTL, proved by a certificate, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import Document
from pigro.evidence.kinds import Shown
from pigro.evidence.path_kind import PathKind
from pigro.limits import unwatched

if TYPE_CHECKING:
    from pigro.evidence.kinds import Shared, Writing
    from pigro.limits import Poll
    from pigro.model import RSM


class _Trees(PathKind):
    name, data = "tree", Document

    def reading(self, head: Document) -> tuple[str, str] | None:
        from pigro.certificates.reading import read_header
        from pigro.evidence.tree.documents import certificate_of

        if isinstance(head.certificate, int):
            return None
        header = read_header(certificate_of(head))
        return header.semantics, "stop" if header.stop else "stutter"

    def document(self, shown: Shown, writing: Writing, poll: Poll = unwatched) -> Document:
        from pigro.evidence.tree.documents import piece

        return piece(writing.tables, shown, writing.certified(shown.certificate, poll))

    def read(self, subject: RSM, head: Document, shared: Shared) -> Shown:
        from pigro.evidence.replaying import need_claim
        from pigro.evidence.tree.documents import formula_of, read_piece

        checked, section = shared.proof(subject, head.certificate)
        need_claim(checked, head)
        formula = formula_of(head)
        numbered = shared.numbered(subject.about(formula.atoms), head.tables, formula)
        evidence = read_piece(numbered, head)
        model = subject.with_initial(checked.initial)
        return Shown(model, formula, head.verdict == "holds", evidence, section)

    def replay(self, shown: Shown, _shared: Shared) -> None:
        from pigro.evidence.replaying import replay_proved
        from pigro.evidence.tree.proved import Proved

        replay_proved(shown.subject, Proved(shown.subject, shown.certificate), shown.evidence)


KIND = _Trees()
