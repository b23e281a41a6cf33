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

from pigro.engines.game.abstraction import Abstraction
from pigro.engines.game.layers import LayerGames, play
from pigro.engines.game.setting import GameSetup
from pigro.engines.game.solver import ABSENT, MAYBE, NO, OPEN, YES
from pigro.engines.game.stepwise import StepwiseAbstraction
from pigro.model.part import LOCAL, TAU
from pigro.verdict.composition_details import Cause, CauseOutcome, Round

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro import _core
    from pigro.engines.game.setting import Tick
    from pigro.logic.modal import ModalForm
    from pigro.model.composition import Composition


_ALL_CAUSES = 1 << 20
"""The limit of one round if the caller or the strategy `one` chooses among the causes."""
_MOST_CAUSES = 64
"""The limit per block and round. A round looks at a block at most once."""


def causes_in(
    game: _core.Game, form: ModalForm, limit: int, *, covered: bool = True
) -> list[Cause]:
    """Why a solved game on all parts is undecided, the nearest first. At most so many.

    Steps that belong to a hyper-step which can still be won come last. If not `covered`, they are
    left out where there are other causes.
    """
    found = dict[Cause, None]()
    rows = game.causes(limit)
    if not covered:
        rows = [row for row in rows if not row[3]] or rows
    for node, target, action, _ in rows:
        states = tuple(game.states(node))
        if target < 0:
            found[Cause(states, atom=form.atoms[form.left[game.formula(node)]])] = None
        else:
            after = tuple(game.states(target))
            found[Cause(states, action=action, target=after)] = None
    return list(found)


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
        kind = StepwiseAbstraction if strategy == "one" else Abstraction
        parts = composition.listed_parts
        self.abstractions: list[Abstraction | None] = [
            None if at in concrete else kind(part, composition.joint, hyper=hyper)
            for at, part in enumerate(parts)
        ]
        self.known = [
            bytes([OPEN]) * (size * len(form.ops)) for size in map(self._size, range(len(parts)))
        ]
        """Of each position of each part. See `Setting.part_game`."""
        self.rounds: list[Round] = []
        self.setting = self._setting()

    def run(
        self,
        tick: Tick | None,
        choose: Callable[[list[Cause]], list[Cause]] | None = None,
    ) -> LayerGames:
        """Rounds until the value is definite. `choose` picks causes. By default the strategy does.

        The strategy `many` takes the nearest, in each round twice as many as in the one before, so
        that there are few rounds. The strategy `one` takes the farthest, as colouring from the
        leaves of a game up does.
        """
        wanted = 1
        while True:
            played = play(self.setting, tick, self.known)
            sizes = tuple(map(self._size, range(len(self.abstractions))))
            if played.value is not None:
                helped = self._is_helped(played, tick)
                self.rounds.append(Round(sizes, tuple(played.reports), helped=helped))
                return played
            limit = wanted if choose is None and self.strategy == "many" else _ALL_CAUSES
            causes = causes_in(played.last, self.form, limit, covered=self.strategy == "many")
            if choose is not None:
                causes = choose(causes)
            elif self.strategy == "one":
                causes = causes[-1:]
            self._keep(played)
            if tick is not None:
                tick(0)
            findings = tuple(self._refine(causes))
            self.rounds.append(Round(sizes, tuple(played.reports), tuple(causes), findings))
            self.setting = self._setting()
            wanted = self._more(wanted)

    def _is_helped(self, played: LayerGames, tick: Tick | None) -> bool:
        """Whether parts that decided would not have, without the knowledge from all of them."""
        count = len(self.abstractions)
        if not self.rounds or len(played.products) == count - 1:
            return False
        again = play(self.setting, tick, most=len(played.reports))
        return again.reports[-1].parts != played.reports[-1].parts or again.value is None

    def run_again(self, tick: Tick | None) -> LayerGames:
        """Plays the last round once more, with nothing remembered. Needs: `run` has ended.

        Positions decided on coarser blocks may be open then, so there can be more rounds. They
        are not told.
        """
        wanted = 1
        while True:
            played = play(self.setting, tick)
            if played.value is not None:
                return played
            self._refine(causes_in(played.last, self.form, wanted))
            self.setting = self._setting()
            wanted = self._more(wanted)

    def _more(self, wanted: int) -> int:
        """How many causes to ask for in the round after one that asked for so many."""
        return min(2 * wanted, _MOST_CAUSES * sum(map(self._size, range(len(self.abstractions)))))

    def _size(self, at: int) -> int:
        abstraction = self.abstractions[at]
        return len(
            self.composition.listed_parts[at].states if abstraction is None else abstraction.blocks
        )

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

    def _keep(self, played: LayerGames) -> None:
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

    def _refine(self, causes: Sequence[Cause]) -> list[CauseOutcome]:
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


_NOT_NO, _NOT_YES = OPEN | 1 << NO, OPEN | 1 << YES
_SHOWN = bytes(
    [ABSENT, NO, YES, _NOT_NO | _NOT_YES, OPEN, _NOT_YES, _NOT_NO, _NOT_NO | _NOT_YES]
).ljust(256, b"\0")
"""The knowledge about a position, by the colours that it has where it meets others, as bits."""
