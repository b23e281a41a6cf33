"""Checking with abstract parts that are refined where it matters. After [Shoham2010], Fig. 7.

In each round the games are played on the parts of blocks (`abstraction.py`). If the value is not
definite, causes of the doubt are read off the game on all parts: a label that is not known, or a
step that may be there but need not. One part looks more closely at each of them, and the next round
begins. Nothing that was decided is decided again: positions keep their colours when a block is
split, and only open nodes are played.

What the game on all parts has shown is used too. The positions of a part *meet* those of the others
where all are undecided, and one step further. A position that meets none is left out.
One that has the same definite colour wherever it meets another gets it. And one that is true in
some meetings and open in others is never taken for false from now on (likewise for true): colours
that hold only where the composition still goes could else be carried to places where it does not.
The published rules lack this last restriction. They also ignore positions that the product omits
because the other part has already decided them. With either of the two rules alone, verdicts can be
wrong: tests/unit/engines/game/test_published_pruning.py has an example of each (docs/slips.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.game.abstraction import PartAbstraction
from pigro.engines.game.doubt import causes_in
from pigro.engines.game.layers import play
from pigro.engines.game.rounds import ALL_CAUSES, GamePlayer, refine
from pigro.engines.game.setting import GameSetup
from pigro.engines.game.solver import ABSENT, MAYBE, NO, OPEN, YES
from pigro.engines.game.stepwise import StepwiseAbstraction
from pigro.model.part import LOCAL, TAU
from pigro.verdict.composition_details import CauseOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.game.layers import LayerGames
    from pigro.engines.game.setting import Tick
    from pigro.evidence.strategy.strategy import States
    from pigro.logic.modal import ModalForm
    from pigro.model.composition import Composition
    from pigro.verdict.composition_details import Cause, Round


_MOST_CAUSES = 64
"""The limit per block and round. A round looks at a block at most once."""


class RefinementRounds:
    """The rounds of one check."""

    def __init__(
        self,
        composition: Composition,
        form: ModalForm,
        *,
        concrete: Sequence[int] = (),
        strategy: str = "many",
        hyper: bool = True,
    ) -> None:
        self.composition = composition
        self.form = form
        self.strategy = strategy
        kind = StepwiseAbstraction if strategy == "one" else PartAbstraction
        parts = composition.listed_parts
        self.abstractions: list[PartAbstraction | None] = [
            None if at in concrete else kind(part, composition.joint, hyper=hyper)
            for at, part in enumerate(parts)
        ]
        self.rounds: list[Round] = []
        self.setting = self._setting()
        self.known = [
            bytes([OPEN]) * (len(part.states) * len(form.ops)) for part in self.setting.parts
        ]
        """Of each position of each part. See `Setting.part_game`."""

    def run(
        self,
        tick: Tick | None,
        choose: Callable[[list[Cause]], list[Cause]] | None = None,
    ) -> LayerGames:
        """Rounds until the value is definite. `choose` picks causes, or else the strategy."""
        player = _LearningPlayer(self, tick, choose)
        _, self.rounds = refine(self, player, self.strategy)
        return player.played

    def run_again(self, tick: Tick | None) -> LayerGames:
        """Plays the last round once more, with nothing remembered. Needs: `run` has ended.

        Positions decided on coarser blocks may be open then, so there can be more rounds. They
        are not told.
        """
        player = GamePlayer(tick)
        refine(self, player, "many")
        return player.played

    @property
    def most_causes(self) -> int:
        """See `Blocks`."""
        return _MOST_CAUSES * sum(len(part.states) for part in self.setting.parts)

    def _setting(self) -> GameSetup:
        parts = [
            part if abstraction is None else abstraction.part()
            for part, abstraction in zip(
                self.composition.listed_parts, self.abstractions, strict=True
            )
        ]
        initial = dict.fromkeys(
            tuple([self._block(at, state) for at, state in enumerate(states)])
            for states in self.composition.initial
        )
        return GameSetup(parts, list(initial), self.form)

    def _block(self, at: int, state: int) -> int:
        abstraction = self.abstractions[at]
        return state if abstraction is None else abstraction.block_of[state]

    def keep(self, played: LayerGames) -> None:
        """The known outcomes, before blocks are split."""
        for at, game in enumerate(played.alone):
            solved = game.table()
            if played.products:
                seen = played.products[-1].appearances(at).translate(_SHOWN)
                fresh = [
                    shown if colour == MAYBE else colour
                    for colour, shown in zip(solved, seen, strict=True)
                ]
            else:
                fresh = [OPEN if colour == MAYBE else colour for colour in solved]
            both = zip(self.known[at], fresh, strict=True)
            self.known[at] = bytes(
                old if new == ABSENT and old < OPEN else new for old, new in both
            )

    def split(self, causes: Sequence[Cause], _lost: States | None) -> list[CauseOutcome]:
        """Lets one part look at each cause."""
        findings = []
        changed: set[tuple[int, int]] = set()
        doubts = [self._in_doubt(cause) for cause in causes]  # before anything changes
        for cause, (at, block) in zip(causes, doubts, strict=True):
            touched = (
                {(at, block)} if cause.target is None else {(at, block), (at, cause.target[at])}
            )
            if touched & changed:
                continue  # the split may have answered it
            abstraction = self.abstractions[at]
            assert abstraction is not None, "only abstract parts are in doubt"
            name, action, target = abstraction.name(block), None, None
            if cause.target is None:
                assert cause.atom is not None
                fresh = abstraction.find_label(block, cause.atom)
            else:
                action = self._action_name(cause.action)
                target = abstraction.name(cause.target[at])
                own = self._own_action(at, cause.action)
                fresh = abstraction.find_step(block, own, cause.target[at])
            changed.add((at, block))
            if fresh is not None:
                changed.add((at, fresh))
                self._inherit(at, block)
            findings.append(CauseOutcome(at, name, cause.atom, action, target, fresh is not None))
        self.setting = self._setting()
        return findings

    def _in_doubt(self, cause: Cause) -> tuple[int, int]:
        """The first part that a cause lies in, and its block."""
        for at, abstraction in enumerate(self.abstractions):
            if abstraction is None:
                continue
            block = cause.states[at]
            if cause.target is None:
                assert cause.atom is not None
                if abstraction.is_label_open(block, cause.atom):
                    return at, block
            elif self.setting.alphabets[at][cause.action or 0]:
                action = self._own_action(at, cause.action)
                if not abstraction.must_step(block, action, cause.target[at]):
                    return at, block
        raise AssertionError("a cause lies in some part")

    def _action_name(self, action: int | None) -> str | None:
        return self.setting.actions[action or 0] if self.composition.has_actions else None

    def _own_action(self, at: int, action: int | None) -> int:
        """A part's own number of an action."""
        actions = self.setting.parts[at].actions
        if actions is None:
            return 0
        name = self.setting.actions[action or 0]
        return LOCAL if name == TAU else actions.index(name)

    def _inherit(self, at: int, block: int) -> None:
        """The block that was split off last knows what the block knew."""
        width = len(self.form.ops)
        self.known[at] += self.known[at][block * width : (block + 1) * width]


class _LearningPlayer(GamePlayer):
    """Decides by games that know what the rounds before have found out."""

    def __init__(
        self,
        refinement: RefinementRounds,
        tick: Tick | None,
        choose: Callable[[list[Cause]], list[Cause]] | None,
    ) -> None:
        super().__init__(tick)
        self._refinement, self._choose = refinement, choose
        self._has_learned = False

    def play(self, setting: GameSetup) -> LayerGames:
        """See `GamePlayer`."""
        return play(setting, self._tick, self._refinement.known)

    def causes(self, setting: GameSetup, most: int | None) -> list[Cause]:
        """See `GamePlayer`. Steps of hyper-steps come last only if many causes are taken."""
        is_many = most is not None
        limit = ALL_CAUSES if most is None or self._choose is not None else most
        found = causes_in(self.played.last, setting.form, limit, covered=is_many)
        if self._choose is not None:
            found = self._choose(found)
        elif not is_many:
            found = found[-1:]
        self._refinement.keep(self.played)
        self._has_learned = True
        if self._tick is not None:
            self._tick(0)
        return found

    def is_helped(self, setting: GameSetup) -> bool:
        """Whether parts that decided would not have, without the knowledge from all of them."""
        played = self.played
        if not self._has_learned or len(played.products) == len(setting.parts) - 1:
            return False
        again = play(setting, self._tick, most=len(played.reports))
        return again.reports[-1].parts != played.reports[-1].parts or again.value is None


_NOT_NO, _NOT_YES = OPEN | 1 << NO, OPEN | 1 << YES
_SHOWN = bytes(
    [ABSENT, NO, YES, _NOT_NO | _NOT_YES, OPEN, _NOT_YES, _NOT_NO, _NOT_NO | _NOT_YES]
).ljust(256, b"\0")
"""The knowledge about a position, by the colours that it has where it meets others, as bits."""
