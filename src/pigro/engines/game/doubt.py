"""What the parts leave open: the label or the step that would have to be known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.engines.game.solver import NO
from pigro.logic import quote
from pigro.model.agreement import UnknownJointLabels
from pigro.verdict.composition_details import Cause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro import _core
    from pigro.engines.game.layers import LayerGames
    from pigro.engines.game.setting import GameSetup
    from pigro.evidence.strategy.strategy import States
    from pigro.logic.modal import ModalForm
    from pigro.model.lazy.seen import NumberedPart


def doubt(played: LayerGames, setting: GameSetup) -> str:
    """The nearest label or step. Needs: games on all parts that decide nothing."""
    telling = DoubtText(setting.parts)
    causes = causes_in(played.last, setting.form, 1)
    if not causes:
        return telling.joint(lost_start(played, setting))
    (cause,) = causes
    if cause.atom is not None:
        return telling.label(cause.atom, cause.states)
    assert cause.action is not None
    assert cause.target is not None, "a step has both"
    return telling.step(cause.states, setting.actions[cause.action], cause.target)


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


def lost_start(played: LayerGames, setting: GameSetup) -> States:
    """Where the formula is false at the start, if the parts start there."""
    game = played.last
    colours = game.colours()
    starts = zip(setting.starts(range(len(setting.parts))), game.roots, strict=True)
    return next(states for states, root in starts if colours[root] == NO)


class DoubtText:
    """Tells what parts leave open."""

    def __init__(self, parts: Sequence[NumberedPart]) -> None:
        self._parts, self._doubts = parts, UnknownJointLabels(parts)

    def label(self, label: str, states: States, first: int = 0) -> str:
        """Whether a label is true in states of the parts from the first on."""
        return f"whether {quote(label)} is true in {self._states_in_words(states, first)}"

    def joint(self, states: States) -> str:
        """Whether a joint label is true in the state of a part that does not know it."""
        found = self._doubts.first(states)
        assert found is not None, "else the parts agree for sure"
        at, label = found
        return self.label(label, (states[at],), at)

    def step(self, states: States, action: str, target: States) -> str:
        """Whether there is a step, or, if the parts have it, whether they agree afterwards."""
        pairs = zip(self._parts, states, target, strict=True)
        if self._doubts.first(target) is not None and all(
            any(must and to == goal for _, to, must in part.steps_of(state))
            for part, state, goal in pairs
        ):
            return self.joint(target)
        by = f" by {printable(action)}" if action else ""
        before, after = self._states_in_words(states), self._states_in_words(target)
        return f"whether there is a step{by} from {before} to {after}"

    def _states_in_words(self, states: States, first: int = 0) -> str:
        pairs = zip(self._parts[first:], states, strict=False)
        return printable(", ".join(f"{part.name}={part.states[state]}" for part, state in pairs))
