"""Why a formula of the mu-calculus holds or fails in a model: how to win its game, with calls.

A position is a state with a subformula. The player who says that the formula holds chooses at `|`
and `<>`, the other at `&` and `[]`. The *winner* is the former if the formula holds, and the latter
if it fails. A *frame* stands for calls of a component, or for the bottom of the stack. Its
*promises* are what the caller wins after the component returns. A *claim* is a position in a frame
that the winner wins. It rests on other claims.

What makes a strategy right is said in native/verify/game_strategy.hpp, which checks it.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pigro import _core
from pigro.evidence.data import require
from pigro.limits import no_poll
from pigro.logic.modal import modal_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.logic.modal import ModalForm
    from pigro.model import RSM

LEAST = 4
"""Numbers of a row without the claims that it rests on."""


class ReturnPromise(NamedTuple):
    """What a caller wins: a modality at an exit, after a priority was the largest."""

    exit: int
    formula: int
    seen: int


@dataclass(frozen=True, slots=True)
class GameFrame:
    """A call of a component, or the bottom of the stack."""

    component: int
    is_bottom: bool
    promises: tuple[ReturnPromise, ...] = ()
    """Ascending."""


class GameClaim(NamedTuple):
    """A position in a frame that the winner wins."""

    frame: int
    node: int
    formula: int
    seen: int
    """The largest priority since the frame was entered."""
    rests: tuple[int, ...]
    """Other claims, by number."""


@dataclass(frozen=True, slots=True)
class GameStrategy:
    """How to win the game of a formula on a model."""

    KIND: ClassVar[str] = "game"
    """See `pigro.evidence.kinds`."""

    formula: Formula
    holds: bool
    starts: tuple[int, ...]
    """Claims of the whole formula at initial nodes."""
    frames: tuple[GameFrame, ...] = field(repr=False)
    offsets: array[int] = field(repr=False)
    """Where the row of each claim begins, and the end."""
    rows: array[int] = field(repr=False)
    """Of each claim: frame, node, formula, seen, and the claims that it rests on."""

    @property
    def form(self) -> ModalForm:
        """What subformulas are numbered by. Steps of dead ends are those of the model."""
        return modal_form(self.formula, dead_ends="stop")

    def nodes_of(self, model: RSM) -> RSM:
        """The model that the nodes are of."""
        return model

    def __len__(self) -> int:
        """How many claims there are."""
        return len(self.offsets) - 1

    def claim(self, number: int) -> GameClaim:
        """One of the claims."""
        frame, node, formula, seen, *rests = self.rows[
            self.offsets[number] : self.offsets[number + 1]
        ]
        return GameClaim(frame, node, formula, seen, tuple(rests))


def labels_of(model: RSM, form: ModalForm) -> list[int]:
    """The label of the model for each atom, or -1."""
    return [model.label_ids.get(atom, -1) for atom in form.atoms]


def core_dead_ends(model: RSM) -> _core.DeadEnds:
    """How the core reads dead ends of a model."""
    stop = model.dead_ends is DeadEnds.STOP
    return _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER


def strategy_of(formula: Formula, made: _core.ClaimStrategy) -> GameStrategy:
    """The strategy that the core found."""
    bounds, flat = array("i", made.promise_offsets), array("i", made.promises)
    rows = [ReturnPromise(*flat[at : at + 3]) for at in range(0, len(flat), 3)]
    frames = tuple(
        GameFrame(component, bool(is_bottom), tuple(rows[bounds[at] : bounds[at + 1]]))
        for at, (component, is_bottom) in enumerate(zip(made.components, made.below, strict=True))
    )
    offsets, claims = array("i", made.offsets), array("i", made.claims)
    return GameStrategy(formula, made.holds, tuple(made.starts), frames, offsets, claims)


def replay_game(model: RSM, strategy: GameStrategy, poll: Poll = no_poll) -> None:
    """Checks a strategy. `WrongEvidence` says which rule it breaks. Needs: no actions."""
    form = strategy.form
    bounds, promises = array("i", [0]), array("i")
    for frame in strategy.frames:
        for promise in frame.promises:
            promises.extend(promise)
        bounds.append(len(promises) // 3)
    problem = _core.check_strategy(
        model.core,
        core_dead_ends(model),
        memoryview(form.ops),
        memoryview(form.left),
        memoryview(form.right),
        memoryview(form.priority),
        form.root,
        labels_of(model, form),
        strategy.holds,
        list(model.initial),
        strategy.starts,
        [frame.component for frame in strategy.frames],
        memoryview(bytes([frame.is_bottom for frame in strategy.frames])),
        memoryview(bounds),
        memoryview(promises),
        memoryview(strategy.offsets),
        memoryview(strategy.rows),
        lambda _: poll(),
    )
    require(problem is None, f"the strategy breaks a rule: {problem}")
