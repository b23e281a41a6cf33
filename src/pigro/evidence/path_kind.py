"""Kinds of evidence that are paths and claims on a model: what they show is shown alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.kinds import EvidenceKind
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.kinds import Shown
    from pigro.evidence.page import Places
    from pigro.evidence.states import Path
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll


class PathKind(EvidenceKind):
    """Paths that may be joined, with claims about their states."""

    def lines(self, shown: Shown, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        from pigro.evidence.lines import Writer

        yield from Writer(shown, full=full, poll=poll).lines(shown.evidence)

    def page(self, shown: Shown, places: Places, poll: Poll = no_poll) -> dict[str, object]:
        from pigro.evidence.page import story

        return story(shown, places, poll)

    def path(self, shown: Shown) -> Path | None:
        from pigro.evidence.tree.joined import joined

        return joined(shown.evidence).first_path

    def trace(self, shown: Shown) -> Trace | None:
        from pigro.evidence.model_trace import tree_trace

        return tree_trace(shown)
