"""Kinds of evidence that are paths and claims on a model: what they show is shown alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.kinds import EvidenceKind
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.page import PageNumbers
    from pigro.evidence.states import Path
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll


class PathKind(EvidenceKind):
    """Paths that may be joined, with claims about their states."""

    def lines(self, shown: ShownEvidence, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        from pigro.evidence.lines import EvidenceWriter
        from pigro.evidence.tree.joined import joined

        tree = joined(shown.evidence)
        yield from EvidenceWriter(shown, full=full, poll=poll).lines(tree)

    def page(
        self, shown: ShownEvidence, places: PageNumbers, poll: Poll = no_poll
    ) -> dict[str, object]:
        from pigro.evidence.page import story

        return story(shown, places, poll)

    def path(self, shown: ShownEvidence) -> Path | None:
        from pigro.evidence.tree.joined import joined

        return joined(shown.evidence).first_path

    def trace(self, shown: ShownEvidence) -> Trace | None:
        from pigro.evidence.model_trace import tree_trace

        return tree_trace(shown)
