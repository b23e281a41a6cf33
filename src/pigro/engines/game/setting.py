"""What the games on all layers of a system share, as flat arrays for the native core.

Actions are numbered for the whole system: those that have names, then a `tau` for each part that
has one. In a system without actions there is one, which all parts perform together. Two states of
different parts go together if they show each other the same labels, that is, if their *signatures*
are equal.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pigro import _core
from pigro.model.part import LOCAL, TAU, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.logic.modal import ModalForm
    from pigro.model.part import Part

    Tick = Callable[[int], None]
    """Runs every few milliseconds, and before that many bytes are taken; may raise to stop."""


class Setting:
    """A formula on parts, and everything that their games need."""

    def __init__(
        self, parts: Sequence[Part], initial: Sequence[tuple[int, ...]], form: ModalForm
    ) -> None:
        self.parts = parts
        self.initial = initial
        self.form = form
        self.formula = _core.ModalFormula(
            memoryview(form.ops),
            memoryview(form.left),
            memoryview(form.right),
            memoryview(form.priority),
            form.root,
        )
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
        self._columns = _columns(parts, form.atoms)

    def elsewhere(self, layer: range) -> bytes:
        """Of each action: whether a part outside of the layer has it."""
        inside = [self.alphabets[at] for at in layer]
        return bytes(
            owners > sum(alphabet[action] for alphabet in inside)
            for action, owners in enumerate(self._owners)
        )

    def prefixes(self, length: int) -> list[tuple[int, ...]]:
        """Where the first so many parts can start."""
        return list(dict.fromkeys(states[:length] for states in self.initial))

    def starts(self, at: int) -> list[int]:
        """Where a part can start."""
        return list(dict.fromkeys(states[at] for states in self.initial))

    def part_game(self, at: int, known: bytes | None, tick: Tick | None) -> _core.PartGame:
        """The game on a part alone, not solved yet.

        `known`, for each state and each subformula: a colour, `solver.ABSENT` for positions to
        leave out, or `solver.OPEN` and bits of colours that it can't get.
        """
        part = self.parts[at]
        values, signatures = self._columns[at]
        return _core.PartGame(
            self.formula,
            memoryview(part.offsets),
            memoryview(part.targets),
            memoryview(self._actions_of(at)),
            memoryview(part.must),
            memoryview(values),
            memoryview(self.alphabets[at]),
            memoryview(self.elsewhere(range(at, at + 1))),
            memoryview(self.modalities),
            [memoryview(each) for each in signatures],
            self.starts(at),
            memoryview(known or b""),
            tick,
        )

    def product(  # noqa: PLR0913 - how to compose is said by name
        self,
        left: _core.Game,
        right: _core.PartGame,
        at: int,
        tick: Tick | None,
        *,
        everything: bool = False,
        watch: bool = False,
    ) -> _core.ProductGame:
        """The game on the parts before `at` and part `at`, not solved yet.

        Composed of what is undecided, or of everything. If watched, it can tell afterwards how the
        positions of two parts met.
        """
        before = {states: number for number, states in enumerate(self.prefixes(at))}
        here = {state: number for number, state in enumerate(self.starts(at))}
        roots = [(before[states[:-1]], here[states[-1]]) for states in self.prefixes(at + 1)]
        return _core.ProductGame(
            left,
            right,
            at,
            memoryview(self.elsewhere(range(at + 1))),
            memoryview(self.modalities),
            everything,
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


def _columns(parts: Sequence[Part], atoms: Sequence[str]) -> list[tuple[bytes, list[array[int]]]]:
    """For each part, the values of the formula's atoms, and the signatures for each other part."""
    seen = frozenset(atom for part in parts for atom in part.atoms)
    shared: dict[tuple[tuple[str, ...], tuple[int, ...]], int] = {}
    found = []
    for at, part in enumerate(parts):
        width, count = len(part.atoms), len(part.states)
        column = {atom: part.values[place::width] for place, atom in enumerate(part.atoms)}
        values = bytearray(count * len(atoms))
        for place, atom in enumerate(atoms):
            elsewhere = bytes([UNKNOWN if atom in seen else 0]) * count
            values[place :: len(atoms)] = column.get(atom, elsewhere)
        signatures = []
        for other, peer in enumerate(parts):
            joint = tuple(sorted(column.keys() & set(peer.atoms))) if other != at else ()
            if not joint:
                signatures.append(array("i", bytes(4 * count)))
                continue
            rows = zip(*(column[atom] for atom in joint), strict=True)
            numbers = (shared.setdefault((joint, row), len(shared) + 1) for row in rows)
            signatures.append(array("i", numbers))
        found.append((bytes(values), signatures))
    return found
