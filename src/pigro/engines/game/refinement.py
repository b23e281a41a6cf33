"""Checking with abstract parts that are refined where it matters. After [Shoham2010], Fig. 7.

In each round the games are played on the parts of blocks (`abstraction.py`). If the value is not
definite, causes of the doubt are read off the game on all parts: a label that is not known, or a
step that may be there but need not. One part looks more closely at each of them, and the next round
begins. Nothing that was decided is decided again: positions keep their colours when a block is
split, and only what is open is played.

What the game on all parts has shown is used too: a position of a part that does not appear in it is
left out, and one that appears with one definite colour only gets that colour. Such colours hold
where the composition still goes; where another part had decided a position before, its colour,
which came first, is the right one (the published rule is silent here, and would let the two
contradict each other).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.game.abstraction import Abstraction
from pigro.engines.game.layers import LayerReport, Played, play
from pigro.engines.game.setting import Known, Setting
from pigro.engines.game.solver import ABSENT, MAYBE, NO, YES
from pigro.model.part import MUST, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro import _core
    from pigro.engines.game.setting import Tick
    from pigro.logic.modal import ModalForm
    from pigro.model.composition import Composition


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a value is not definite: a label, or a step, of one composed state."""

    states: tuple[int, ...]
    """Of each part: a block, or a state if the part is not abstract."""
    atom: str | None = None
    """The label that is unknown there."""
    action: str | None = None
    """Else the action of the step."""
    target: tuple[int, ...] | None = None
    """And where it may lead."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the games, and what was found out afterwards."""

    blocks: tuple[int, ...]
    """Of each part, how many; its states if it is not abstract."""
    layers: tuple[LayerReport, ...]
    causes: tuple[Cause, ...]
    splits: int
    """How many blocks were split; the other causes needed none."""


class Refinement:
    """The rounds of one check."""

    def __init__(
        self, composition: Composition, form: ModalForm, *, concrete: Sequence[int] = ()
    ) -> None:
        self.composition = composition
        self.form = form
        parts = composition.parts
        self.abstractions: list[Abstraction | None] = [
            None if at in concrete else Abstraction(part, _joint(composition, at))
            for at, part in enumerate(parts)
        ]
        self.known = [
            Known(bytes([MAYBE]) * (size * len(form.ops)), array("i", bytes(4 * size * len(form.ops))), 0)
            for size in map(self._size, range(len(parts)))
        ]
        self.rounds: list[Round] = []
        self.setting = self._setting()

    def run(
        self,
        tick: Tick | None,
        choose: Callable[[list[Cause]], list[Cause]] | None = None,
    ) -> Played:
        """Rounds until the value is definite. `choose` picks causes; by default the nearest.

        In each round twice as many as in the one before, so that there are few rounds.
        """
        wanted = 1
        while True:
            played = play(self.setting, tick, self.known)
            sizes = tuple(map(self._size, range(len(self.abstractions))))
            if played.value is not None:
                self.rounds.append(Round(sizes, tuple(played.reports), (), 0))
                return played
            found = self._causes(played.last, wanted if choose is None else 1 << 20)
            causes = found if choose is None else choose(found)
            self._keep(played)
            splits = self._refine(causes)
            self.rounds.append(Round(sizes, tuple(played.reports), tuple(causes), splits))
            self.setting = self._setting()
            wanted *= 2

    def _size(self, at: int) -> int:
        abstraction = self.abstractions[at]
        return len(self.composition.parts[at].states if abstraction is None else abstraction.blocks)

    def _setting(self) -> Setting:
        parts = [
            part if abstraction is None else abstraction.part()
            for part, abstraction in zip(self.composition.parts, self.abstractions, strict=True)
        ]
        initial = dict.fromkeys(
            tuple([self._block(at, state) for at, state in enumerate(states)])
            for states in self.composition.initial
        )
        return Setting(parts, list(initial), self.form)

    def _block(self, at: int, state: int) -> int:
        abstraction = self.abstractions[at]
        return state if abstraction is None else abstraction.block_of[state]

    def _causes(self, game: _core.Game, limit: int) -> list[Cause]:
        found = dict[Cause, None]()
        for node, edge in game.causes(limit):
            states = tuple(game.states(node))
            if edge < 0:
                atom = self.form.atoms[self.form.left[game.formula(node)]]
                found[Cause(states, atom=atom)] = None
            else:
                target, action, _, _ = game.sons(node)[edge]
                after = tuple(game.states(target))
                found[Cause(states, action=self._action(action), target=after)] = None
        return list(found)
