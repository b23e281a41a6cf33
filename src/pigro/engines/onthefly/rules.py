"""The proof rules ([Bhat1995], figure 1): which assertions must hold for an assertion to hold.

An assertion `s |- A Phi` says that on every run from state s one of the path formulas in Phi holds.
A rule takes one formula out of Phi (Bhat7: all of them), and names the assertions, its *subgoals*,
all of which must hold instead. Which rule it is depends on Phi alone, so it is found once for each
Phi.

    Bhat1         p a state formula       nothing, if s satisfies p
    Bhat2         p a state formula       s |- A(Phi), if not
    Bhat3         f | g                   s |- A(Phi, f, g)
    Bhat4         f & g                   s |- A(Phi, f)       s |- A(Phi, g)
    Bhat5         f U g                   s |- A(Phi, f, g)    s |- A(Phi, g, X(f U g))
    Bhat6         f R g (in the paper V)  s |- A(Phi, g)       s |- A(Phi, f, X(f R g))
    thread        f, which has a name     s |- A(Phi, f)
    choice        tick, calm              s |- A(Phi), or nothing if both are in the set
    Bhat7         Phi = X f1, ..., X fn   s' |- A(f1, ..., fn) for each successor s' of s

    paper                   here
    Phi                     its number. See `ProofRules.number`
    phi in Phi              an `Element`: a node of the positive form, NOW or NEXT
    f R g in a valid set    `ProofRule.releases`: f R g or X(f R g) is in Phi, and g is not

Deviations:
 - Bhat6 is printed (as R6) with X(f U g), which is a slip: by the proof of Lemma A.3, and by the
   meaning of f R g, it is f R g again.
 - true and false are never in Phi: subgoals with true are left out, and false is dropped at once.
 - Where runs can stop, X(f U g) of Bhat5 is a promise that a run must keep, and STRONG. All other X
   ask for nothing after the last state. In a dead end Phi holds if one of its X is not STRONG.

`thread` and `choice` are not in the paper: formulas with automata have them (logic/regular).

State formulas without quantifiers are decided first, for that costs least and often ends it. Those
with quantifiers are left to the end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pigro.logic.positive import (
    ALL,
    AND,
    ATOM,
    CALM,
    NEXT,
    NOT,
    OR,
    RELEASE,
    STRONG_NEXT,
    THREAD,
    TICK,
    TRUE,
    UNTIL,
)

if TYPE_CHECKING:
    from pigro.logic.positive import PositiveForm

NOW: Final = 0
WEAK: Final = 1
STRONG: Final = 2

Element = tuple[int, int]
"""A node of the positive form, and when: NOW, or in the next state, WEAK or STRONG."""

_ORDER = {"Bhat1": 0, "Bhat3": 1, "Bhat4": 2, "Bhat5": 3, "Bhat6": 4}
_ORDER |= {"thread": 1, "choice": 5, "Bhat1 later": 6}
_BY_OPERATOR = {OR: "Bhat3", AND: "Bhat4", UNTIL: "Bhat5", RELEASE: "Bhat6"}
_BY_OPERATOR |= {TICK: "choice", CALM: "choice", THREAD: "thread"}
_OTHER = {TICK: CALM, CALM: TICK}


@dataclass(frozen=True, slots=True)
class ProofRule:
    """What to do with an assertion, whatever its state."""

    name: str
    """Bhat1 to Bhat7 (Bhat1 stands for Bhat2 too), or `none`: the set is empty, and the assertion
    false."""
    subgoals: tuple[int, ...] = ()
    """Their sets. For Bhat1 the rest of the set if the formula is false, for Bhat7 the set in each
    successor."""
    releases: tuple[int, ...] = ()
    """The release formulas that are valid in the set."""
    formula: int = -1
    """For Bhat1, the state formula."""
    steps: bool = False
    """Whether it is Bhat7. All other rules stay in the state."""
    weak: bool = False
    """For Bhat7, whether the assertion holds where a run ends."""


class ProofRules:
    """The sets of path formulas that come up for one formula, and their rules."""

    def __init__(self, form: PositiveForm, *, stops: bool) -> None:
        self.form = form
        self._promise = STRONG if stops else WEAK
        self._is_path = bytearray(len(form.ops))
        self.is_costly = bytearray(len(form.ops))
        """For each node, whether there are quantifiers in it."""
        self._look_at_nodes()
        self.elements: list[Element] = []
        self._bits: dict[Element, int] = {}
        self._sets: list[int] = []
        """By number: bit i stands for `elements[i]`."""
        self._numbers: dict[int, int] = {}
        self._rules: list[ProofRule | None] = []
        self._bodies: dict[int, int] = {}

    def body(self, node: int) -> int:
        """The set with which a formula `A f` begins: {f}."""
        found = self._bodies.get(node)
        if found is None:
            found = self._bodies[node] = self.number(self._bit(self.form.left[node]))
        return found

    def number(self, phi: int) -> int:
        """The number of a set, so that the search never looks at the set itself."""
        number = self._numbers.get(phi)
        if number is None:
            number = self._numbers[phi] = len(self._sets)
            self._sets.append(phi)
            self._rules.append(None)
        return number

    def rule(self, number: int) -> ProofRule:
        """The rule for a set."""
        found = self._rules[number]
        if found is None:
            found = self._choose(self._sets[number])
            found = replace(found, subgoals=tuple(map(self.number, found.subgoals)))
            self._rules[number] = found
        return found

    def members(self, number: int) -> list[Element]:
        """The formulas of a set, in the order in which they were first met."""
        return self._members(self._sets[number])

    def _members(self, phi: int) -> list[Element]:
        """Its cost depends on the members, not on the formula, which may have many more."""
        found = []
        while phi:
            lowest = phi & -phi
            found.append(self.elements[lowest.bit_length() - 1])
            phi ^= lowest
        return found

    def _look_at_nodes(self) -> None:
        form, is_path, is_costly = self.form, self._is_path, self.is_costly
        for node, op in enumerate(form.ops):
            if op in {TRUE, ATOM}:
                continue
            below = [at for at in (form.left[node], form.right[node]) if at >= 0]
            if op in _OTHER:
                is_path[node] = 1
                continue
            is_path[node] = op >= NEXT or (op in {AND, OR} and any(is_path[at] for at in below))
            is_costly[node] = op == ALL or any(is_costly[at] for at in below)

    def _choose(self, phi: int) -> ProofRule:
        members = self._members(phi)
        choices = [
            (_ORDER[self._name(node)], at) for at, (node, when) in enumerate(members) if when == NOW
        ]
        if choices:
            node, _ = members[min(choices)[1]]
            return self._apply(node, phi, phi & ~self._bit(node))
        if not members:
            return ProofRule("none")
        later = self._set(0, *self._strongest([node for node, _ in members]))
        if later is None:  # it holds wherever there is a next state
            later = next(self._bit(node) for node, _ in members if self.form.ops[node] == TRUE)
        return ProofRule(
            "Bhat7",
            (later,),
            self._releases(phi),
            steps=True,
            weak=any(when == WEAK for _, when in members),
        )

    def _strongest(self, nodes: list[int]) -> list[int]:
        """The nodes without threads that follow from others among them."""
        ops, right = self.form.ops, self.form.right
        implied: set[int] = set()
        for node in nodes:
            while ops[node] == THREAD and right[node] not in implied:
                node = right[node]  # noqa: PLW2901 - the weaker ones
                implied.add(node)
        return [node for node in nodes if node not in implied]

    def _name(self, node: int) -> str:
        if self._is_path[node]:
            return _BY_OPERATOR[self.form.ops[node]]
        return "Bhat1 later" if self.is_costly[node] else "Bhat1"

    def _apply(self, node: int, phi: int, rest: int) -> ProofRule:
        """Bhat1 to Bhat6 on one formula of the set."""
        f, g = self.form.left[node], self.form.right[node]
        name = self._name(node)
        if not self._is_path[node]:
            return ProofRule("Bhat1", (rest,), self._releases(phi), formula=node)
        if name == "choice":
            both = any(
                self.form.ops[at] == _OTHER[self.form.ops[node]] for at, _ in self._members(phi)
            )
            return ProofRule(name, () if both else (rest,), self._releases(phi))
        if name == "thread":
            found = [self._set(rest, f)]
        elif name == "Bhat3":
            found = [self._set(rest, f, g)]
        elif name == "Bhat4":
            found = [self._set(rest, f), self._set(rest, g)]
        elif name == "Bhat5":
            again = self._bit(node, self._promise)
            found = [self._set(rest, f, g), self._set(rest | again, g)]
        else:
            again = self._bit(node, WEAK)
            found = [self._set(rest, g), self._set(rest | again, f)]
        return ProofRule(
            name, tuple(each for each in found if each is not None), self._releases(phi)
        )

    def _releases(self, phi: int) -> tuple[int, ...]:
        ops, right = self.form.ops, self.form.right
        alive = dict.fromkeys(node for node, _ in self._members(phi) if ops[node] == RELEASE)
        return tuple(node for node in alive if not phi & self._bit(right[node]))

    def _set(self, rest: int, *nodes: int) -> int | None:
        """A set with these formulas too. None if one of them is true."""
        ops, left = self.form.ops, self.form.left
        for node in nodes:
            if ops[node] == TRUE:
                return None
            if ops[node] != NOT or ops[left[node]] != TRUE:
                rest |= self._bit(node)
        return rest

    def _bit(self, node: int, when: int = NOW) -> int:
        if self.form.ops[node] == NEXT:
            node, when = self.form.left[node], WEAK
        elif self.form.ops[node] == STRONG_NEXT:
            node, when = self.form.left[node], self._promise
        element = (node, when)
        at = self._bits.get(element)
        if at is None:
            at = self._bits[element] = len(self.elements)
            self.elements.append(element)
        return 1 << at
