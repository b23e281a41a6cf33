"""Checking with parts that are abstracted by predicates, which are refined where it matters.

In each round the games are played on small parts (`blocks.py`). If the value is not definite,
causes of the doubt are read off the game on all parts, and one block is split for each of them:

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
from pigro.engines.game.diagrams import within_room
from pigro.engines.game.formulas.blocks import Blocks
from pigro.engines.game.formulas.conditions import conditions_of
from pigro.engines.game.layers import play
from pigro.engines.game.refinement import causes_in
from pigro.engines.game.setting import Setting
from pigro.engines.game.solver import NO
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart
from pigro.model.mistakes import quoted
from pigro.model.part import UNKNOWN
from pigro.verdict.games import Finding, Round

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.engines.game.diagrams import Diagram
    from pigro.engines.game.layers import Played
    from pigro.logic.modal import ModalForm
    from pigro.model.part import Part
    from pigro.verdict.games import Cause

_MOST_CAUSES = 64
"""In one round."""
_MOST_LABELS = 4096
"""Of a part that is abstracted once and for all."""
_LONGEST = 40
"""Characters of a block's name that is part of another's."""


def abstracted(part: FormulaPart, tick: Callable[[], None]) -> Part:
    """A part as its predicates see it, with all labels. `ModelError` P213 if these are many."""
    if len(part.atoms) > _MOST_LABELS:
        message = f"part {quoted(part.name)} has too many labels to abstract: {len(part.atoms):,}"
        hint = "use the method predicates, which needs only those that formulas speak of"
        raise ModelError("P213", message, hint=hint)
    return within_room(lambda room: Blocks(part, tick, room).small(part.atoms), None, tick)


class PredicateRefinement:
    """The rounds of one check. `room` is how many bytes the diagrams of a part may take."""

    def __init__(
        self, composition: Composition, form: ModalForm, look: Callable[[], None], room: int
    ) -> None:
        self._form, self._look = form, look
        self._parts = composition.parts
        self._labels = frozenset((*form.atoms, *composition.joint))
        self._blocks = [
            Blocks(part, look, room) if isinstance(part, FormulaPart) else None
            for part in self._parts
        ]
        self._conditions: dict[int, list[tuple[str, Diagram]]] = {}
        self.rounds: list[Round] = []
        self._splits = 0
        """Those by the states before a block."""
        self.setting = self._setting()

    def run(self, tick: Callable[[int], None]) -> Played:
        """Rounds until the value is definite, or nothing can be split."""
        wanted = 1
        while True:
            played = play(self.setting, tick)
            sizes = tuple([len(part.states) for part in self.setting.parts])
            if played.value is not None:
                self.rounds.append(Round(sizes, tuple(played.reports)))
                return played
            causes = causes_in(played.last, self._form, wanted)
            findings = self._refine(played, causes)
            self.rounds.append(Round(sizes, tuple(played.reports), tuple(causes), tuple(findings)))
            if not findings:
                return played
            self.setting = self._setting()
            wanted = min(2 * wanted, _MOST_CAUSES)

    def is_narrowed(self, played: Played) -> bool:
        """Whether the other parts keep those that decided from starting where they could."""
        layer = played.reports[-1].parts
        if len(layer) == len(self._parts):
            return False
        starts = self.setting.starts(range(layer[0], layer[-1] + 1))
        return len(starts) < len(Composition([self.setting.parts[at] for at in layer]).initial)

    def _setting(self) -> Setting:
        parts = [
            part if blocks is None else blocks.small(self._labels)
            for part, blocks in zip(self._parts, self._blocks, strict=True)
        ]
        return Setting(parts, Composition(parts).initial, self._form)

    def _refine(self, played: Played, causes: Sequence[Cause]) -> list[Finding]:
        """Splits a block for each cause, each block once."""
        findings: list[Finding] = []
        touched: set[tuple[int, int]] = set()
        for cause in causes:
            self._look()
            found = self._refined(cause, touched)
            if found is not None:
                findings.append(found)
        if not causes:
            findings += filter(None, [self._agreeing(self._lost(played), touched)])
        return findings

    def _refined(self, cause: Cause, touched: set[tuple[int, int]]) -> Finding | None:
        if cause.target is None:
            assert cause.atom is not None, "a label or a step"
            return self._by_label(cause.states, cause.atom, touched)
        for at, blocks in enumerate(self._blocks):
            if blocks is None or self._must(at, cause.states[at], cause.target[at]):
                continue
            if (at, cause.states[at]) in touched or (at, cause.target[at]) in touched:
                return None
            return self._by_step(at, blocks, cause.states[at], cause.target[at], touched)
        return self._agreeing(cause.target, touched)

    def _must(self, at: int, source: int, target: int) -> bool:
        steps = self.setting.parts[at].steps_of(source)
        return any(to == target and must for _, to, must in steps)

    def _by_label(
        self, states: Sequence[int], label: str, touched: set[tuple[int, int]]
    ) -> Finding | None:
        for at, (blocks, state) in enumerate(zip(self._blocks, states, strict=True)):
            part = self.setting.parts[at]
            if blocks is None or label not in part.atoms or (at, state) in touched:
                continue
            if part.value(state, part.atoms.index(label)) != UNKNOWN:
                continue
            name = part.states[state]
            if blocks.split(state, label, blocks.label(label)):
                touched.add((at, state))
                return Finding(at, name, label, None, None, split=True)
        return None

    def _by_step(
        self, at: int, blocks: Blocks, source: int, target: int, touched: set[tuple[int, int]]
    ) -> Finding | None:
        names = self.setting.parts[at].states
        text, where = self._telling(at, blocks, source, target)
        if not blocks.split(source, text, where):
            return None
        touched.add((at, source))
        return Finding(at, names[source], None, None, names[target], split=True)

    def _telling(self, at: int, blocks: Blocks, source: int, target: int) -> tuple[str, Diagram]:
        """What tells the states of a block with a step into another from those without."""
        inside, nothing = blocks.blocks[source].states, blocks.diagrams.false
        leading = inside & blocks.before(target)
        others = inside & ~leading
        mixed: tuple[str, Diagram] | None = None
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

    def _candidates(self, at: int, blocks: Blocks) -> list[tuple[str, Diagram]]:
        """The conditions of a part's file, as sets of states."""
        if at not in self._conditions:
            found = []
            for text, number in conditions_of(blocks.part.formulas):
                true, fault = blocks.sets.terms.condition(number)
                if fault & blocks.sets.states == blocks.diagrams.false:
                    found.append((text, true & blocks.sets.states))
            self._conditions[at] = found
        return self._conditions[at]

    def _agreeing(self, states: Sequence[int], touched: set[tuple[int, int]]) -> Finding | None:
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

    def _lost(self, played: Played) -> Sequence[int]:
        """Where the formula is false at the start, if the parts start there."""
        colours = played.last.colours()
        starts = self.setting.starts(range(len(self.setting.parts)))
        pairs = zip(starts, played.last.roots, strict=True)
        return next(states for states, root in pairs if colours[root] == NO)
