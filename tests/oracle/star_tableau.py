"""Where does a formula of CTL* hold? A tableau for each quantifier, innermost first.

To a path formula the formulas A f and E f inside it are leaves, like atoms: in which states they
hold is found before. A f is not E not f. For E f, with f in the form that `pnf` gives:

What holds at a position of a path follows from the leaves that hold there and from what holds at
the next position (`_law`):

    X f      if f holds next
    f U g    if g holds, or f does and f U g holds next
    f R g    if g holds, and f does or f R g holds next

and where the path ends, X f does not hold, and f U g and f R g hold if g does.

A *view* is a guess which subformulas of f hold, as an int with a bit for each. It is consistent when
each of them obeys the law for one guess at least of what holds next. A path of pairs (state, view)
whose views follow from each other by the law is right about the path of the states, unless it puts
something off forever: f U g that holds on and on while g never does, or f R g that fails on and on
while g never does. So each U and each R is a *promise*, which a view keeps if it does not put it
off, and a path of pairs is right just if it is infinite and keeps each promise again and again, or
finite and ends as told above.

    E f holds in s  iff  a right path begins in a pair (s, view) where the view has f

The pairs where a right infinite path begins are the largest set such that from each pair of it, and
for each promise, one or more steps inside the set lead to a pair of it that keeps the promise.

Cost: there can be 2^n views if f has n operators X, U and R, though mostly there are far fewer. What
does not depend on the structure is computed once for a formula and kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from oracle.star_formula import LEAVES, closed, operands, pnf

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.star_formula import Formula
    from oracle.star_structures import Row, Structure

CONNECTIVES: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda f, g: f and g,
    "or": lambda f, g: f or g,
    "xor": lambda f, g: f != g,
    "implies": lambda f, g: not f or g,
    "iff": lambda f, g: f == g,
}


def decide(structure: Structure, formula: Formula) -> set[int]:
    """The states where the formula holds; a path formula that stands alone means A of it."""
    return set(_truth(structure, closed(formula), {}))


def holds(structure: Structure, formula: Formula) -> bool:
    """Does the formula hold in the initial state?"""
    return 0 in decide(structure, formula)


Known = dict["Formula", frozenset[int]]


def _truth(structure: Structure, formula: Formula, known: Known) -> frozenset[int]:
    """The states where a state formula holds. `known` is what has been found."""
    if formula not in known:
        known[formula] = _find(structure, formula, known)
    return known[formula]


def _find(structure: Structure, formula: Formula, known: Known) -> frozenset[int]:
    everyone = frozenset(range(len(structure.labels)))
    kind = formula[0]
    if kind in ("true", "false"):
        return everyone if kind == "true" else frozenset()
    if kind == "atom":
        return frozenset(s for s in everyone if formula[1] in structure.labels[s])
    if kind in ("A", "E"):
        tableau = tableau_of(formula[1], kind == "E")
        leaves = [_truth(structure, leaf, known) for leaf in tableau.leaves]
        some = tableau.some_path(structure, leaves)
        return some if kind == "E" else everyone - some
    if kind == "not":
        return everyone - _truth(structure, formula[1], known)
    f, g = (_truth(structure, operand, known) for operand in operands(formula))
    return frozenset(s for s in everyone if CONNECTIVES[kind](s in f, s in g))


@lru_cache(maxsize=1_000)
def tableau_of(formula: Formula, wanted: bool) -> Tableau:
    """The tableau of a path formula, or of its negation when not `wanted`."""
    return Tableau(pnf(formula, wanted))


RowOf = tuple[str, int, int, int]  # a part: its operator, its bit, the bits of its operands or 0


def _law(part: RowOf, view: int, later: bool) -> bool:
    """Does a part hold? `view` says which operands do.

    `later` says, for X, whether the operand holds next, and for U and R whether the part itself
    does.
    """
    kind, _, f, g = part
    match kind:
        case "true":
            return True
        case "false":
            return False
        case "not":
            return not view & f
        case "and":
            return bool(view & f and view & g)
        case "or":
            return bool(view & f or view & g)
        case "X":
            return later
        case "U":
            return bool(view & g or (view & f and later))
        case "R":
            return bool(view & g and (view & f or later))
    raise ValueError(kind)


def _later(part: RowOf, following: int | None) -> bool:
    """What the law asks for, if the view `following` is next. None: the path ends."""
    kind, own, f, _ = part
    if following is None:
        return kind == "R"
    return bool(following & (f if kind == "X" else own))


def _keeps(part: RowOf, view: int) -> bool:
    """Does the view not put off the U or R?"""
    kind, own, _, g = part
    if kind == "U":
        return not view & own or bool(view & g)
    return bool(view & own) or not view & g


@dataclass(frozen=True)
class Letter:
    """The consistent views with certain leaves. Sets of them are ints, by number."""

    leaves: int
    number: dict[int, int]  # of each view
    every: int
    wanted: int  # those that have the whole formula
    end: int  # the one that is right where a path ends
    keeping: list[int]  # for each promise those that keep it


class Tableau:
    """The views of a path formula, and how they follow from each other. See the module's header."""

    def __init__(self, formula: Formula) -> None:
        found: list[Formula] = []
        _collect(formula, found)
        bits = {part: 1 << number for number, part in enumerate(found)}
        self.leaves = [part for part in found if part[0] in LEAVES]
        self._leaf_bits = [bits[leaf] for leaf in self.leaves]
        self._parts: list[RowOf] = [
            (part[0], bits[part], *[bits[side] for side in part[1:]], *[0] * (3 - len(part)))
            for part in found
            if part[0] not in LEAVES
        ]
        self._whole = bits[formula]
        self._letters: dict[int, Letter] = {}
        self._steps_back: dict[tuple[int, int, int], int] = {}

    def some_path(self, structure: Structure, truths: list[frozenset[int]]) -> frozenset[int]:
        """The states where some path has the formula. `truths`: where each leaf holds."""
        after = [structure.after(state) for state in range(len(structure.labels))]
        letters = [
            self._letter(
                sum(bit for bit, at in zip(self._leaf_bits, truths, strict=True) if s in at)
            )
            for s in range(len(after))
        ]
        run = Run(self, after, letters)
        right = run.endless() if all(after) else _union(run.endless(), run.ending())
        return frozenset(s for s, here in enumerate(letters) if right[s] & here.wanted)

    @property
    def untils(self) -> list[int]:
        """The promises that matter to E, whose formula has no negation over a U or R: those of U."""
        kinds = [part[0] for part in self._parts if part[0] in ("U", "R")]
        return [number for number, kind in enumerate(kinds) if kind == "U"]

    def letter_of(self, truths: list[bool]) -> Letter:
        """The letter with these truths of the leaves."""
        pairs = zip(self._leaf_bits, truths, strict=True)
        return self._letter(sum(bit for bit, true in pairs if true))

    def step_back(self, here: Letter, there: Letter, following: int) -> int:
        """The views of letter `here` after which one of the views `following` of `there` may come."""
        key = (here.leaves, there.leaves, following)
        if key not in self._steps_back:
            result = 0
            for view, number in there.number.items():
                if following >> number & 1:
                    result |= 1 << here.number[self.before(here.leaves, view)]
            self._steps_back[key] = result
        return self._steps_back[key]

    def before(self, leaves: int, following: int | None) -> int:
        """What holds, by the law, with these leaves. None: the path ends."""
        view = leaves
        for part in self._parts:
            if _law(part, view, _later(part, following)):
                view |= part[1]
        return view

    def _consistent(self, leaves: int) -> list[int]:
        """All views with these leaves that obey the law for some guess of what holds next."""
        views = [leaves]
        for part in self._parts:
            views = [
                view | part[1] if truth else view
                for view in views
                for truth in {_law(part, view, False), _law(part, view, True)}
            ]
        return views

    def _letter(self, leaves: int) -> Letter:
        if leaves not in self._letters:
            number = {view: number for number, view in enumerate(self._consistent(leaves))}
            promises = [part for part in self._parts if part[0] in ("U", "R")]
            every = (1 << len(number)) - 1
            keeping = [
                sum(1 << number[view] for view in number if _keeps(promise, view))
                for promise in promises
            ]
            self._letters[leaves] = Letter(
                leaves,
                number,
                every,
                wanted=sum(1 << number[view] for view in number if view & self._whole),
                end=1 << number[self.before(leaves, None)],
                keeping=keeping or [every],
            )
        return self._letters[leaves]


def _collect(formula: Formula, found: list[Formula]) -> None:
    """Append the formula and all that is in it down to the leaves, operands first, once each."""
    if formula[0] not in LEAVES:
        for side in operands(formula):
            _collect(side, found)
    if formula not in found:
        found.append(formula)


Pairs = list[int]  # for each state a set of views of its letter


@dataclass
class Run:
    """The pairs of the states of one structure and the views of one tableau."""

    tableau: Tableau
    after: list[Row]
    letters: list[Letter]

    def endless(self) -> Pairs:
        """The pairs where a right infinite path begins."""
        inside = [here.every for here in self.letters]
        while True:
            before = inside
            for promise in range(len(self.letters[0].keeping)):
                inside = self._leading_to(promise, inside)
            if inside == before:
                return inside

    def _leading_to(self, promise: int, inside: Pairs) -> Pairs:
        """From where one or more steps inside lead to a pair inside that keeps the promise."""
        keeping = [here.keeping[promise] for here in self.letters]
        goal = _common(inside, keeping)
        found = _common(inside, self._before(goal))
        while (more := _common(inside, self._before(_union(goal, found)))) != found:
            found = more
        return found

    def ending(self) -> Pairs:
        """The pairs where a right finite path begins."""
        ends = [0 if row else here.end for row, here in zip(self.after, self.letters, strict=True)]
        found = ends
        while (more := _union(ends, self._before(found))) != found:
            found = more
        return found

    def _before(self, pairs: Pairs) -> Pairs:
        """The pairs after which one of `pairs` may come."""
        result = []
        for here, row in zip(self.letters, self.after, strict=True):
            views = 0
            for target in row:
                if pairs[target]:
                    views |= self.tableau.step_back(here, self.letters[target], pairs[target])
            result.append(views)
        return result


def _union(one: Pairs, other: Pairs) -> Pairs:
    return [a | b for a, b in zip(one, other, strict=True)]


def _common(one: Pairs, other: Pairs) -> Pairs:
    return [a & b for a, b in zip(one, other, strict=True)]
