"""CTL* to positive form: negations only over state formulas, and A as the only quantifier.

A *state formula* speaks of a state: labels, A and E, and booleans over them. All else is a *path
formula*. In path formulas negation is pushed down to the state formulas (`paths.py`). E f is !A of
the negation of f. A path formula alone means A. Where runs can stop, X asks under A: if there is a
next state, .... Under E: there is one, and ... (docs/semantics.md, T3). Both are the same X here,
since only A is left.

Operators with automata become formulas with cycles, which go through X, and with TICK and CALM, of
which a run chooses one at each state (regular/threads.py). There X may be STRONG: it asks for a
next state.

Constants vanish, but X false stays: it says that the run ends. Cost: at most two nodes for each
subformula, one for its negation, and for each edge of an automaton. Nothing recurses.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pigro.logic.arena import Arena
from pigro.logic.operators import Op
from pigro.logic.paths import PathTranslation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.logic.syntax import Formula

TRUE: Final = 0
ATOM: Final = 1
NOT: Final = 2
AND: Final = 3
OR: Final = 4
ALL: Final = 5
NEXT: Final = 6
UNTIL: Final = 7
RELEASE: Final = 8
STRONG_NEXT: Final = 9
TICK: Final = 10
CALM: Final = 11
THREAD: Final = 12
_LINK: Final = 13

_ATOM, _A, _E = int(Op.ATOM), int(Op.A), int(Op.E)


@dataclass(frozen=True, slots=True)
class PositiveForm:
    """A formula in positive form, as flat arrays: children before parents.

    `ops` has type code "B" and holds TRUE=0, ATOM=1, NOT=2, AND=3, OR=4, ALL=5, NEXT=6, UNTIL=7,
    RELEASE=8, STRONG_NEXT=9, TICK=10, CALM=11, THREAD=12. `left` and `right` have type code "i" and
    hold -1 for no child. For ATOM, `left` is an index into `atoms`. NOT stands over state formulas
    only, ALL over path formulas only. THREAD is its left child. What its right child, another
    thread, says follows from it. The child of NEXT and STRONG_NEXT, and the right one of THREAD,
    may come later: a cycle.
    """

    ops: array[int]
    left: array[int]
    right: array[int]
    atoms: tuple[str, ...]
    root: int
    """The whole formula. It is a state formula."""
    states: Mapping[int, int]
    """Each state formula in the formula, by its number there, and its node here. The whole formula
    is among them, even if it is a path formula."""

    def is_shown_by_run(self, node: int, *, some: bool) -> bool:
        """Whether one run shows a node: against `A f`, or for `!A f` if it says `some` run."""
        if not some:
            return self.ops[node] == ALL
        return self.ops[node] == NOT and self.ops[self.left[node]] == ALL


def positive_form(formula: Formula) -> PositiveForm:
    """`formula` in positive form. Kept with it. CheckError P408 for the mu-calculus."""
    known = formula.kept.get("positive form")
    if isinstance(known, PositiveForm):
        return known
    formula.refuse_mu()
    made = formula.kept["positive form"] = _PositiveTranslation(formula).form()
    return made


class _PositiveTranslation(PathTranslation):
    """Makes the nodes of the form."""

    QUANTIFIER = _A
    NEXT, OTHER_NEXT, UNTIL, RELEASE, THREAD = NEXT, STRONG_NEXT, UNTIL, RELEASE, THREAD

    def __init__(self, formula: Formula) -> None:
        self.arena = Arena()
        self.kind: list[int] = []
        self.first: list[int] = []
        self.paths: list[bool] = []
        """Whether a node is a path formula."""
        self.ticking = set()
        true = self.node(TRUE)
        super().__init__(formula, true, self.node(NOT, true))

    def form(self) -> PositiveForm:
        whole = len(self.formula) - 1
        root = self.translate((whole, True))
        if not self.is_state[whole]:
            root = self.all_paths(root)
        states = {
            node: root if node == whole else self.translate((node, True))
            for node in range(whole + 1)
            if self.is_state[node] or node == whole
        }
        ops, left, right = self.arena.columns()
        if self.links:
            found = self.links.get
            left = tuple([found(f, f) if op > ATOM else f for op, f in zip(ops, left, strict=True)])
            right = tuple([found(g, g) for g in right])
            ops = tuple([TRUE if op == _LINK else op for op in ops])  # nothing leads there
        return PositiveForm(
            array("B", ops),
            array("i", left),
            array("i", right),
            self.formula.atoms,
            root,
            states,
        )

    def state(self, node: int, op: int, left: int, right: int) -> int:
        """A state formula, as it is meant."""
        done, negation = self.done, self.negation
        if op == _ATOM:
            return self.node(ATOM, left)
        if op <= Op.FALSE:
            return self.false if op == Op.FALSE else self.true
        if op in (_A, _E):
            body = self.all_paths(done[left, op == _A])
            return body if op == _A else negation(body)
        f = done[left, True]
        if op == Op.NOT:
            return negation(f)
        return self.boolean(op, f, negation(f), (g := done[right, True]), negation(g))

    def following(self, f: int) -> int:
        return f if f == self.true else self.node(NEXT, f)

    def both(self, f: int, g: int) -> int:
        return self.either_or_both(f, g, either=False)

    def either(self, f: int, g: int) -> int:
        return self.either_or_both(f, g, either=True)

    def tick(self, *, now: bool) -> int:
        return self.node(TICK if now else CALM)

    def link(self) -> int:
        return self.node(_LINK, len(self.kind))

    def boolean(self, op: int, f: int, not_f: int, g: int, not_g: int) -> int:
        if op == Op.AND:
            return self.both(f, g)
        if op in (Op.OR, Op.IMPLIES):
            return self.either(f if op == Op.OR else not_f, g)
        if op == Op.IFF:
            g, not_g = not_g, g
        return self.either(self.both(f, not_g), self.both(not_f, g))

    def negation(self, f: int) -> int:
        return self.first[f] if self.kind[f] == NOT else self.node(NOT, f)

    def either_or_both(self, f: int, g: int, *, either: bool) -> int:
        """`f | g`, or else `f & g`."""
        nothing, decides = (self.false, self.true) if either else (self.true, self.false)
        if f == g or decides in (f, g):
            return f if f == g else decides
        if nothing in (f, g):
            return g if f == nothing else f
        return self.node(OR if either else AND, f, g)

    def all_paths(self, f: int) -> int:
        """On all paths `f`. Of a state formula, itself. Paths that do not tick do not count."""
        if f in self.ticking:
            rarely = self.until(self.true, self.release(self.false, self.node(CALM)))
            f = self.node(OR, rarely, f)
        return self.node(ALL, f) if self.paths[f] else f

    def node(self, op: int, f: int = -1, g: int = -1) -> int:
        number = self.arena.node(op, f, g)
        if number == len(self.kind):
            self.kind.append(op)
            self.first.append(f)
            mixed = op in {AND, OR} and (self.paths[f] or self.paths[g])
            self.paths.append(op >= NEXT or mixed)
            inner = op not in {ATOM, ALL, _LINK} and {f, g} & self.ticking
            if inner or op in {TICK, CALM}:
                self.ticking.add(number)
        return number
