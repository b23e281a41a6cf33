"""Checking with parts that are abstracted by predicates, which are refined where it matters.

At first the blocks of a part know the given predicates and a few labels: joint ones and those of
the formula. In each round the games are played on small parts (`blocks.py`). If the value is not
definite, causes of the doubt are read off the game on all parts, and one block is split for each:

    a label is not known         by the label
    a step may be there only     by a condition of the file that tells some states of the block with
                                 such a step from some without. If there is none, by the states that
                                 have such a step
    parts may agree or not       by the joint label that is not known

Each split makes a block smaller. So a finite part is decided in the end, if time and memory allow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.engines.game.formulas.blocks import PartBlocks
from pigro.engines.game.room import within_room
from pigro.engines.game.rounds import refine
from pigro.engines.game.setting import GameSetup
from pigro.model.composition import Composition
from pigro.model.mistakes import quoted
from pigro.model.part import UNKNOWN
from pigro.verdict.composition_details import CauseOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.rounds import RoundPlayer
    from pigro.evidence.strategy.strategy import States
    from pigro.logic.modal import ModalForm
    from pigro.model.lazy.seen import AnyPart
    from pigro.model.part import Part
    from pigro.verdict.composition_details import Cause, Round

_MOST_LABELS = 4096
"""Of a part that is abstracted once and for all."""
_FIRST = 8
"""Labels that are predicates from the beginning."""
_LONGEST = 40
"""Characters of a block's name that is part of another's."""


def abstracted(part: AnyPart, tick: Callable[[], None]) -> Part:
    """A part as its predicates see it, with all labels. `ModelError` P213 if these are many."""
    if len(part.atoms) > _MOST_LABELS:
        message = f"part {quoted(part.name)} has too many labels to abstract: {len(part.atoms):,}"
        hint = "use the method predicates, which needs only those that formulas speak of"
        raise ModelError("P213", message, hint=hint)
    return within_room(lambda room: PartBlocks(part, tick, room).small(part.atoms), None, tick)


class BlockRefinement:
    """The rounds of one check. `room` is how many bytes the diagrams of a part may take.

    Parts that are given by formulas are abstracted. With `everything`, all concrete parts are.
    """

    most_causes = 64

    def __init__(
        self,
        composition: Composition,
        form: ModalForm,
        look: Callable[[], None],
        room: int,
        *,
        strategy: str = "many",
        everything: bool = False,
    ) -> None:
        self._form, self._look, self._strategy = form, look, strategy
        self._parts = composition.parts
        self._labels = frozenset((*form.atoms, *composition.joint))
        self._blocks = [
            PartBlocks(part, look, room, self._labels)
            if part.formulas is not None or (everything and part.is_concrete)
            else None
            for part in self._parts
        ]
        joint = frozenset(composition.joint)
        for blocks in filter(None, self._blocks):
            first = [each for each in blocks.part.atoms if each in self._labels][:_FIRST]
            if everything:  # as `refine` begins
                first = [each for each in blocks.part.atoms if each in joint][:_FIRST]
            for label in first:
                blocks.split_all(label, blocks.label(label))
        self._conditions: dict[int, list[tuple[str, Bdd]]] = {}
        self.rounds: list[Round] = []
        self._splits = 0
        """Those by the states before a block."""
        self.setting = self._setting()

    def run(self, player: RoundPlayer) -> bool | None:
        """Rounds until the value is definite, or nothing can be split."""
        value, self.rounds = refine(self, player, self._strategy)
        return value

    def is_narrowed(self, layer: Sequence[int]) -> bool:
        """Whether the other parts keep those that decided from starting where they could."""
        if len(layer) == len(self._parts):
            return False
        starts = self.setting.starts(range(layer[0], layer[-1] + 1))
        return len(starts) < len(Composition([self.setting.parts[at] for at in layer]).initial)

    def _setting(self) -> GameSetup:
        parts = [
            part.listed() if blocks is None else blocks.small(self._labels)
            for part, blocks in zip(self._parts, self._blocks, strict=True)
        ]
        return GameSetup(parts, Composition(parts).initial, self._form)

    def split(self, causes: Sequence[Cause], lost: States | None) -> list[CauseOutcome]:
        """Splits a block for each cause, each block once."""
        findings: list[CauseOutcome] = []
        touched: set[tuple[int, int]] = set()
        for cause in causes:
            self._look()
            found = self._refined(cause, touched)
            if found is not None:
                findings.append(found)
        if lost is not None:
            findings += filter(None, [self._agreeing(lost, touched)])
        if findings:
            self.setting = self._setting()
        return findings

    def _refined(self, cause: Cause, touched: set[tuple[int, int]]) -> CauseOutcome | None:
        if cause.target is None:
            assert cause.atom is not None, "a label or a step"
            return self._by_label(cause.states, cause.atom, touched)
        action = cause.action or 0
        for at, blocks in enumerate(self._blocks):
            if blocks is None or not self.setting.alphabets[at][action]:
                continue
            if self._must(at, cause.states[at], action, cause.target[at]):
                continue
            if (at, cause.states[at]) in touched or (at, cause.target[at]) in touched:
                return None
            return self._by_step(at, blocks, cause, touched)
        return self._agreeing(cause.target, touched)

    def _must(self, at: int, source: int, action: int, target: int) -> bool:
        part = self.setting.parts[at]
        name = self.setting.actions[action]
        return any(
            to == target and must and (part.actions is None or part.action_name(by) == name)
            for by, to, must in part.steps_of(source)
        )

    def _by_label(
        self, states: Sequence[int], label: str, touched: set[tuple[int, int]]
    ) -> CauseOutcome | None:
        for at, (blocks, state) in enumerate(zip(self._blocks, states, strict=True)):
            part = self.setting.parts[at]
            if blocks is None or label not in part.atoms or (at, state) in touched:
                continue
            if part.value(state, part.atoms.index(label)) != UNKNOWN:
                continue
            name = part.states[state]
            if blocks.split(state, label, blocks.label(label)):
                touched.add((at, state))
                return CauseOutcome(at, name, label, None, None, split=True)
        return None

    def _by_step(
        self, at: int, blocks: PartBlocks, cause: Cause, touched: set[tuple[int, int]]
    ) -> CauseOutcome | None:
        assert cause.target is not None, "it is a step"
        names, source, target = self.setting.parts[at].states, cause.states[at], cause.target[at]
        action = self.setting.actions[cause.action or 0]
        text, where = self._telling(at, blocks, source, action, target)
        if not blocks.split(source, text, where):
            return None
        touched.add((at, source))
        return CauseOutcome(at, names[source], None, action or None, names[target], split=True)

    def _telling(
        self, at: int, blocks: PartBlocks, source: int, action: str, target: int
    ) -> tuple[str, Bdd]:
        """What tells the states of a block with a step into another from those without."""
        inside, nothing = blocks.blocks[source].states, blocks.diagrams.false
        leading = inside & blocks.before(target, action)
        others = inside & ~leading
        mixed: tuple[str, Bdd] | None = None
        for text, where in self._candidates(at, blocks):
            self._look()
            sides = [leading & where, leading & ~where, others & where, others & ~where]
            empty = [side == nothing for side in sides]
            if (empty[0] and empty[3]) or (empty[1] and empty[2]):
                return text, where
            pure = (empty[0] and not empty[2]) or (empty[1] and not empty[3])
            pure = pure or (empty[2] and not empty[0]) or (empty[3] and not empty[1])
            if pure and mixed is None:
                mixed = text, where
        if mixed is not None:
            return mixed
        self._splits += 1
        name = blocks.blocks[target].name
        return f"before {name if len(name) <= _LONGEST else self._splits}", leading

    def _candidates(self, at: int, blocks: PartBlocks) -> list[tuple[str, Bdd]]:
        """The conditions of a part's file, as sets of states."""
        if at not in self._conditions:
            self._conditions[at] = blocks.sets.conditions()
        return self._conditions[at]

    def _agreeing(
        self, states: Sequence[int], touched: set[tuple[int, int]]
    ) -> CauseOutcome | None:
        """Splits by a joint label that is not known in one of the states."""
        for label in self._unsettled(states):
            found = self._by_label(states, label, touched)
            if found is not None:
                return found
        return None

    def _unsettled(self, states: Sequence[int]) -> Iterator[str]:
        for part, state in zip(self.setting.parts, states, strict=True):
            for label in part.labels_of(state, UNKNOWN):
                if label in self.setting.doubts.unsettled:
                    yield label
