"""The steps that some parts of a composition make together, as far as they can tell. For replays.

Without actions there is one, which all parts take part in. Parts that are left out are not known:
they may allow every step, and may prevent each that they take part in.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Protocol

from pigro.model.agreement import CompatibleRows
from pigro.model.part import LOCAL, MUST, TAU, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pigro.evidence.strategy.strategy import States
    from pigro.model.lazy.seen import NumberedPart

_Seen = list[tuple[int, int]]
"""Who sees a label: places among some parts, each with its column of the label."""
_Takers = dict[int, int]
"""Of an action: the parts that take part, each with its own number of it."""


class StepCover(Protocol):
    """What of the targets of steps need not be told."""

    def alone(self, last: int, state: int) -> bool:
        """Whether all targets with this state of the part at this place are covered."""

    def together(self, states: States) -> bool:
        """Whether all targets that begin with these states are covered."""


class JointSteps:
    """The steps of parts together."""

    def __init__(self, parts: tuple[NumberedPart, ...]) -> None:
        self._parts = parts
        self._columns = [{atom: at for at, atom in enumerate(part.atoms)} for part in parts]
        self._rows: dict[tuple[int, int], dict[int, list[tuple[int, int]]]] = {}
        self._shares: dict[tuple[int, ...], list[tuple[int, _Seen]]] = {}
        self._actions: list[tuple[str, _Takers]] = []
        if parts[0].actions is None:
            self._actions.append(("", dict.fromkeys(range(len(parts)), 0)))
            return
        named: dict[str, _Takers] = {}
        for at, part in enumerate(parts):
            for number, name in enumerate(part.actions or ()):
                named.setdefault(name, {})[at] = number
        self._actions += named.items()
        acting = [(at, part) for at, part in enumerate(parts) if part.is_listed]
        self._actions += [(TAU, {at: LOCAL}) for at, part in acting if LOCAL in part.by]

    def value(self, part: int, state: int, atom: str) -> int | None:
        """What a label is in a state of a part. None if the part does not see it."""
        column = self._columns[part].get(atom)
        return None if column is None else self._parts[part].value(state, column)

    def is_seen(self, atom: str) -> bool:
        """Whether some part sees a label."""
        return any(atom in columns for columns in self._columns)

    def can(
        self,
        parts: tuple[int, ...],
        states: States,
        action: str | None,
        goals: Sequence[States],
        names: Sequence[str] | None,
    ) -> bool:
        """Whether parts can make a step to one of the goals by an action for sure.

        That is, whatever others do. The action must be one of the names, if there are any.
        """
        wanted = action or ""
        fine = all(self._agree(parts, after) for after in goals)
        if not fine or (names is not None and wanted not in names):
            return False
        sets = [frozenset(each) for each in zip(*goals, strict=True)]
        if len(goals) != prod(map(len, sets)) or len({*goals}) != len(goals):
            return False  # not all combinations, or some twice
        inside = frozenset(parts)
        return any(
            name == wanted
            and inside.issuperset(takers)
            and all(
                self._must(part, state, takers[part], to) if part in takers else to == {state}
                for part, state, to in zip(parts, states, sets, strict=True)
            )
            for name, takers in self._actions
        )

    def _must(self, part: int, state: int, action: int, targets: frozenset[int]) -> bool:
        """Whether a part must have a step to one of some states."""
        one = self._parts[part]
        if not one.is_listed:  # it may have more steps than can be looked at
            return any(one.leads(state, to) for to in targets)
        if any(to in targets for to, must in self._steps_of(part, state, action) if must == MUST):
            return True
        wide = one.hyper_of(state)
        return any(step.by == action and targets.issuperset(step.targets) for step in wide)

    def targets(
        self, parts: tuple[int, ...], states: States, names: Sequence[str] | None, cover: StepCover
    ) -> Iterator[States]:
        """Where parts may go, by one of the names if there are any, except for covered steps."""
        stays = False
        for name, takers in self._actions:
            if names is not None and name not in names:
                continue
            if any(part in takers for part in parts):
                yield from self._together(parts, states, takers, cover)
            else:
                stays = True
        if stays:
            yield from self._together(parts, states, {}, cover)

    def _together(
        self, parts: tuple[int, ...], states: States, takers: Mapping[int, int], cover: StepCover
    ) -> list[States]:
        """The same for one action. Who does not take part stays."""
        made: list[States] = [()]
        for last, (part, state) in enumerate(zip(parts, states, strict=True)):
            goals = [state]
            if part in takers:
                goals = [target for target, _ in self._steps_of(part, state, takers[part])]
            shared = self._shared(parts[: last + 1])
            fitting = CompatibleRows(
                (tuple([self._parts[part].value(goal, own) for own, _ in shared]), goal)
                for goal in goals
                if not cover.alone(last, goal)
            )
            homes = [[(place, self._parts[parts[place]], at) for place, at in s] for _, s in shared]
            grown: list[States] = []
            for before in made:  # they can agree, so a label is known if one of them knows it
                known = [min([peer.value(before[i], at) for i, peer, at in home]) for home in homes]
                grown += [(*before, goal) for goal in fitting.to(tuple(known))]
            made = [each for each in grown if not cover.together(each)]
        return made

    def _shared(self, parts: tuple[int, ...]) -> list[tuple[int, _Seen]]:
        """The labels that the last part shares with parts before: its column, and theirs."""
        found = self._shares.get(parts)
        if found is None:
            *before, last = parts
            seen: dict[str, _Seen] = {}
            for place, part in enumerate(before):
                for atom, column in self._columns[part].items():
                    seen.setdefault(atom, []).append((place, column))
            own = self._columns[last].items()
            found = [(column, seen[atom]) for atom, column in own if atom in seen]
            self._shares[parts] = found
        return found

    def _agree(self, parts: tuple[int, ...], states: States) -> bool:
        """Whether states agree on the labels that their parts share, for sure: all are known."""
        return all(
            self._parts[part].value(states[last], own)
            == self._parts[parts[place]].value(states[place], column)
            != UNKNOWN
            for last, part in enumerate(parts)
            for own, seen in self._shared(parts[: last + 1])
            for place, column in seen
        )

    def _steps_of(self, part: int, state: int, action: int) -> Sequence[tuple[int, int]]:
        """The steps of one part: targets, and whether they must be there."""
        rows = self._rows.get((part, state))
        if rows is None:
            rows = {}
            for by, target, must in self._parts[part].steps_of(state):  # may raise `TooWide`
                rows.setdefault(by, []).append((target, must))
            self._rows[part, state] = rows
        return rows.get(action, ())
