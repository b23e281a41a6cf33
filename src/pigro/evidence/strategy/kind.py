"""Strategies for compositions of parts, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.data import StrategyDocument
from pigro.evidence.kinds import EvidenceKind, ShownEvidence
from pigro.limits import no_poll

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.kinds import SharedEvidence
    from pigro.evidence.page import PageNumbers
    from pigro.evidence.strategy.strategy import Strategy
    from pigro.evidence.trace import Trace
    from pigro.limits import Poll
    from pigro.model.composition import Composition

SHORT = 6
"""Lines of a strategy in the short form."""


class _StrategyKind(EvidenceKind):
    name, data = "strategy", StrategyDocument

    def reading(self, head: StrategyDocument, _shared: SharedEvidence) -> tuple[str, str]:
        return "standard", head.dead_ends

    def document(
        self, shown: ShownEvidence, _bundle: EvidenceBundle, _poll: Poll = no_poll
    ) -> StrategyDocument:
        from pigro.evidence.strategy.documents import strategy_piece

        return strategy_piece(shown.subject, shown.evidence)

    def read(
        self, subject: Composition, head: StrategyDocument, _shared: SharedEvidence
    ) -> ShownEvidence:
        from pigro.evidence.strategy.documents import take_strategy

        found = take_strategy(subject, head)
        return ShownEvidence(subject, found.formula, found.holds, found)

    def replay(self, shown: ShownEvidence, _shared: SharedEvidence) -> None:
        from pigro.evidence.strategy.replay import replay_strategy

        replay_strategy(shown.subject, shown.evidence)

    def parts(self, shown: ShownEvidence) -> list[int]:
        from pigro.evidence.strategy.replay import StrategyRules

        layers = shown.evidence.layers
        places = StrategyRules(shown.subject, shown.evidence).starts()
        return [part for at, _ in places for part in layers[at].parts]

    def is_whole(self, evidence: Strategy) -> bool:
        return evidence.is_whole

    def lines(self, shown: ShownEvidence, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        from pigro.evidence.strategy.lines import SHOWN, strategy_lines

        poll()
        trace = self.trace(shown)
        if trace is not None:
            yield f"it {'holds' if shown.holds else 'fails'}, as this run shows:"
            yield from trace.lines(full=full)
            return
        yield from strategy_lines(shown.subject, shown.evidence, SHOWN if full else SHORT)

    def page(
        self, shown: ShownEvidence, _places: PageNumbers, poll: Poll = no_poll
    ) -> dict[str, object]:
        from pigro.evidence.strategy.page import strategy_data

        return {"game": strategy_data(shown.subject, shown.evidence, poll)}

    def trace(self, shown: ShownEvidence) -> Trace | None:
        from pigro.evidence.strategy.run import strategy_trace

        return strategy_trace(shown.subject, shown.evidence)


KIND = _StrategyKind()
