"""Strategies for models and the mu-calculus, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import GameDocument
from pigro.evidence.kinds import EvidenceKind, ShownEvidence
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.kinds import SharedEvidence
    from pigro.evidence.page import PageNumbers
    from pigro.evidence.states import Path
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll
    from pigro.model import RSM


class _GameKind(EvidenceKind):
    name, data = "game", GameDocument

    def reading(self, head: GameDocument, _shared: SharedEvidence) -> tuple[str, str]:
        return head.semantics, head.dead_ends

    def document(
        self, shown: ShownEvidence, bundle: EvidenceBundle, _poll: Poll = no_poll
    ) -> GameDocument:
        from pigro.evidence.game.documents import game_piece

        return game_piece(bundle.tables, shown.subject, shown.evidence)

    def read(self, subject: RSM, head: GameDocument, shared: SharedEvidence) -> ShownEvidence:
        from pigro.evidence.game.documents import read_game

        model, found = read_game(subject, head, shared)
        return ShownEvidence(model, found.formula, found.holds, found)

    def replay(self, shown: ShownEvidence, shared: SharedEvidence) -> None:
        from pigro.evidence.game.strategy import replay_game

        replay_game(shown.subject, shown.evidence, shared.poll)

    def lines(self, shown: ShownEvidence, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        from pigro.evidence.game.lines import FULL, SHORT, game_lines
        from pigro.evidence.game.run import game_run

        found = game_run(shown.subject, shown.evidence)
        if found is not None:
            from pigro.evidence.lines import EvidenceWriter

            yield from EvidenceWriter(shown, full=full, poll=poll).run_lines(found.path)
            return
        yield from game_lines(shown.subject, shown.evidence, FULL if full else SHORT, poll)

    def page(
        self, shown: ShownEvidence, places: PageNumbers, poll: Poll = no_poll
    ) -> dict[str, object]:
        """The game. Where it leaves no choice, also the run."""
        from pigro.evidence.game.page import game_data

        told: dict[str, object] = {"game": game_data(shown.subject, shown.evidence, poll)}
        path = self.path(shown)
        if path is not None:
            from pigro.evidence.page import run_story

            told |= run_story(shown, path, places, poll)
        return told

    def path(self, shown: ShownEvidence) -> Path | None:
        from pigro.evidence.game.run import game_run

        found = game_run(shown.subject, shown.evidence)
        return None if found is None else found.path

    def trace(self, shown: ShownEvidence) -> Trace | None:
        from pigro.evidence.game.run import game_run
        from pigro.evidence.lines import EvidenceWriter
        from pigro.evidence.model_trace import path_trace
        from pigro.evidence.words import FormWords

        found = game_run(shown.subject, shown.evidence)
        if found is None:
            return None
        holds = shown.holds is True
        texts = FormWords(shown.formula, holds=holds, dead_ends="stop").texts
        truths = [{texts[node]: holds for node in each} for each in found.claimed]
        return path_trace(EvidenceWriter(shown, full=True), found.path, truths)


KIND = _GameKind()
