"""CTL* to normal form: that of CTL, and one more operator E over path formulas.

Quantifiers that CTL has are those of `normal.py`: EX, EU and EG. All others become EXISTS over a
path formula in which negations stand only over state formulas: of AND, OR, PX, PU and PR, with
state formulas as leaves. A f is !E !f. `paths.py` pushes negation down.

Less is left to EXISTS, by equivalences that hold for all maximal paths (docs/semantics.md):

    E (s & f) = s & E f         E (s | f) = s | E f         for state formulas s
    E [s U (t & E f)] = E [s U (t & f)]                     for state formulas s and t

The last one saves a level, and so contexts. X true stays: it says that the run goes on.

Operators with automata become formulas with cycles, which go through PX or PWX, and with PTICK and
PCALM, of which a run chooses one at each state (regular/threads.py). PWX is true where a run ends.
PTHREAD is its left child, and implies its right one, another thread.
Cost: at most two nodes for each subformula, and for each edge of an automaton. Nothing recurses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pigro.logic.normal import AND, OR, NormalForm, existential_normal_form
from pigro.logic.operators import Op
from pigro.logic.paths import PathTranslation
from pigro.logic.simplify import BOOLEAN, QUANTIFIED, Simplifier

if TYPE_CHECKING:
    from pigro.logic.syntax import Formula

EXISTS: Final = 8
PX: Final = 9
PU: Final = 10
PR: Final = 11
PWX: Final = 12
PTICK: Final = 13
PCALM: Final = 14
PTHREAD: Final = 15
_LINK: Final = 16

_ATOM, _A, _E, _MATCH = int(Op.ATOM), int(Op.A), int(Op.E), int(Op.MATCH)


def path_normal_form(formula: Formula, *, only_paths: bool = False) -> NormalForm:
    """`formula` in normal form. A path formula alone means A of it. Kept with the formula.

    With `only_paths` the quantifiers of CTL become EXISTS too, which is slower: to compare.
    CheckError P408 for the mu-calculus.
    """
    if formula.is_ctl and not only_paths:
        return existential_normal_form(formula)
    name = "path normal form" + " only" * only_paths
    known = formula.kept.get(name)
    if isinstance(known, NormalForm):
        return known
    formula.refuse_mu()
    made = formula.kept[name] = _PathNormalTranslation(formula, only_paths=only_paths).form()
    return made


def run_form(formula: Formula, path: int, *, plain: bool, whole: bool = False) -> NormalForm:
    """`E f` as one EXISTS, of a path formula that is a part of a formula. Of `E !f` if not `plain`.

    Other quantifiers are those of `path_normal_form`. If `whole`, it is E (f & G true): the same,
    but an automaton reads the run to its end, also where f is decided sooner.
    """
    return _PathNormalTranslation(formula, only_paths=False).run(path, plain=plain, whole=whole)


class _PathNormalTranslation(PathTranslation):
    """Makes the nodes of the form."""

    QUANTIFIER = _E
    NEXT, OTHER_NEXT, UNTIL, RELEASE, THREAD = PX, PWX, PU, PR, PTHREAD

    def __init__(self, formula: Formula, *, only_paths: bool) -> None:
        self.make = Simplifier()
        super().__init__(formula, self.make.true, self.make.false)
        self.only_paths = only_paths
        self.paths: set[int] = set()
        """The nodes that are path formulas."""
        self.winding: set[int] = set()
        """Path formulas with a cycle."""

    def form(self) -> NormalForm:
        whole = len(self.formula) - 1
        if self.is_state[whole]:
            root = self.translate((whole, True))
        else:
            root = self.make.negation(self.exists(self.translate((whole, False))))
        return self.compact(root)

    def run(self, path: int, *, plain: bool, whole: bool) -> NormalForm:
        make, made = self.make, self.closed(self.translate((path, plain)))
        if whole:
            made = make.node(AND, made, make.node(PR, make.false, make.true))
        elif made not in self.paths:
            made = make.node(PU, make.false, made)
        return self.compact(make.node(EXISTS, made))

    def compact(self, root: int) -> NormalForm:
        ops, left, right, used = self.make.compact(root, self.links)
        return NormalForm(ops, left, right, tuple(self.formula.atoms[atom] for atom in used))

    def quantified(self, node: int, op: int, body: int) -> list[tuple[int, bool]]:
        """What is translated before a quantifier. One of CTL looks through its path operator."""
        if self.is_plain_ctl(node):
            return [(at, True) for at in self.row(body)[1:] if at >= 0]
        return super().quantified(node, op, body)

    def is_plain_ctl(self, node: int) -> bool:
        """Whether a quantifier is one of CTL: over one path operator over state formulas."""
        op, left, right = self.row(self.formula.left[node])
        if self.only_paths or op <= _E or op >= _MATCH:
            return False
        return bool(self.is_state[left] and (right < 0 or self.is_state[right]))

    def state(self, node: int, op: int, left: int, right: int) -> int:
        """A state formula, as it is meant."""
        make, done = self.make, self.done
        if op == _ATOM:
            return make.atom(left)
        if op <= Op.FALSE:
            return make.false if op == Op.FALSE else make.true
        if op in (_A, _E):
            return self.ctl(op, left) if self.is_plain_ctl(node) else self.star(op, left)
        f = done[left, True]
        return BOOLEAN[op](make, f, done[right, True] if right >= 0 else f)

    def star(self, op: int, body: int) -> int:
        """A or E over any path formula."""
        made = self.exists(self.done[body, op == _E])
        return made if op == _E else self.make.negation(made)

    def ctl(self, op: int, body: int) -> int:
        """A or E over one path operator over state formulas."""
        make = self.make
        path_op, first, second = self.row(body)
        f = self.done[first, True]
        g = self.done[second, True] if second >= 0 else f
        if op == _E and path_op in (Op.F, Op.U):
            return self.exists_until(make.true if path_op == Op.F else f, g)
        if op == _A and path_op == Op.G:
            return make.negation(self.exists_until(make.true, make.negation(f)))
        return QUANTIFIED[op, path_op](make, f, g)

    def following(self, f: int) -> int:
        return f if f == self.false else self.node(PX, f)

    def negation(self, f: int) -> int:
        return self.make.negation(f)

    def both(self, f: int, g: int) -> int:
        return self.combined(AND, f, g)

    def either(self, f: int, g: int) -> int:
        return self.combined(OR, f, g)

    def tick(self, *, now: bool) -> int:
        made = self.node(PTICK if now else PCALM)
        self.ticking.add(made)
        return made

    def link(self) -> int:
        made = self.make.node(_LINK, len(self.make.kind))
        self.paths.add(made)
        self.winding.add(made)
        return made

    def closed(self, path: int) -> int:
        """The path formula as it stands under E: if it has ticks, they come again and again.

        The body of a formula with cycles comes after all its parts, as the certificates' tableau
        needs it.
        """
        make = self.make
        if path in self.ticking:
            often = self.release(make.false, self.until(make.true, self.node(PTICK)))
            return self.node(AND, often, path)
        return self.node(PU, make.false, path) if path in self.winding else path

    def combined(self, op: int, f: int, g: int) -> int:
        """`f & g` or `f | g`, of path formulas or state formulas."""
        make = self.make
        if f not in self.paths and g not in self.paths:
            return make.both(f, g) if op == AND else make.either(f, g)
        nothing, decides = (make.true, make.false) if op == AND else (make.false, make.true)
        if f == g or decides in (f, g):
            return f if f == g else decides
        if nothing in (f, g):
            return g if f == nothing else f
        return self.node(op, min(f, g), max(f, g))

    def node(self, op: int, f: int = -1, g: int = -1) -> int:
        made = self.make.node(op, f, g)
        self.paths.add(made)
        for each in (self.ticking, self.winding):
            if f in each or g in each:
                each.add(made)
        return made

    def exists(self, path: int) -> int:
        """`E f`, with formulas about the first state only moved out of the E."""
        make, outside = self.make, []
        while path in self.paths and make.kind[path] in (AND, OR):
            state, rest = sorted((make.first[path], make.second[path]), key=self.paths.__contains__)
            if state in self.paths:
                break
            outside.append((make.kind[path], state))
            path = rest
        made = self.exists_path(path) if path in self.paths else path
        for op, state in reversed(outside):
            made = make.both(state, made) if op == AND else make.either(state, made)
        return made

    def exists_path(self, path: int) -> int:
        make = self.make
        op, f, g = make.kind[path], make.first[path], make.second[path]
        if path in self.ticking or path in self.winding:
            return make.node(EXISTS, self.closed(path))
        if self.only_paths or f in self.paths or g in self.paths:
            return make.node(EXISTS, path)
        if op == PX:
            return make.following(f)
        if op == PU:
            return self.exists_until(f, g)
        return QUANTIFIED[_E, Op.R](make, f, g)

    def exists_until(self, f: int, g: int) -> int:
        """`E [f U g]` for state formulas. An EXISTS in `g` is taken into the same level."""
        make = self.make
        parts = [g] if make.kind[g] == EXISTS else []
        if make.kind[g] == AND:
            parts = [at for at in (make.first[g], make.second[g]) if make.kind[at] == EXISTS]
        if not parts:
            return make.until(f, g)
        inner = make.first[parts[0]]
        rest = make.true
        if make.kind[g] == AND:
            rest = make.first[g] if make.second[g] == parts[0] else make.second[g]
        return make.node(EXISTS, self.until(f, self.combined(AND, rest, inner)))
