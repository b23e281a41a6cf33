"""Rounds of refinement: play, find causes of the doubt, split blocks, and play again.

After [Shoham2010], Fig. 7. `RefinableBlocks` say what the blocks are and how they are split.
A `RoundPlayer` says how a round is decided: by games, which may remember earlier rounds, or by
sets of states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from pigro.engines.game.doubt import causes_in, lost_start
from pigro.engines.game.layers import play
from pigro.verdict.composition_details import Round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.engines.game.layers import LayerGames
    from pigro.engines.game.setting import GameSetup, Tick
    from pigro.evidence.strategy.strategy import States
    from pigro.verdict.composition_details import Cause, CauseOutcome, LayerReport

ALL_CAUSES = 1 << 20
"""The limit of one round that chooses among the causes."""


class RoundResult(NamedTuple):
    """What a round says."""

    value: bool | None
    reports: tuple[LayerReport, ...]
    causes: Sequence[Cause] = ()
    """Why there is no value. Those that the round looks at."""
    lost: States | None = None
    """If there is no cause: initial states that may not agree, where the formula is false."""
    helped: bool = False
    """See `Round.helped`."""


class RoundPlayer(Protocol):
    """How the formula is decided on parts of blocks."""

    def ask(self, setting: GameSetup, most: int | None) -> RoundResult:
        """The value, or its causes of doubt: so many, the nearest first, or only the farthest."""


class RefinableBlocks(Protocol):
    """The blocks of abstract parts."""

    setting: GameSetup
    """The parts as their blocks show them."""

    @property
    def most_causes(self) -> int:
        """How many causes to look at in the next round, at most."""

    def split(self, causes: Sequence[Cause], lost: States | None) -> list[CauseOutcome]:
        """Looks at the causes. What came of those whose blocks were looked at."""


def refine(
    blocks: RefinableBlocks, player: RoundPlayer, strategy: str
) -> tuple[bool | None, list[Round]]:
    """Rounds until the value is definite, or nothing can be split.

    The strategy `many` takes the nearest causes, in each round twice as many as in the one before,
    so that there are few rounds. The strategy `one` takes the farthest, as colouring from the
    leaves of a game up does.
    """
    rounds: list[Round] = []
    wanted = 1
    most = wanted if strategy == "many" else None
    while True:
        found = player.ask(blocks.setting, most)
        sizes = tuple([len(part.states) for part in blocks.setting.parts])
        if found.value is not None:
            rounds.append(Round(sizes, found.reports, helped=found.helped))
            return found.value, rounds
        findings = blocks.split(found.causes, found.lost)
        if not findings and most != ALL_CAUSES:
            most = ALL_CAUSES  # these causes lie in parts that are as they are
            continue
        rounds.append(Round(sizes, found.reports, tuple(found.causes), tuple(findings)))
        if not findings:
            return None, rounds
        wanted = min(2 * wanted, blocks.most_causes)
        most = wanted if strategy == "many" else None


class GamePlayer:
    """Decides by games. Those of the last round are kept."""

    def __init__(self, tick: Tick | None) -> None:
        self._tick = tick
        self._last: LayerGames | None = None

    @property
    def played(self) -> LayerGames:
        """The games of the last round."""
        assert self._last is not None, "there was a round"
        return self._last

    def ask(self, setting: GameSetup, most: int | None) -> RoundResult:
        """See `RoundPlayer`."""
        played = self._last = self.play(setting)
        reports = tuple(played.reports)
        if played.value is not None:
            return RoundResult(played.value, reports, helped=self.is_helped(setting))
        causes = self.causes(setting, most)
        return RoundResult(None, reports, causes, None if causes else lost_start(played, setting))

    def play(self, setting: GameSetup) -> LayerGames:
        """The games of a round."""
        return play(setting, self._tick)

    def causes(self, setting: GameSetup, most: int | None) -> list[Cause]:
        """Why they are undecided. See `RoundPlayer`."""
        if most is not None:
            return causes_in(self.played.last, setting.form, most)
        return causes_in(self.played.last, setting.form, ALL_CAUSES)[-1:]

    def is_helped(self, _setting: GameSetup) -> bool:
        """Whether they decided by what the rounds before have found out. They know nothing."""
        return False
