"""What the parts leave open, in words: a label, or a step, that would have to be known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.engines.game.refinement import causes_in
from pigro.engines.game.solver import NO
from pigro.logic import quote

if TYPE_CHECKING:
    from pigro.engines.game.layers import Played
    from pigro.engines.game.setting import Setting
    from pigro.evidence.strategy import States
    from pigro.verdict.games import Cause


def doubt(played: Played, setting: Setting) -> str:
    """The nearest label or step. Needs: games on all parts that decide nothing."""
    causes = causes_in(played.last, setting.form, 1)
    if not causes:
        return _whether_joint(setting, _lost_start(played, setting))
    (cause,) = causes
    if cause.atom is not None:
        return _whether(setting, cause.atom, cause.states)
    return _whether_step(setting, cause)


def _lost_start(played: Played, setting: Setting) -> States:
    """Where the formula is false at the start, if the parts start there."""
    game = played.last
    colours = game.colours()
    starts = zip(setting.starts(range(len(setting.parts))), game.roots, strict=True)
    return next(states for states, root in starts if colours[root] == NO)


def _whether_step(setting: Setting, cause: Cause) -> str:
    """Whether there is a step, or, if the parts have it, whether they agree afterwards."""
    assert cause.action is not None
    assert cause.target is not None, "a step has both"
    pairs = zip(setting.parts, cause.states, cause.target, strict=True)
    if setting.doubts.first(cause.target) is not None and all(
        any(must and to == target for _, to, must in part.steps_of(state))
        for part, state, target in pairs
    ):
        return _whether_joint(setting, cause.target)
    action = setting.actions[cause.action]
    by = f" by {printable(action)}" if action else ""
    before, after = (_told(setting, states) for states in (cause.states, cause.target))
    return f"whether there is a step{by} from {before} to {after}"


def _whether_joint(setting: Setting, states: States) -> str:
    """Whether a joint label is true in the state of a part that does not know it."""
    found = setting.doubts.first(states)
    assert found is not None, "else the parts agree for sure"
    at, label = found
    return _whether(setting, label, (states[at],), at)


def _whether(setting: Setting, label: str, states: States, first: int = 0) -> str:
    return f"whether {quote(label)} is true in {_told(setting, states, first)}"


def _told(setting: Setting, states: States, first: int = 0) -> str:
    """States of the parts from the first on."""
    pairs = zip(setting.parts[first:], states, strict=False)
    return printable(", ".join(f"{part.name}={part.states[state]}" for part, state in pairs))
