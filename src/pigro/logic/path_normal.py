"""CTL* to normal form: that of CTL, and one more operator E over path formulas.

Quantifiers that CTL has are those of `normal.py`: EX, EU and EG. All others become EXISTS over a
path formula in which negations stand only over state formulas: of AND, OR, PX, PU and PR, with
state formulas as leaves. A f is !E !f. Negation is pushed down by the duals of `positive.py`.

Less is left to EXISTS, by equivalences that hold for all maximal paths (docs/theory.md):

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

from pigro.logic.fragments import state_formulas
from pigro.logic.normal import AND, OR, NormalForm, existential_normal_form
from pigro.logic.operators import Op
from pigro.logic.regular.operators import expression_parts, translated
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
_Key = tuple[int, bool]
"""A subformula, and whether it is meant as it is (or negated)."""


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
    made = formula.kept[name] = _Translation(formula, only_paths=only_paths).form()
    return made


def run_form(formula: Formula, path: int, *, plain: bool, whole: bool = False) -> NormalForm:
    """`E f` as one EXISTS, of a path formula that is a part of a formula. Of `E !f` if not `plain`.

    Other quantifiers are those of `path_normal_form`. If `whole`, it is E (f & G true): the same,
    but an automaton reads the run to its end, also where f is decided sooner.
    """
    return _Translation(formula, only_paths=False).run(path, plain=plain, whole=whole)


class _Translation:
    """Makes the nodes of the form, children first."""

    def __init__(self, formula: Formula, *, only_paths: bool) -> None:
        self.formula = formula
        self.only_paths = only_paths
        self.is_state = state_formulas(formula)
        self.make = Simplifier()
        self.paths: set[int] = set()
        """The nodes that are path formulas."""
        self.ticking: set[int] = set()
        """Path formulas with a PTICK or PCALM."""
        self.winding: set[int] = set()
        """Path formulas with a cycle."""
        self.links: dict[int, int] = {}
        """What links stand for."""
        self.done: dict[_Key, int] = {}

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

    def translate(self, key: _Key) -> int:
        pending = [key]
        while pending:
            at = pending[-1]
            missing = [each for each in self.needed(*at) if each not in self.done]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            if at not in self.done:
                self.done[at] = self.translated(*at)
        return self.done[key]

    def row(self, node: int) -> tuple[int, int, int]:
        formula = self.formula
        return formula.ops[node], formula.left[node], formula.right[node]

    def needed(self, node: int, plain: bool) -> list[_Key]:
        op, left, right = self.row(node)
        if op <= _ATOM:
            return []
        if op in (_A, _E):
            if self.is_plain_ctl(node):
                path = left
                return [(at, True) for at in self.row(path)[1:] if at >= 0]
            return [(left, op == _E)]
        if self.is_state[node]:
            return [(at, True) for at in (left, right) if at >= 0]
        if op >= _MATCH:
            return expression_parts(self.formula, node, plain=plain)
        sides = [(left, plain != (op in (Op.NOT, Op.IMPLIES)))]
        if right >= 0:
            sides.append((right, plain))
        both = op in (Op.XOR, Op.IFF)
        return sides + [(each, not sign) for each, sign in sides if both]

    def is_plain_ctl(self, node: int) -> bool:
        """Whether a quantifier is one of CTL: over one path operator over state formulas."""
        op, left, right = self.row(self.formula.left[node])
        if self.only_paths or op <= _E or op >= _MATCH:
            return False
        return bool(self.is_state[left] and (right < 0 or self.is_state[right]))

    def translated(self, node: int, plain: bool) -> int:
        op, left, right = self.row(node)
        if op >= _MATCH:
            return self.regular(node, plain=plain)
        if not self.is_state[node]:
            return self.path(op, left, right, plain=plain)
        made = self.state(node, op, left, right)
        return made if plain else self.make.negation(made)

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

    def path(self, op: int, left: int, right: int, *, plain: bool) -> int:
        """A path formula or its negation."""
        done, make = self.done, self.make
        if op == Op.NOT:
            return done[left, not plain]
        if op in (Op.XOR, Op.IFF):
            same = plain == (op == Op.IFF)
            one = self.combined(AND, done[left, True], done[right, same])
            other = self.combined(AND, done[left, False], done[right, not same])
            return self.combined(OR, one, other)
        if op == Op.IMPLIES:
            return self.combined(OR if plain else AND, done[left, not plain], done[right, plain])
        f, g = done[left, plain], done.get((right, plain), -1)
        if op in (Op.AND, Op.OR):
            return self.combined(OR if plain == (op == Op.OR) else AND, f, g)
        if op == Op.X:
            return f if f == make.false else self.node(PX, f)
        if op == Op.F:
            return self.until(make.true, f) if plain else self.release(make.false, f)
        if op == Op.G:
            return self.release(make.false, f) if plain else self.until(make.true, f)
        if op == Op.W:
            mixed = self.combined(OR if plain else AND, f, g)
            return self.release(g, mixed) if plain else self.until(g, mixed)
        return self.until(f, g) if plain == (op == Op.U) else self.release(f, g)

    def regular(self, node: int, *, plain: bool) -> int:
        """An operator with an automaton, or its negation."""

        def letter(at: int, positive: bool) -> int:
            return self.done[at, True] if positive else self.make.negation(self.done[at, True])

        ticks = self.done.get((self.formula.right[node], plain)) in self.ticking
        return translated(
            _Maker(self, ticks), self.formula, node, plain, letter, lambda f: self.done[f, plain]
        )

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

    def until(self, f: int, g: int) -> int:
        make = self.make
        if g in (make.true, make.false) or f in (g, make.false):
            return g
        return self.node(PU, f, g)

    def release(self, f: int, g: int) -> int:
        make = self.make
        if g in (make.true, make.false) or f in (g, make.true):
            return g
        return self.node(PR, f, g)

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


class _Maker:
    """Makes formulas under E: see `regular.threads.Maker`."""

    def __init__(self, whole: _Translation, ticks: bool) -> None:
        self.whole = whole
        self.true, self.false = whole.make.true, whole.make.false
        self.until, self.release = whole.until, whole.release
        self.ticks = ticks

    def both(self, f: int, g: int) -> int:
        return self.whole.combined(AND, f, g)

    def either(self, f: int, g: int) -> int:
        return self.whole.combined(OR, f, g)

    def tick(self, *, now: bool) -> int:
        made = self.whole.node(PTICK if now else PCALM)
        self.whole.ticking.add(made)
        return made

    def ends(self) -> int:
        return self.whole.node(PWX, self.whole.make.false)

    def link(self) -> int:
        whole = self.whole
        made = whole.make.node(_LINK, len(whole.make.kind))
        whole.paths.add(made)
        whole.winding.add(made)
        if self.ticks:
            whole.ticking.add(made)
        return made

    def later(self, link: int, *, weak: bool) -> int:
        return self.whole.node(PWX if weak else PX, link)

    def bind(self, link: int, made: int, weaker: int | None) -> None:
        thread = made if weaker is None else self.whole.node(PTHREAD, made, weaker)
        self.whole.links[link] = thread
