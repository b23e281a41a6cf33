"""Relations and games that show whether parts refine others, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.certificates import Mismatch
from pigro.evidence.kinds import EvidenceKind, ShownEvidence
from pigro.evidence.refinement.data import RefinementData

if TYPE_CHECKING:
    from pigro.evidence.kinds import SharedEvidence
    from pigro.model.composition import Composition


class _RefinementKind(EvidenceKind):
    name, data = "refinement", RefinementData

    def claim(self, head: RefinementData) -> tuple[str, str]:
        return ", ".join(head.abstract_parts), "refines" if head.refines else "does not refine"

    def read(
        self,
        subject: tuple[Composition, Composition],
        head: RefinementData,
        _shared: SharedEvidence,
    ) -> ShownEvidence:
        named = zip(subject, (head.abstract_parts, head.concrete_parts), strict=True)
        if any([part.name for part in side.parts] != names for side, names in named):
            raise Mismatch("the document is about other parts")
        abstract, concrete = ({*side.atoms, *side.actions} for side in subject)
        if abstract != concrete or len({side.has_actions for side in subject}) > 1:
            raise Mismatch("the document is about parts with the same labels and actions")
        no_formula: Any = None
        return ShownEvidence(subject, no_formula, head.refines, head)

    def replay(self, shown: ShownEvidence, _shared: SharedEvidence) -> None:
        from pigro.evidence.refinement.replay import replay_refinement

        abstract, concrete = shown.subject
        replay_refinement(abstract, concrete, shown.evidence)


KIND = _RefinementKind()
