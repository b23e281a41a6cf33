"""CTL* to positive form: negations only over state formulas, and A as the only quantifier.

A *state formula* speaks of a state: labels, A and E, and booleans over them. All else is a *path
formula*. In path formulas negation is pushed down to the state formulas, by the duals

    !(f & g)  = !f | !g         !(f U g) = !f R !g          !X f = X !f
    !(f | g)  = !f & !g         !(f R g) = !f U !g

and F f = true U f, G f = false R f, f W g = g R (f | g). E f is !A of the negation of f. A path
formula alone means A. Where runs can stop, X asks under A: if there is a next state, .... Under E:
there is one, and ... (docs/theory.md, T3). Both are the same X here, since only A is left.

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
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.logic.regular.operators import expression_parts, translated

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

_ATOM, _A, _E, _MATCH = int(Op.ATOM), int(Op.A), int(Op.E), int(Op.MATCH)
_Key = tuple[int, bool]
"""A subformula, and whether it is meant as it is (or negated)."""


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


def positive_form(formula: Formula) -> PositiveForm:
    """`formula` in positive form. Kept with it. CheckError P408 for the mu-calculus."""
    known = formula.kept.get("positive form")
    if isinstance(known, PositiveForm):
        return known
    formula.refuse_mu()
    made = formula.kept["positive form"] = _Translation(formula).form()
    return made


class _Translation:
    """Makes the nodes of the form, children first."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.is_state = state_formulas(formula)
        self.arena = Arena()
        self.kind: list[int] = []
        self.first: list[int] = []
        self.paths: list[bool] = []
        """Whether a node is a path formula."""
        self.ticking: set[int] = set()
        """Path formulas with a TICK or CALM."""
        self.links: dict[int, int] = {}
        """What links stand for."""
        self.true = self.node(TRUE)
        self.false = self.node(NOT, self.true)
        self.done: dict[_Key, int] = {}

    def form(self) -> PositiveForm:
        whole = len(self.formula) - 1
        root = self.translate(whole)
        if not self.is_state[whole]:
            root = self.all_paths(root)
        states = {
            node: root if node == whole else self.translate(node)
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

    def translate(self, node: int) -> int:
        pending: list[_Key] = [(node, True)]
        while pending:
            key = pending[-1]
            missing = [each for each in self.needed(*key) if each not in self.done]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if key not in self.done:
                self.done[key] = self.make(*key)
        return self.done[node, True]

    def needed(self, node: int, plain: bool) -> list[_Key]:
        op, left, right = (
            row[node] for row in (self.formula.ops, self.formula.left, self.formula.right)
        )
        if op <= _ATOM:
            return []
        if op in (_A, _E):
            return [(left, op == _A)]
        if self.is_state[node]:
            return [(left, True)] + ([(right, True)] if right >= 0 else [])
        if op >= _MATCH:
            return expression_parts(self.formula, node, plain=plain)
        both = op in (Op.XOR, Op.IFF)
        sides = [(left, plain != (op in (Op.NOT, Op.IMPLIES)))]
        if right >= 0:
            sides.append((right, plain))
        return sides + [(each, not sign) for each, sign in sides if both]

    def make(self, node: int, plain: bool) -> int:
        op, left, right = (
            row[node] for row in (self.formula.ops, self.formula.left, self.formula.right)
        )
        if self.is_state[node]:
            made = self.state(op, left, right)
            return made if plain else self.negation(made)
        if op >= _MATCH:
            return self.regular(node, plain=plain)
        return self.path(op, left, right, plain=plain)

    def regular(self, node: int, *, plain: bool) -> int:
        """An operator with an automaton, or its negation: the dual of what stands under E."""

        def letter(at: int, positive: bool) -> int:
            return self.negation(self.done[at, True]) if positive else self.done[at, True]

        ticks = self.done.get((self.formula.right[node], plain)) in self.ticking
        return translated(
            _Dual(self, ticks), self.formula, node, not plain, letter, lambda f: self.done[f, plain]
        )

    def state(self, op: int, left: int, right: int) -> int:
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

    def path(self, op: int, left: int, right: int, *, plain: bool) -> int:
        """A path formula or its negation."""
        done = self.done
        if op == Op.NOT:
            return done[left, not plain]
        if op in (Op.XOR, Op.IFF):
            meant = op if plain else Op.XOR + Op.IFF - op
            return self.boolean(
                meant, done[left, True], done[left, False], done[right, True], done[right, False]
            )
        if op == Op.IMPLIES:
            return self.either_or_both(done[left, not plain], done[right, plain], either=plain)
        f, g = done[left, plain], done.get((right, plain), -1)
        if op in (Op.AND, Op.OR):
            return self.either_or_both(f, g, either=plain == (op == Op.OR))
        if op == Op.X:
            return f if f == self.true else self.node(NEXT, f)
        if op == Op.F:
            return self.until(self.true, f) if plain else self.release(self.false, f)
        if op == Op.G:
            return self.release(self.false, f) if plain else self.until(self.true, f)
        if op == Op.W:
            mixed = self.either_or_both(f, g, either=plain)
            return self.release(g, mixed) if plain else self.until(g, mixed)
        return self.until(f, g) if plain == (op == Op.U) else self.release(f, g)

    def boolean(self, op: int, f: int, not_f: int, g: int, not_g: int) -> int:
        if op == Op.AND:
            return self.either_or_both(f, g, either=False)
        if op == Op.OR:
            return self.either_or_both(f, g, either=True)
        if op == Op.IMPLIES:
            return self.either_or_both(not_f, g, either=True)
        if op == Op.IFF:
            g, not_g = not_g, g
        one = self.either_or_both(f, not_g, either=False)
        other = self.either_or_both(not_f, g, either=False)
        return self.either_or_both(one, other, either=True)

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

    def until(self, f: int, g: int) -> int:
        if g in (self.true, self.false) or f in (g, self.false):
            return g
        return self.node(UNTIL, f, g)

    def release(self, f: int, g: int) -> int:
        if g in (self.true, self.false) or f in (g, self.true):
            return g
        return self.node(RELEASE, f, g)

    def all_paths(self, f: int) -> int:
        """On all paths `f`. Of a state formula, itself. Paths that do not tick do not count."""
        if f in self.ticking:
            rarely = self.until(self.true, self.release(self.false, self.node(CALM)))
            f = self.node(OR, rarely, f)
        return self.node(ALL, f) if self.paths[f] else f

    def node(self, op: int, left: int = -1, right: int = -1) -> int:
        number = self.arena.node(op, left, right)
        if number == len(self.kind):
            self.kind.append(op)
            self.first.append(left)
            mixed = op in {AND, OR} and (self.paths[left] or self.paths[right])
            self.paths.append(op >= NEXT or mixed)
            inner = op not in {ATOM, ALL, _LINK} and {left, right} & self.ticking
            if inner or op in {TICK, CALM}:
                self.ticking.add(number)
        return number


class _Dual:
    """Makes the duals of formulas under E: see `regular.threads.Maker`."""

    def __init__(self, whole: _Translation, ticks: bool) -> None:
        self.whole = whole
        self.true, self.false = whole.false, whole.true
        self.until, self.release = whole.release, whole.until
        self.ticks = ticks

    def both(self, f: int, g: int) -> int:
        return self.whole.either_or_both(f, g, either=True)

    def either(self, f: int, g: int) -> int:
        return self.whole.either_or_both(f, g, either=False)

    def tick(self, *, now: bool) -> int:
        return self.whole.node(CALM if now else TICK)

    def ends(self) -> int:
        return self.whole.node(STRONG_NEXT, self.whole.true)

    def link(self) -> int:
        made = self.whole.node(_LINK, len(self.whole.kind))
        if self.ticks:
            self.whole.ticking.add(made)
        return made

    def later(self, link: int, *, weak: bool) -> int:
        return self.whole.node(STRONG_NEXT if weak else NEXT, link)

    def bind(self, link: int, made: int, weaker: int | None) -> None:
        thread = made if weaker is None else self.whole.node(THREAD, made, weaker)
        self.whole.links[link] = thread
