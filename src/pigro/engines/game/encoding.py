"""Parts as Boolean functions: their states, steps and labels as binary decision diagrams.

A state of a part is an assignment to the part's variables ([Shoham2010], section 6.2):

    joint variables   for each set of parts that see some labels which no other part sees: the
                      number of the values of these labels, unless they are unknown somewhere
    local variables   the number of the state among the states of its part with the same joint
                      variables: as many bits as the largest such group needs.

So tuples of states that agree on joint labels that are known are the assignments to all variables
that are states of each part, and composing is conjunction. All other labels are no variables: they
are the two sets of states where the label is known to be true, and false. Joint labels that are
unknown in some state are among these, and `Space.possible` and `Space.sure` say for them which
tuples can agree, and which do for sure.

A part that is given by formulas has variables for the bits of its own variables instead
(`formulas`). Its joint labels are such sets too, unless all parts that see the label are given by
formulas and have the variable that it is about: then they share the bits of it.

Order of the variables: the joint ones, then part after part, each variable next to its copy. Tried
and dropped: the bits of all parts side by side. That is better where parts run in step, when only
the difference of their numbers matters (two of 1,000 states: 363 nodes, not 3,279). It is far worse
for many parts that do not, unless the order is changed later. CUDD, if it is installed, does that,
and keeps variables and their copies together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from pigro.engines.game.diagrams import BddManager, copy_of
from pigro.engines.game.formulas.part import encode_formulas, shared_variables
from pigro.engines.game.sets import BddSpace, PartSets, RelationConjunct
from pigro.model.part import FALSE, LOCAL, TAU, TRUE

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from pigro.model.composition import Composition
    from pigro.model.lazy.seen import AnyPart
    from pigro.model.part import Part

_BETWEEN_TICKS: Final = 1 << 12


@dataclass(frozen=True)
class _StateCodes:
    """Where the states of a part are: its variables in order, and each state as a number."""

    variables: tuple[str, ...]
    states: list[int]

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {code: state for state, code in enumerate(self.states)}

    def number(self, bits: Mapping[str, bool]) -> int:
        """See `AssignmentNumbering`."""
        code = 0
        for name in self.variables:
            code = code << 1 | bits[name]
        return self._numbers[code]

    def bits(self, state: int) -> Mapping[str, bool]:
        """See `AssignmentNumbering`."""
        code = self.states[state]
        last = len(self.variables) - 1
        return {name: bool(code >> last - at & 1) for at, name in enumerate(self.variables)}


def encode(
    composition: Composition,
    labels: Iterable[str],
    tick: Callable[[], None],
    room: int | None = None,
) -> BddSpace:
    """The parts of a composition, with the sets of states of these labels.

    `room` is how many bytes diagrams may take. `NotEncodable` if a part that is given by formulas
    has one that can't be a diagram.
    """
    given = composition.parts
    modules = [part.formulas for part in given if part.formulas is not None]
    diagrams = BddManager(tick, room, reorders=not modules)
    shared = shared_variables(modules)
    unsettled = (*composition.unsettled, *_compared(given, shared))
    listed = [part.listed() for part in given if part.formulas is None]
    order, coded = _codes(listed, frozenset(unsettled))
    diagrams.declare([(name, copy_of(name)) for name in order])
    wanted = frozenset((*labels, *unsettled))
    parts = []
    codes = zip(listed, coded, strict=True)
    known: dict[str, tuple[str, ...]] = {}
    for at, part in enumerate(given):
        if part.formulas is not None:
            made = encode_formulas(
                diagrams, part, part.formulas, f"f{at}", shared, known, wanted, tick
            )
            order = tuple(dict.fromkeys((*order, *made.variables)))
            parts.append(made)
        else:
            parts.append(_part_sets(diagrams, *next(codes), wanted, tick))
        diagrams.look()
        tick()
    possible = sure = diagrams.true
    for label in unsettled:
        seen = [sets.labels[label] for sets in parts if label in sets.labels]
        true, false = (diagrams.union(each[value] for each in seen) for value in (0, 1))
        possible &= ~(true & false)
        for each in seen:
            sure &= each[0] | each[1]
        tick()
    states = initial = possible
    for sets in parts:
        states &= sets.states
        initial &= sets.initial
        tick()
    return BddSpace(
        diagrams,
        tuple(parts),
        order,
        composition.is_concrete,
        possible,
        possible & sure,
        states,
        initial,
        _moves(composition),
    )


def _compared(parts: Sequence[AnyPart], shared: Container[str]) -> Iterator[str]:
    """The joint labels of parts given by formulas that no shared variable carries."""
    seen: dict[str, list[AnyPart]] = {}
    for part in parts:
        for label in part.atoms:
            seen.setdefault(label, []).append(part)
    for label, users in seen.items():
        if len(users) > 1 and any(part.formulas is not None for part in users):
            carried = [
                None if part.formulas is None else part.formulas.carried.get(label)
                for part in users
            ]
            if any(variable is None or variable not in shared for variable in carried):
                yield label


def _moves(composition: Composition) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """All parts together, or an action by all that have it, and `tau` by one alone."""
    parts = composition.parts
    if not composition.has_actions:
        return (("", tuple(range(len(parts)))),)
    joint = [
        (action, tuple([at for at, part in enumerate(parts) if action in (part.actions or ())]))
        for action in composition.actions
    ]
    alone = [(TAU, (at,)) for at, part in enumerate(composition.listed_parts) if LOCAL in part.by]
    return (*joint, *alone)


def _codes(
    parts: Sequence[Part], unsettled: frozenset[str]
) -> tuple[tuple[str, ...], list[_StateCodes]]:
    """The variables of the composition, in order. Those of each part, and its states as numbers."""
    variables: list[list[str]] = [[] for _ in parts]
    codes = [[0] * len(part.states) for part in parts]
    order: list[str] = []
    for at, (sharing, labels) in enumerate(_joint_labels(parts, unsettled).items()):
        rows = {i: _rows(parts[i], labels) for i in sharing}
        numbers = {row: n for n, row in enumerate(sorted({*chain(*rows.values())}))}
        names = _names(f"j{at}", len(numbers))
        order += names
        for i in sharing:
            variables[i] += names
            codes[i] = [
                code << len(names) | numbers[row]
                for code, row in zip(codes[i], rows[i], strict=True)
            ]
    for i, joint in enumerate(codes):
        numbered = _among_equals(joint)
        names = _names(f"p{i}", max(numbered) + 1)
        order += names
        variables[i] += names
        codes[i] = [
            code << len(names) | number for code, number in zip(joint, numbered, strict=True)
        ]
    coded = [_StateCodes(tuple(mine), its) for mine, its in zip(variables, codes, strict=True)]
    return tuple(order), coded


def _joint_labels(
    parts: Sequence[Part], unsettled: frozenset[str]
) -> dict[tuple[int, ...], list[str]]:
    """The labels that several parts see, by which parts these are. Without the unsettled ones."""
    seen: dict[str, list[int]] = {}
    for i, part in enumerate(parts):
        for label in part.atoms:
            seen.setdefault(label, []).append(i)
    joint: dict[tuple[int, ...], list[str]] = {}
    for label, sharing in seen.items():
        if len(sharing) > 1 and label not in unsettled:
            joint.setdefault(tuple(sharing), []).append(label)
    return joint


def _rows(part: Part, labels: Sequence[str]) -> list[tuple[int, ...]]:
    """The values of the labels in each state."""
    width = len(part.atoms)
    columns = [part.values[part.atoms.index(label) :: width] for label in labels]
    return list(zip(*columns, strict=True))


def _names(prefix: str, count: int) -> list[str]:
    """Variables for that many numbers from 0, the highest bit first."""
    return [f"{prefix}b{bit}" for bit in reversed(range((count - 1).bit_length()))]


def _among_equals(codes: Sequence[int]) -> list[int]:
    """How many equal ones come before each."""
    used: dict[int, int] = {}
    found = []
    for code in codes:
        found.append(used.get(code, 0))
        used[code] = found[-1] + 1
    return found


def _part_sets(
    diagrams: BddManager,
    part: Part,
    codes: _StateCodes,
    wanted: frozenset[str],
    tick: Callable[[], None],
) -> PartSets:
    paired = tuple(name for one in codes.variables for name in (one, copy_of(one)))
    spread = [_spread(code) for code in codes.states]
    rows: dict[str, tuple[list[int], list[int]]] = {
        action: ([], []) for action in (("",) if part.actions is None else (*part.actions, TAU))
    }
    for source in range(len(part.states)):
        if source % _BETWEEN_TICKS == 0:
            tick()
        for edge in range(part.offsets[source], part.offsets[source + 1]):
            code = spread[source] << 1 | spread[part.targets[edge]]
            may, must = rows["" if part.actions is None else part.action_name(part.by[edge])]
            may.append(code)
            if part.must[edge]:
                must.append(code)
    of_states = diagrams.of_codes
    labels = {}
    for column, label in enumerate(part.atoms):
        if label in wanted:
            values = part.values[column :: len(part.atoms)]
            labels[label] = (
                of_states(_where(codes, values, TRUE), codes.variables),
                of_states(_where(codes, values, FALSE), codes.variables),
            )
    steps = {}
    named = frozenset(codes.variables)
    for action, (may, must) in rows.items():
        relation = (RelationConjunct(of_states(may, paired), named, named),)
        same = len(must) == len(may)
        strong = relation if same else (RelationConjunct(of_states(must, paired), named, named),)
        steps[action] = (relation, strong)
    return PartSets(
        codes.variables,
        of_states(codes.states, codes.variables),
        of_states([codes.states[state] for state in part.initial], codes.variables),
        steps,
        labels,
        codes,
    )


def _where(codes: _StateCodes, values: bytes, value: int) -> list[int]:
    return [code for code, its in zip(codes.states, values, strict=True) if its == value]


def _spread(code: int) -> int:
    """The bits of a number at the even places."""
    return int(f"{code:b}", 4)
