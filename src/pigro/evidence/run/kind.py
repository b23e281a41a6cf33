"""Runs and claims for LTL and CTL*, decided by a search, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError
from pigro.evidence.data import RunDocument, WrongEvidence
from pigro.evidence.kinds import Kind, Shown
from pigro.limits import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.kinds import Shared, Writing
    from pigro.evidence.page import Places
    from pigro.evidence.states import Path
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll
    from pigro.model import RSM


class _Runs(Kind):
    name, data = "run", RunDocument

    def reading(self, head: RunDocument) -> tuple[str, str]:
        return head.semantics, head.dead_ends

    def document(self, shown: Shown, writing: Writing, _poll: Poll = unwatched) -> RunDocument:
        from pigro.evidence.run.documents import run_piece

        return run_piece(writing.tables, shown)

    def read(self, subject: RSM, head: RunDocument, shared: Shared) -> Shown:
        from pigro.evidence.run.documents import read_run

        model, formula, evidence = read_run(subject, head, shared)
        return Shown(model, formula, head.verdict == "holds", evidence)

    def replay(self, shown: Shown, shared: Shared) -> None:
        from pigro.evidence.replaying import replay_run

        model, formula, evidence = shown.subject, shown.formula, shown.evidence
        try:
            decide, truths = shared.deciders(model, formula, evidence.depth)
            replay_run(model, formula, shown.holds is True, evidence, decide, truths)
        except CheckError as error:  # the engine can't check such a model
            raise WrongEvidence(str(error)) from None

    def lines(self, shown: Shown, *, full: bool, poll: Poll = unwatched) -> Iterator[str]:
        from pigro.evidence.lines import Writer

        yield from Writer(shown, full=full, poll=poll).lines(shown.evidence)

    def page(self, shown: Shown, places: Places, poll: Poll = unwatched) -> dict[str, object]:
        from pigro.evidence.page import story

        return story(shown, places, poll)

    def path(self, shown: Shown) -> Path | None:
        from pigro.evidence.tree.joined import joined

        return joined(shown.evidence).first_path

    def trace(self, shown: Shown) -> Trace | None:
        from pigro.evidence.model_trace import tree_trace

        return tree_trace(shown)


KIND = _Runs()
