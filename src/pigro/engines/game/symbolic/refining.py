"""Refinement in the symbolic method: every round asks abstract parts, as sets.

After [Shoham2010], section 6 and remark 6.2. The blocks of a part are sets of its states, as
diagrams, and no state is listed. A round evaluates fixpoints on the parts of blocks. If they decide
nothing, causes of the doubt are found as sets. Blocks are split by the label in doubt, or by the
states that have the step in doubt (`formulas/refining.py`).
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from pigro.engines.game.formulas.refining import BlockRefinement
from pigro.engines.game.rounds import RoundResult
from pigro.engines.game.symbolic.checking import symbolic_round
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.engines.game.setting import GameSetup
    from pigro.limits import Poll
    from pigro.logic.modal import ModalForm
    from pigro.verdict.composition_details import Cause, Round, SymbolicResult

_ALL_CAUSES = 1 << 14
"""Of which the farthest is looked for."""


class SetPlayer:
    """Decides by fixpoints of sets. See `RoundPlayer`."""

    def __init__(self, tick: Poll, room: int) -> None:
        self._tick, self._room = tick, room
        self._last: SymbolicResult | None = None

    @property
    def result(self) -> SymbolicResult:
        """The answer of the last round."""
        assert self._last is not None, "there was a round"
        return self._last

    def ask(self, setting: GameSetup, most: int | None) -> RoundResult:
        """See `RoundPlayer`."""

        def pick(causes: Iterator[Cause]) -> list[Cause]:
            if most is not None:
                return list(islice(causes, most))
            return list(deque(islice(causes, _ALL_CAUSES), maxlen=1))

        small = Composition(setting.parts)
        found = symbolic_round(small, setting.form, self._tick, self._room, pick)
        self._last = found.result
        return RoundResult(found.result.value, (), found.causes, found.lost)


def refined(
    composition: Composition, form: ModalForm, strategy: str, tick: Poll, room: int
) -> tuple[SymbolicResult, tuple[Round, ...]]:
    """The answer of the last round, and all rounds."""
    rounds = BlockRefinement(composition, form, tick, room, strategy=strategy, everything=True)
    player = SetPlayer(tick, room)
    rounds.run(player)
    return player.result, tuple(rounds.rounds)
