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

    paper            here
    V, V'            `Space.current`, `Space.following`: each variable next to its copy
    S                `Space.states`
    R+, R-           `PartSets.steps`, by action
    ForwardStep      `Relation.forward`
    ex, ax           by `Relation.backward`

The relation of the composition is never built: a step goes through the relations of the parts that
move, one by one, and drops each variable right after the last part that has it. Parts with actions
have a relation for each action. The variables of parts that stay where they are stay too.

Order of the variables: the joint ones, then part after part, each variable next to its copy. Tried
and dropped: the bits of all parts side by side. That is better where parts run in step, when what
there is to know is the difference of their numbers (two of 1,000 states: 363 nodes, not 3,279), but
far worse for many parts that do not, if nobody changes the order later. CUDD, if it is there, does,
and keeps variables and their copies together.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from pigro.diagnostics import UsageError
from pigro.model.part import FALSE, LOCAL, TAU, TRUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pigro.model.composition import Composition
    from pigro.model.part import Part

_EXACT: Final = 52
"""Numbers of so many bits are exact as floating-point numbers, which is how CUDD counts."""

_CACHE: Final = 1 << 14
_BETWEEN_TICKS: Final = 1 << 12
"""Results that CUDD keeps at first. It makes more room as it needs, and that takes time."""


class Diagram(Protocol):
    """A Boolean function: a set of assignments."""

    negated: bool

    def __and__(self, other: Self, /) -> Self: ...
    def __or__(self, other: Self, /) -> Self: ...
    def __invert__(self) -> Self: ...
    def __int__(self) -> int: ...


class Diagrams:
    """A store of diagrams, by CUDD if the package `dd` brings it, else by its own in Python."""

    __slots__ = ("_and_exists", "_bdd", "_tick", "false", "package", "peak", "true")

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self.package, module = package()
        # The package comes in two makes with the same methods, and neither says their types.
        cache = {"initial_cache_size": _CACHE} if self.package == "cudd" else {}
        self._bdd: Any = module.BDD(**cache)
        self._and_exists: Any = getattr(module, "and_exists", None)
        self.false: Diagram = self._bdd.false
        self.true: Diagram = self._bdd.true
        self.peak = 0
        """The most nodes at once, as seen by `look`."""

    def declare(self, names: Sequence[tuple[str, str]]) -> None:
        """Make pairs of variables, in this order."""
        for pair in names:
            self._bdd.declare(*pair)
            if self.package == "cudd":
                self._bdd.group({pair[0]: 2})

    def look(self) -> None:
        """Note how many nodes there are."""
        self.peak = max(self.peak, len(self._bdd))

    def and_exists(self, left: Diagram, right: Diagram, dropped: Iterable[str]) -> Diagram:
        """Left and right, for some values of the dropped variables."""
        if self._and_exists is not None:
            both: Diagram = self._and_exists(left, right, dropped)
        else:
            both = self._bdd.exist(dropped, left & right)
        return both

    def exist(self, dropped: Iterable[str], diagram: Diagram) -> Diagram:
        """The diagram, for some values of the dropped variables."""
        rest: Diagram = self._bdd.exist(dropped, diagram)
        return rest

    def rename(self, names: Mapping[str, str], diagram: Diagram) -> Diagram:
        """The diagram over other variables."""
        if not names:
            return diagram
        renamed: Diagram = self._bdd.let(names, diagram)
        return renamed

    def union(self, diagrams: Iterable[Diagram]) -> Diagram:
        """The assignments in one of them."""
        total = self.false
        for diagram in diagrams:
            total |= diagram
        return total

    def of_codes(self, codes: Iterable[int], variables: Sequence[str]) -> Diagram:
        """The assignments given as numbers: the first variable is the highest bit.

        Built from the last variable up, each distinct function once.
        """
        layer = dict.fromkeys(codes, 1)
        self._tick()
        functions = [self.false, self.true]
        for name in reversed(variables):
            variable = self._bdd.var(name)
            known: dict[tuple[int, int], int] = {}
            above: dict[int, int] = {}
            for place, code in enumerate(layer):
                if place % _BETWEEN_TICKS == 0:
                    self._tick()
                if code >> 1 in above:
                    continue
                pair = (layer.get(code & ~1, 0), layer.get(code | 1, 0))
                if pair not in known:
                    known[pair] = len(functions)
                    functions.append(
                        self._bdd.ite(variable, functions[pair[1]], functions[pair[0]])
                    )
                above[code >> 1] = known[pair]
            layer = above
        return functions[layer.get(0, 0)]

    def count(self, diagram: Diagram, variables: int) -> int:
        """How many assignments to that many variables, exactly."""
        if variables <= _EXACT or self.package != "cudd":
            return int(self._bdd.count(diagram, variables))
        return self._count_exactly(diagram, 1 << variables)

    def _count_exactly(self, root: Diagram, whole: int) -> int:
        """By halves: a node counts the mean of its children, of a whole that is a power of two."""
        counts = {int(self.true): whole, int(self.false): 0}
        stack = [root]
        while stack:
            node = stack[-1]
            if int(node) in counts:
                stack.pop()
                continue
            _, low, high = self._bdd.succ(node)
            missing = [child for child in (low, high) if int(child) not in counts]
            if missing:
                stack.extend(missing)
                continue
            mean = (counts[int(low)] + counts[int(high)]) >> 1
            counts[int(node)] = whole - mean if node.negated else mean
            counts[int(~node)] = whole - counts[int(node)]
        return counts[int(root)]


def package() -> tuple[str, Any]:
    """The package for decision diagrams that is there, by name. `UsageError` P011 without any."""
    for name in ("cudd", "autoref"):
        try:
            return name, import_module(f"dd.{name}")
        except ImportError:
            continue
    raise UsageError(
        "P011",
        "the symbolic method needs a package for decision diagrams",
        hint="install it with `pip install 'pigro[bdd]'`, or use another method",
    )


@dataclass(frozen=True, slots=True)
class Relation:
    """Steps of one or more parts that move at once."""

    diagrams: Diagrams
    steps: tuple[tuple[Diagram, frozenset[str], frozenset[str]], ...]
    """For each part its relation, and the variables and copies that no later part has."""
    following: Mapping[str, str]
    """The copy of each variable."""
    current: Mapping[str, str]
    """The variable of each copy."""

    def backward(self, targets: Diagram) -> Diagram:
        """The states with a step to one of the targets."""
        found = self.diagrams.rename(self.following, targets)
        for relation, _, dropped in self.steps:
            found = self.diagrams.and_exists(relation, found, dropped)
        return found

    def forward(self, sources: Diagram) -> Diagram:
        """The states with a step from one of the sources."""
        found = sources
        for relation, dropped, _ in self.steps:
            found = self.diagrams.and_exists(relation, found, dropped)
        return self.diagrams.rename(self.current, found)


@dataclass(frozen=True, slots=True)
class PartSets:
    """A part as sets over its variables."""

    variables: tuple[str, ...]
    states: Diagram
    initial: Diagram
    steps: Mapping[str, tuple[Diagram, Diagram]]
    """By action, or nothing: steps that may be there, and those of them that must."""
    labels: Mapping[str, tuple[Diagram, Diagram]]
    """Where a label is true, and where it is false."""


@dataclass(frozen=True, slots=True)
class Space:
    """All parts over common variables."""

    diagrams: Diagrams
    parts: tuple[PartSets, ...]
    current: tuple[str, ...]
    concrete: bool
    """All parts are Kripke structures: no label is unknown, and each step is a must."""
    possible: Diagram
    """Where no label is true in one part and false in another. All, if all are settled."""
    sure: Diagram
    """Where, besides, no joint label is unknown: such a composed state exists for sure."""
    states: Diagram
    """The composed states that may exist."""
    initial: Diagram
    moves: tuple[tuple[str, tuple[int, ...]], ...]
    """The kinds of steps: an action, or nothing, and the parts that move by it together."""

    def relation(self, parts: Sequence[PartSets], action: str, *, must: bool) -> Relation:
        """The steps of these parts together: those that must be, or that may."""
        seen: set[str] = set()
        steps = []
        for part in reversed(parts):
            last = frozenset(part.variables) - seen
            seen |= last
            steps.append((part.steps[action][must], last, frozenset(map(_copy, last))))
        following = {name: _copy(name) for name in self.current if name in seen}
        current = {copy: name for name, copy in following.items()}
        return Relation(self.diagrams, tuple(reversed(steps)), following, current)

    def of_part(self, part: PartSets, states: Diagram) -> Diagram:
        """The states of a part that are in some of these composed ones."""
        others = frozenset(self.current) - frozenset(part.variables)
        return self.diagrams.exist(others, states) if others else states


def _copy(name: str) -> str:
    return f"{name}'"


@dataclass(frozen=True, slots=True)
class _Codes:
    """Where the states of a part are: its variables in order, and each state as a number."""

    variables: tuple[str, ...]
    states: list[int]


def encode(composition: Composition, labels: Iterable[str], tick: Callable[[], None]) -> Space:
    """The parts of a composition, with the sets of states of these labels."""
    diagrams = Diagrams(tick)
    unsettled = composition.unsettled
    order, coded = _codes(composition.parts, frozenset(unsettled))
    diagrams.declare([(name, _copy(name)) for name in order])
    wanted = frozenset((*labels, *unsettled))
    parts = []
    for part, codes in zip(composition.parts, coded, strict=True):
        parts.append(_part_sets(diagrams, part, codes, wanted, tick))
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
    concrete = composition.is_concrete
    return Space(
        diagrams,
        tuple(parts),
        order,
        concrete,
        possible,
        possible & sure,
        states,
        initial,
        _moves(composition),
    )


def _moves(composition: Composition) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """All parts together, or an action by all that have it, and `tau` by one alone."""
    parts = composition.parts
    if not composition.has_actions:
        return (("", tuple(range(len(parts)))),)
    joint = [
        (action, tuple([at for at, part in enumerate(parts) if action in (part.actions or ())]))
        for action in composition.actions
    ]
    alone = [(TAU, (at,)) for at, part in enumerate(parts) if LOCAL in part.by]
    return (*joint, *alone)


def _codes(
    parts: Sequence[Part], unsettled: frozenset[str]
) -> tuple[tuple[str, ...], list[_Codes]]:
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
    coded = [_Codes(tuple(mine), its) for mine, its in zip(variables, codes, strict=True)]
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
    diagrams: Diagrams,
    part: Part,
    codes: _Codes,
    wanted: frozenset[str],
    tick: Callable[[], None],
) -> PartSets:
    paired = tuple(name for one in codes.variables for name in (one, _copy(one)))
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
    for action, (may, must) in rows.items():
        relation = of_states(may, paired)
        steps[action] = (relation, relation if len(must) == len(may) else of_states(must, paired))
    return PartSets(
        codes.variables,
        of_states(codes.states, codes.variables),
        of_states([codes.states[state] for state in part.initial], codes.variables),
        steps,
        labels,
    )


def _where(codes: _Codes, values: bytes, value: int) -> list[int]:
    return [code for code, its in zip(codes.states, values, strict=True) if its == value]


def _spread(code: int) -> int:
    """The bits of a number at the even places."""
    return int(f"{code:b}", 4)
