"""What the games on all layers of a system share, as flat arrays for the native core.

Actions are numbered for the whole system: those that have names, then a `tau` for each part that
has one. In a system without actions there is one, which all parts perform together. Two states of
different parts go together if they agree on the labels that both parts see. Labels that are known
in all states are compared as one number, the *signature*. Those that are unknown in some state, the
*unsettled* ones, are compared one by one: they may agree, or agree for sure.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.game.solver import NO, YES, core_formula
from pigro.model.agreement import UnknownJointLabels
from pigro.model.part import FALSE, LOCAL, TAU, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.logic.modal import ModalForm
    from pigro.model.part import Part

    Tick = Callable[[int], None]
    """Runs every few milliseconds, and before that many bytes are taken. May raise to stop."""

_UNSEEN = 3
"""Of an unsettled label that a part does not see."""


class GameSetup:
    """A formula on parts, and everything that their games need."""

    def __init__(
        self, parts: Sequence[Part], initial: Sequence[tuple[int, ...]], form: ModalForm
    ) -> None:
        self.parts = parts
        self.initial = initial
        self.form = form
        self.formula = core_formula(form)
        names = list(dict.fromkeys(name for part in parts for name in part.actions or ()))
        alone = [at for at, part in enumerate(parts) if LOCAL in part.by]
        self._has_actions = bool(names or alone)
        """Else the parts make one step together, or, if all alphabets are empty, none at all."""
        self.actions = [*names, *(TAU for _ in alone)] or [""]
        self._own = {at: place for place, at in enumerate(alone, start=len(names))}
        """Of each part that has one, its own `tau`."""
        self.alphabets = [self._alphabet(at) for at in range(len(parts))]
        self._owners = [sum(each) for each in zip(*self.alphabets, strict=True)]
        """Of each action: how many parts have it."""
        self.modalities = b"".join(
            bytes(name in wanted for name in self.actions) for wanted in form.actions
        )
        self.doubts = UnknownJointLabels(parts)
        self._columns = _columns(parts, form.atoms, self.doubts.unsettled)
        self._sure = [states for states in initial if self.doubts.first(states) is None]

    def elsewhere(self, layer: range) -> bytes:
        """Of each action: whether a part outside of the layer has it."""
        inside = [self.alphabets[at] for at in layer]
        return bytes(
            owners > sum(alphabet[action] for alphabet in inside)
            for action, owners in enumerate(self._owners)
        )

    def starts(self, layer: range) -> list[tuple[int, ...]]:
        """Where the parts of a layer can start: the roots of its game, in their order."""
        inside = slice(layer.start, layer.stop)
        return list(dict.fromkeys(states[inside] for states in self.initial))

    def value(self, game: _core.Game, layer: range) -> bool | None:
        """True if Player 0 wins all roots. False if Player 1 wins one where it starts for sure."""
        colours = game.colours()
        roots = [colours[root] for root in game.roots]
        if all(colour == YES for colour in roots):
            return True
        inside = slice(layer.start, layer.stop)
        sure = {states[inside] for states in self._sure}
        lost = zip(self.starts(layer), roots, strict=True)
        return False if any(colour == NO and start in sure for start, colour in lost) else None

    def part_game(self, at: int, known: bytes | None, tick: Tick | None) -> _core.PartGame:
        """The game on a part alone, not solved yet.

        `known`, for each state and each subformula: a colour, `solver.ABSENT` for positions to
        leave out, or `solver.OPEN` and bits of colours that it can't get.
        """
        part = self.parts[at]
        values, signatures, unsettled = self._columns[at]
        return _core.PartGame(
            self.formula,
            memoryview(part.offsets),
            memoryview(part.targets),
            memoryview(self._actions_of(at)),
            memoryview(part.must),
            [memoryview(row) for row in _hyper_rows(part)],
            memoryview(values),
            memoryview(self.alphabets[at]),
            memoryview(self.elsewhere(range(at, at + 1))),
            memoryview(self.modalities),
            [memoryview(each) for each in signatures],
            memoryview(unsettled),
            [state for (state,) in self.starts(range(at, at + 1))],
            memoryview(known or b""),
            tick,
        )

    def product(
        self,
        left: _core.Game,
        right: _core.PartGame,
        at: int,
        tick: Tick | None,
        *,
        everything: bool = False,
        decided: bool = False,
        watch: bool = False,
    ) -> _core.ProductGame:
        """The game on the parts before `at` and part `at`, not solved yet.

        Composed of undecided nodes, or of everything, or of undecided nodes and all decided
        positions next to them. If watched, it can tell afterwards how the positions of the parts
        met. Then all smaller products must have kept their decided nodes.
        """
        before = {states: number for number, states in enumerate(self.starts(range(at)))}
        here = {states: number for number, states in enumerate(self.starts(range(at, at + 1)))}
        both = self.starts(range(at + 1))
        roots = [(before[states[:-1]], here[states[-1:]]) for states in both]
        return _core.ProductGame(
            left,
            right,
            at,
            memoryview(self.elsewhere(range(at + 1))),
            memoryview(self.modalities),
            everything,
            decided,
            watch,
            roots,
            tick,
        )

    def _actions_of(self, at: int) -> array[int]:
        """The action of each step of a part, numbered for the whole system."""
        part = self.parts[at]
        if part.actions is None:
            return part.by
        number = {name: place for place, name in enumerate(self.actions)}
        mine = [number[name] for name in part.actions]
        mine.append(self._own.get(at, LOCAL))  # the last is number -1
        return array("i", [mine[action] for action in part.by])

    def _alphabet(self, at: int) -> bytes:
        """Of each action: whether a part has it."""
        part = self.parts[at]
        if not self._has_actions:
            return b"\1"
        named = frozenset(part.actions or ())
        own = self._own.get(at)
        return bytes(
            place == own or (name in named and name != TAU)
            for place, name in enumerate(self.actions)
        )


def _hyper_rows(part: Part) -> tuple[array[int], ...]:
    """Hyper-steps as the native core takes them: offsets of states, of steps, and the steps."""
    if not part.hyper:
        return ()
    offsets, first, steps = array("i", [0]), array("i", [0]), array("i")
    for state in range(len(part.states)):
        wide = part.hyper_of(state)
        offsets.append(offsets[-1] + len(wide))
        if not wide:
            continue
        begin = part.offsets[state]
        number = {step[:2]: at for at, step in enumerate(part.steps_of(state), start=begin)}
        for _, by, targets in wide:
            steps.extend(sorted(number[by, target] for target in targets))
            first.append(len(steps))
    return offsets, first, steps


def _columns(
    parts: Sequence[Part], atoms: Sequence[str], unsettled: Sequence[str]
) -> list[tuple[bytes, list[array[int]], bytes]]:
    """For each part the values of the formula's atoms, signatures, and unsettled labels.

    The signatures are those for each other part.
    """
    seen = frozenset(atom for part in parts for atom in part.atoms)
    shared: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}
    found = []
    for at, part in enumerate(parts):
        width, count = len(part.atoms), len(part.states)
        column = {atom: part.values[place::width] for place, atom in enumerate(part.atoms)}
        others = {atom: bytes([UNKNOWN if atom in seen else FALSE]) * count for atom in atoms}
        values = _rows([column.get(atom, others[atom]) for atom in atoms], count)
        unseen = bytes([_UNSEEN]) * count
        signatures = []
        for other, peer in enumerate(parts):
            joint = tuple(sorted((column.keys() & set(peer.atoms)).difference(unsettled)))
            joint = () if other == at else joint
            if not joint:
                signatures.append(array("i", bytes(4 * count)))
                continue
            rows = zip(*(column[atom] for atom in joint), strict=True)
            numbers = (shared.setdefault((joint, row), len(shared) + 1) for row in rows)
            signatures.append(array("i", numbers))
        doubtful = _rows([column.get(atom, unseen) for atom in unsettled], count)
        found.append((values, signatures, doubtful))
    return found


def _rows(columns: Sequence[bytes], count: int) -> bytes:
    """A table of so many rows, row by row, from its columns."""
    rows = bytearray(count * len(columns))
    for place, column in enumerate(columns):
        rows[place :: len(columns)] = column
    return bytes(rows)
