"""Parts put together: what agrees, where it starts, and how large it is without being built.

Source: [Shoham2010], sections 2 and 4. Parts without actions move all at once, and a composed
state is a tuple of states that agree on every label that several of the parts see: it is true in
all of these, or false in all. If it is unknown in one of them, and not true in one and false in
another, the tuple may be a composed state or not (`agreement.py`). The paper excludes such labels.
Parts with actions share these instead: an action is taken together by all parts that have it, the
others stay, and `tau` is taken by one part alone.

Counting is a join, part by part: a table from the values of the labels that a later part sees as
well to the number of tuples that have them. Parts that share labels with those before come first.
Cost: the states of all parts, and the sizes of these tables, which are limited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import ClassVar, Literal, TypeAlias, TypeVar

from pigro.diagnostics import ModelError
from pigro.limits import Poll, no_poll
from pigro.model.agreement import CompatibleRows, UnknownJointLabels, Values, joint_labels, merged
from pigro.model.kinds import SubjectKind
from pigro.model.lazy.seen import AnyPart, NumberedPart, numbered
from pigro.model.mistakes import quoted
from pigro.model.part import UNKNOWN, Part, PartBuilder
from pigro.model.rsm import RSM
from pigro.model.space import Model

_MOST_ENTRIES = 1 << 22
"""In a table of the join."""
_MOST_INITIAL = 1_000_000
_AGREE = "a label that several parts see has one value: rename it, or let them agree"


@dataclass(frozen=True, repr=False)
class Composition:
    """A system of parts that share labels or actions.

    Raises `ModelError` if the parts do not fit together.

    >>> import pigro
    >>> left = pigro.PartBuilder("left", labels=["p", "q"]).state("a", "p", initial=True).state("b")
    >>> right = pigro.PartBuilder("right", labels=["p"]).state("c", "p", initial=True)
    >>> both = pigro.Composition([left.build(), right.state("d", "p").build()])
    >>> both.initial, both.states, both.joint
    (((0, 0),), 2, ('p',))
    """

    kind: ClassVar[Literal[SubjectKind.COMPOSITION]] = SubjectKind.COMPOSITION
    parts: tuple[AnyPart, ...]

    def __init__(self, parts: Iterable[AnyPart]) -> None:
        object.__setattr__(self, "parts", _listed(parts))
        _check_names(self.parts)
        _check_kinds(self.parts)
        if self.is_listed:
            self._check_start()

    @property
    def is_listed(self) -> bool:
        """Whether the states of all parts are there. If not, a method may do without them."""
        return all(part.is_listed for part in self.parts)

    def _check_start(self) -> None:
        if not self._starts:
            raise cannot_start(self.parts)

    def listed(self, poll: Poll = no_poll) -> Composition:
        """The same with all states of all parts."""
        if self.is_listed:
            return self
        return Composition([part.listed(poll) for part in self.parts])

    @cached_property
    def listed_parts(self) -> tuple[Part, ...]:
        """The parts with all their states."""
        return tuple([part.listed() for part in self.parts])

    @cached_property
    def numbered_parts(self) -> tuple[NumberedPart, ...]:
        """The parts with all their states, or with those that were seen."""
        return tuple(map(numbered, self.parts))

    @property
    def has_actions(self) -> bool:
        """Whether the parts share actions, and not labels."""
        return self.parts[0].actions is not None

    @cached_property
    def atoms(self) -> tuple[str, ...]:
        """The labels of all parts, in order."""
        return tuple(dict.fromkeys(label for part in self.parts for label in part.atoms))

    @cached_property
    def joint(self) -> tuple[str, ...]:
        """The labels that several parts see."""
        return joint_labels(self.parts)

    @cached_property
    def _doubts(self) -> UnknownJointLabels:
        return UnknownJointLabels(self.numbered_parts)

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The joint labels that are unknown in some state of some part."""
        return self._doubts.unsettled

    def is_sure(self, states: Sequence[int]) -> bool:
        """Whether states that can agree do so for sure: no joint label is unknown in them."""
        return self._doubts.first(states) is None

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions of all parts, in order, without `tau`."""
        return tuple(dict.fromkeys(each for part in self.parts for each in part.actions or ()))

    @property
    def is_concrete(self) -> bool:
        """All parts are: every formula holds or does not."""
        return all(part.is_concrete for part in self.parts)

    @cached_property
    def initial(self) -> tuple[tuple[int, ...], ...]:
        """All tuples of initial states that can agree, ascending.

        `ModelError` P213 if there are more than a million. Which of them are initial states of the
        composition for sure, `is_sure` says.
        """
        self._check_start()
        if self._starts > _MOST_INITIAL:
            message = f"the composition has {self._starts:,} initial states"
            raise ModelError("P213", message, hint="give the parts fewer initial states")
        parts = self.numbered_parts
        return tuple(_agreeing(parts, [part.initial for part in parts]))

    def starts_with(self, states: Mapping[int, int]) -> list[tuple[int, ...]]:
        """All tuples of initial states that can agree, where parts have these, by number.

        Needs: these states are initial.
        """
        parts = self.numbered_parts
        given = [(states[at],) if at in states else part.initial for at, part in enumerate(parts)]
        return _agreeing(parts, given)

    @cached_property
    def states(self) -> int:
        """How many tuples of states can agree, reachable or not."""
        return _count(self.parts, _columns(self.listed_parts))

    @property
    def counted(self) -> int | None:
        """The number of `states`. None if there are too many combinations to count.

        None, too, if the states of a part are not listed.
        """
        if not self.is_listed:
            return None
        try:
            return self.states
        except ModelError:
            return None

    @cached_property
    def _starts(self) -> int:
        """How many tuples of initial states can agree."""
        return _count(self.parts, _initial_columns(self.numbered_parts))

    def neighbours_first(self, start: int | None = None) -> Composition:
        """The same parts in an order that keeps what the first of them leave open small.

        A label or action is open while some parts that have it are taken, and some are not. First
        comes the part `start`, by number, or that with the fewest shared names. Then again and
        again the one that leaves the fewest open. Where several do, their order here decides.
        """
        order = _neighbours(self.parts, start)
        return Composition([self.parts[at] for at in order])

    def name_of(self, states: Sequence[int]) -> str:
        """A composed state for people: the names of its parts' states."""
        named = zip(self.numbered_parts, states, strict=True)
        return ", ".join(part.states[state] for part, state in named)

    def __copy__(self) -> Composition:
        return self

    def __deepcopy__(self, memo: object) -> Composition:
        return self

    def __reduce__(self) -> tuple[type[Composition], tuple[object]]:
        return Composition, (self.parts,)

    def _repr_html_(self) -> str:
        """What notebooks show: a drawing, if Graphviz is there."""
        shown: str = import_module("pigro.explore.notebook").subject_html(self)  # a later stage
        return shown

    def __repr__(self) -> str:
        return f"<Composition of {', '.join(map(repr, self.parts))}>"


Subject: TypeAlias = Model | Composition
"""What a file can hold."""
ListedSubject: TypeAlias = RSM | Composition
"""The same with lists of states, as files are written and drawn."""


def as_composition(given: Composition | AnyPart | Iterable[AnyPart]) -> Composition:
    """Itself, or the composition of these parts, or of one."""
    if isinstance(given, Composition):
        return given
    return Composition([given] if isinstance(given, AnyPart) else given)


def _listed(parts: object) -> tuple[AnyPart, ...]:
    """All of them, if they are parts."""
    if not isinstance(parts, Iterable):
        hint = "write Composition([part])" if isinstance(parts, (AnyPart, PartBuilder)) else None
        what = type(parts).__name__
        raise ModelError("P220", f"a {what} is not a list of parts", hint=hint)
    given = tuple(parts)
    for part in given:
        if not isinstance(part, AnyPart):
            hint = "call its build()" if isinstance(part, PartBuilder) else None
            raise ModelError("P220", f"a {type(part).__name__} is not a part", hint=hint)
    return given


def _check_names(parts: tuple[AnyPart, ...]) -> None:
    if not parts:
        raise ModelError("P220", "there is no part to compose")
    seen = set[str]()
    for part in parts:
        if part.name in seen:
            message = f"two parts are named {quoted(part.name)}"
            raise ModelError("P216", message, hint="a part can be composed with itself by copies")
        seen.add(part.name)


def _check_kinds(parts: tuple[AnyPart, ...]) -> None:
    """Either all have actions, and then no labels in common, or none has."""
    acting = [part for part in parts if part.actions is not None]
    if not acting:
        return
    if len(acting) < len(parts):
        other = next(part for part in parts if part.actions is None)
        message = (
            f"part {quoted(acting[0].name)} has actions and part {quoted(other.name)} has none"
        )
        hint = "parts share either labels or actions"
        raise ModelError("P220", message, hint=hint)
    owner: dict[str, str] = {}
    for part in parts:
        for label in part.atoms:
            if label in owner:
                raise ModelError(
                    "P220",
                    f"parts {quoted(owner[label])} and {quoted(part.name)} both have the label "
                    f"{quoted(label)}",
                    hint="parts with actions share no labels: rename one",
                )
            owner[label] = part.name


_Given = TypeVar("_Given", Part, NumberedPart)
_Columns = tuple[dict[str, bytes], int]
"""The values of the joint labels of a part in some of its states, and how many states these are."""


def _columns(parts: Sequence[Part]) -> list[_Columns]:
    """Of each part, in all states."""
    return [
        ({label: part.values[at :: len(part.atoms)] for at, label in seen}, len(part.states))
        for part, seen in _seen(parts)
    ]


def _initial_columns(parts: Sequence[NumberedPart]) -> list[_Columns]:
    """Of each part, in the initial states."""
    return [
        (
            {label: bytes([part.value(state, at) for state in part.initial]) for at, label in seen},
            len(part.initial),
        )
        for part, seen in _seen(parts)
    ]


def _seen(parts: Sequence[_Given]) -> Iterator[tuple[_Given, list[tuple[int, str]]]]:
    """Each part with the joint labels that it sees, by column."""
    joint = frozenset(joint_labels(parts))
    for part in parts:
        yield part, [(at, label) for at, label in enumerate(part.atoms) if label in joint]


def _count(parts: Sequence[AnyPart], columns: Sequence[_Columns]) -> int:
    """How many tuples can agree, of the states that the columns are of."""
    users = Counter(label for part in parts for label in part.atoms)
    table: dict[Values, int] = {(): 1}
    live: list[str] = []
    for at in _order(parts, users):
        part = parts[at]
        place, size = columns[at]
        users.subtract(part.atoms)
        known = [label for label in live if label in place]
        fresh = [label for label in place if users[label] and label not in live]
        others = [label for label in live if label not in place]
        again = [column for column, label in enumerate(known) if users[label]]
        rows = zip(*(place[label] for label in (*known, *fresh)), bytes(size), strict=True)
        groups = CompatibleRows(
            (row[: len(known)], (row[: len(known)], row[len(known) : -1], count))
            for row, count in Counter(rows).items()
        )
        table = _joined(table, groups, _places(live, known), _places(live, others), again)
        live = [*others, *(known[column] for column in again), *fresh]
    return sum(table.values())


def _joined(
    table: dict[Values, int],
    groups: CompatibleRows[tuple[Values, Values, int]],
    known: list[int],
    others: list[int],
    again: list[int],
) -> dict[Values, int]:
    """The table after one more part: its states in groups by the labels that the table has too.

    `known` and `others` are places in the keys of the table: labels that the part sees, or does
    not see. `again` are places among the known labels that a later part sees too.
    """
    smaller: dict[Values, Counter[Values]] = {}
    for key, count in table.items():
        wanted = tuple([key[at] for at in known])
        smaller.setdefault(wanted, Counter())[tuple([key[at] for at in others])] += count
    made: dict[Values, int] = {}
    entries = 0
    for wanted, rest in smaller.items():
        fits = groups.to(wanted)
        entries += len(rest) * len(fits)
        if entries > _MOST_ENTRIES:
            message = "the labels that the parts share have too many combinations to count"
            raise ModelError("P213", message, hint="compose fewer parts, or leave out labels")
        for row, new, more in fits:
            both = merged(wanted, row)
            end = (*(both[at] for at in again), *new)
            for key, count in rest.items():
                made[key + end] = made.get(key + end, 0) + count * more
    return made


def _places(live: list[str], labels: list[str]) -> list[int]:
    return [live.index(label) for label in labels]


def _order(parts: Sequence[AnyPart], users: Counter[str]) -> list[int]:
    """The parts, each with as many joint labels seen before as there can be."""
    joint = [frozenset(label for label in part.atoms if users[label] > 1) for part in parts]
    left = list(range(len(parts)))
    seen = set[str]()
    order = []
    while left:
        at = max(left, key=lambda each: (len(joint[each] & seen), -each))
        left.remove(at)
        seen |= joint[at]
        order.append(at)
    return order


def _neighbours(parts: Sequence[AnyPart], start: int | None) -> list[int]:
    """See `Composition.neighbours_first`. Cost: the names of all parts, once for each part."""
    names = [part.atoms if part.actions is None else part.actions for part in parts]
    users = Counter(name for each in names for name in each)
    shared = [[name for name in each if users[name] > 1] for each in names]
    seen = set[str]()

    def opened(at: int) -> int:
        """How many more names are open with this part, or fewer. `users` are those not taken."""
        others = [(name in seen, users[name] > 1) for name in shared[at]]
        return others.count((False, True)) - others.count((True, False))

    left = list(range(len(parts)))
    order: list[int] = []
    while left:
        at = min(left, key=opened) if order or start is None else start
        left.remove(at)
        order.append(at)
        seen.update(shared[at])
        users.subtract(shared[at])
    return order


def _agreeing(
    parts: Sequence[NumberedPart], initial: Sequence[Sequence[int]]
) -> list[tuple[int, ...]]:
    """All tuples of these initial states that can agree, ascending."""
    users = Counter(label for part in parts for label in part.atoms)
    order = _order(parts, users)
    homes: dict[str, list[tuple[int, NumberedPart, int]]] = {}
    """Of a label: which parts of the order see it, and in which column."""
    made: list[tuple[int, ...]] = [()]
    for at, number in enumerate(order):
        part = parts[number]
        place = {label: column for column, label in enumerate(part.atoms)}
        known = [label for label in part.atoms if label in homes]
        groups = CompatibleRows(
            (tuple([part.value(state, place[label]) for label in known]), state)
            for state in initial[number]
        )
        where = [homes[label] for label in known]
        made = [
            (*states, each)
            for states in made
            for each in groups.to(
                tuple([min([p.value(states[i], c) for i, p, c in seen]) for seen in where])
            )
        ]
        for label, column in place.items():
            homes.setdefault(label, []).append((at, part, column))
    back = sorted(range(len(order)), key=order.__getitem__)
    return sorted(tuple([states[at] for at in back]) for states in made)


def cannot_start(given: tuple[AnyPart, ...]) -> ModelError:
    """Names two parts whose initial states never agree, if it takes no more than two.

    Without the names, if the states of some part are not listed.
    """
    parts = [part for part in given if part.is_listed]
    if len(parts) < len(given):
        message = "the parts can't start together: no initial states agree on their joint labels"
        return ModelError("P221", message, hint=_AGREE)
    for at, left in enumerate(parts):
        for right in parts[at + 1 :]:
            pair = (left, right)
            if _count(pair, _initial_columns(pair)):
                continue
            label = _differing(left, right)
            return ModelError(
                "P221",
                f"parts {quoted(left.name)} and {quoted(right.name)} can't start together: no "
                "initial states agree on their joint labels"
                + (f"; {quoted(label)} always differs" if label is not None else ""),
                hint=_AGREE,
            )
    return ModelError(
        "P221",
        f"the {len(parts)} parts can't start together: no initial states of all of them agree on "
        "their joint labels, although those of any two do",
        hint=_AGREE,
    )


def _differing(left: Part, right: Part) -> str | None:
    """A label that alone keeps them from starting together."""
    for here, label in enumerate(left.atoms):
        if label in right.atoms:
            there = right.atoms.index(label)
            mine = {left.value(state, here) for state in left.initial}
            theirs = {right.value(state, there) for state in right.initial}
            if UNKNOWN not in mine | theirs and mine.isdisjoint(theirs):
                return label
    return None
