"""Runs and claims for LTL and CTL*, decided by a search, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError
from pigro.evidence.data import RunDocument, WrongEvidence
from pigro.evidence.kinds import ShownEvidence
from pigro.evidence.path_kind import PathKind
from pigro.limits import no_poll

if TYPE_CHECKING:
    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.kinds import SharedEvidence
    from pigro.limits import Poll
    from pigro.model import RSM


class _RunKind(PathKind):
    name, data = "run", RunDocument

    def reading(self, head: RunDocument, _shared: SharedEvidence) -> tuple[str, str]:
        return head.semantics, head.dead_ends

    def document(
        self, shown: ShownEvidence, bundle: EvidenceBundle, _poll: Poll = no_poll
    ) -> RunDocument:
        from pigro.evidence.run.documents import run_piece

        return run_piece(bundle.tables, shown)

    def read(self, subject: RSM, head: RunDocument, shared: SharedEvidence) -> ShownEvidence:
        from pigro.evidence.run.documents import read_run

        model, formula, evidence = read_run(subject, head, shared)
        return ShownEvidence(model, formula, head.verdict == "holds", evidence)

    def replay(self, shown: ShownEvidence, shared: SharedEvidence) -> None:
        from pigro.evidence.replaying import replay_run

        model, formula, evidence = shown.subject, shown.formula, shown.evidence
        try:
            decide, truths = shared.deciders(model, formula, evidence.depth)
            replay_run(model, formula, shown.holds is True, evidence, decide, truths)
        except CheckError as error:  # the engine can't check such a model
            raise WrongEvidence(str(error)) from None


KIND = _RunKind()
