"""Formulas from Python: `AG(atom("p").implies(EF(atom("q"))))`, and the formulas inside a formula.

The functions bear the names of the logic, hence the capitals.
"""
# ruff: noqa: N802 - A, EX, AU ... are what these operators are called

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, printable
from pigro.logic.arena import Arena
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.logic.scopes import is_variable_name, negated_variable
from pigro.logic.syntax import Formula, join, limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ATOM, _DIAMOND, _VARIABLE = int(Op.ATOM), int(Op.DIAMOND), int(Op.VARIABLE)
_MU, _NU = int(Op.MU), int(Op.NU)
_LONGEST_PART = 2000
"""Operators and labels of a part of a formula of the mu-calculus that is listed."""


def atom(name: str) -> Formula:
    """The label `name`, taken as it is: no quotes needed.

    >>> atom("p"), atom("x = 1")
    (Formula("p"), Formula('"x = 1"'))
    """
    arena = Arena()
    arena.atom(name)
    return Formula.from_arena(arena)


def true() -> Formula:
    """The constant true."""
    return Formula("true")


def false() -> Formula:
    """The constant false."""
    return Formula("false")


def conjunction(formulas: Iterable[Formula]) -> Formula:
    """All of them, `f & g & ...`, in time linear in their sizes. True if there are none.

    >>> conjunction(atom(name) for name in "pqr")
    Formula("p & q & r")
    """
    return _chain(Op.AND, formulas, true())


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """One of them, `f | g | ...`, in time linear in their sizes. False if there are none."""
    return _chain(Op.OR, formulas, false())


def _chain(op: Op, formulas: Iterable[Formula], nothing: Formula) -> Formula:
    arena = Arena()
    roots: list[int] = []
    for formula in formulas:
        root = arena.add(formula)
        roots = [arena.node(int(op), roots[0], root)] if roots else [root]
    return Formula.from_arena(arena, roots[0]) if roots else nothing


def A(f: Formula) -> Formula:
    """On all paths. For CTL* and LTL, such as `A(G(F(p)))`."""
    return join(Op.A, f)


def E(f: Formula) -> Formula:
    """On some path."""
    return join(Op.E, f)


def X(f: Formula) -> Formula:
    """In the next state of the path."""
    return join(Op.X, f)


def F(f: Formula) -> Formula:
    """Now or later on the path."""
    return join(Op.F, f)


def G(f: Formula) -> Formula:
    """Always on the path."""
    return join(Op.G, f)


def U(f: Formula, g: Formula) -> Formula:
    """`g` now or later on the path, and `f` until then."""
    return join(Op.U, f, g)


def W(f: Formula, g: Formula) -> Formula:
    """`f` until `g`, or `f` always."""
    return join(Op.W, f, g)


def R(f: Formula, g: Formula) -> Formula:
    """`g` up to and including the first `f`, or `g` always."""
    return join(Op.R, f, g)


def AX(f: Formula) -> Formula:
    """In every next state."""
    return A(X(f))


def EX(f: Formula) -> Formula:
    """In some next state."""
    return E(X(f))


def AF(f: Formula) -> Formula:
    """On every path now or later."""
    return A(F(f))


def EF(f: Formula) -> Formula:
    """On some path now or later."""
    return E(F(f))


def AG(f: Formula) -> Formula:
    """On every path always."""
    return A(G(f))


def EG(f: Formula) -> Formula:
    """On some path always."""
    return E(G(f))


def AU(f: Formula, g: Formula) -> Formula:
    """On every path `f` until `g`, which comes."""
    return A(U(f, g))


def EU(f: Formula, g: Formula) -> Formula:
    """On some path `f` until `g`, which comes."""
    return E(U(f, g))


def AW(f: Formula, g: Formula) -> Formula:
    """On every path `f` until `g`, or `f` always."""
    return A(W(f, g))


def EW(f: Formula, g: Formula) -> Formula:
    """On some path `f` until `g`, or `f` always."""
    return E(W(f, g))


def AR(f: Formula, g: Formula) -> Formula:
    """On every path `g` up to and including the first `f`, or `g` always."""
    return A(R(f, g))


def ER(f: Formula, g: Formula) -> Formula:
    """On some path `g` up to and including the first `f`, or `g` always."""
    return E(R(f, g))


def diamond(f: Formula, *actions: str) -> Formula:
    """`<a, b> f`: some step by one of these actions, or by any if none is given, leads to `f`.

    >>> diamond(atom("p")), diamond(atom("p"), "send", "receive")
    (Formula("<> p"), Formula("<receive, send> p"))
    """
    return _modality(Op.DIAMOND, f, actions)


def box(f: Formula, *actions: str) -> Formula:
    """`[a, b] f`: every step by one of these actions, or by any if none is given, leads to `f`."""
    return _modality(Op.BOX, f, actions)


def mu(name: str, f: Formula) -> Formula:
    """The least fixpoint, in which the label `name` of `f` becomes the variable.

    FormulaError P306 if it occurs under an odd number of negations, P307 if it is a variable inside
    of `f` already.

    >>> mu("Z", atom("p") | diamond(atom("Z")))
    Formula("mu Z. p | <> Z")
    """
    return _fixpoint(Op.MU, name, f)


def nu(name: str, f: Formula) -> Formula:
    """The greatest fixpoint. See `mu`."""
    return _fixpoint(Op.NU, name, f)


def _modality(op: Op, f: Formula, actions: tuple[str, ...]) -> Formula:
    arena = Arena()
    root = arena.modal(int(op), arena.add(f), tuple(sorted(set(actions))))
    return limited(Formula.from_arena(arena, root))


def _fixpoint(op: Op, name: str, f: Formula) -> Formula:
    if not is_variable_name(name):
        message = f"`{printable(name, 60)}` can't be a variable"
        hint = "a variable is a word without dots that is not reserved"
        raise FormulaError("P303", message, hint=hint)
    if name in f.variables:
        from pigro.logic.mistakes import bound_again

        raise bound_again(name)
    if name in {"X", "F", "G"} and _has_bare(f, name):
        message = f"`{name}` can't be a variable here: it is an operator in the formula"
        raise FormulaError("P303", message, hint="choose another name")
    arena = Arena()
    body = arena.add(f, variable=name)
    node = arena.modal(int(op), body, name)
    if negated_variable(arena) is not None:
        from pigro.logic.mistakes import negated_error

        raise negated_error(name)
    assert node == len(arena.index) - 1, "the body has no fixpoint of that name"
    return limited(Formula.from_arena(arena))


def _has_bare(f: Formula, name: str) -> bool:
    """Whether X, F or G stands in `f` apart from A and E: then it is printed as a word."""
    bare = {len(f) - 1}
    for op, left, right in zip(f.ops, f.left, f.right, strict=True):
        if Op.ATOM < op < Op.VARIABLE and op not in (Op.A, Op.E):
            bare.add(left)
            if op < Op.DIAMOND:
                bare.add(right)
    return any(op == Op[name] and at in bare for at, op in enumerate(f.ops))


def subformulas(formula: Formula) -> Iterator[Formula]:
    """All distinct state formulas in one: the whole first, operands after it, left to right.

    In the mu-calculus, a variable of an outer fixpoint stands for that fixpoint. Parts whose texts
    would be very long are left out.

    >>> [str(each) for each in subformulas(Formula("AG (p -> A [q U p])"))]
    ['AG (p -> A [q U p])', 'p -> A [q U p]', 'p', 'A [q U p]', 'q']
    >>> [str(each) for each in subformulas(Formula("A [F G (p & EX q)]"))]
    ['A [F G (p & EX q)]', 'p & EX q', 'p', 'EX q', 'q']
    >>> [str(each) for each in subformulas(Formula("mu Z. p | <> Z"))]
    ['mu Z. p | <> Z', 'p | <> (mu Z. p | <> Z)', 'p', '<> (mu Z. p | <> Z)']
    """
    if max(formula.ops) < _DIAMOND:
        return (part_of(formula, at) for _, at, _ in _roots(formula))
    return _closed_parts(formula)


def count_subformulas(formula: Formula) -> int:
    """How many there are, also of very long ones.

    >>> count_subformulas(Formula("AG (p -> A [q U p])"))
    5
    """
    return sum(1 for _ in _roots(formula))


_Bound = tuple[tuple[int, int], ...]
"""The variables that are free in a node, each with the root of its fixpoint."""


def _roots(formula: Formula) -> Iterator[tuple[int, int, _Bound]]:
    """State formulas that are no variables: each with a number of its own, and its node."""
    is_state, free = state_formulas(formula), _free_variables(formula)
    seen: dict[tuple[int, _Bound], int] = {}
    pending: list[tuple[int, _Bound]] = [(len(formula) - 1, ())]
    while pending:
        root = at, bound = pending.pop()
        if root in seen:
            continue
        number = seen[root] = len(seen)
        if is_state[at]:
            yield number, at, bound
        known = dict(bound)
        if formula.ops[at] in (_MU, _NU):
            known[formula.right[at]] = number
        below = [each for each in _operands(formula, at) if formula.ops[each] != _VARIABLE]
        pending += [
            (each, tuple([(name, known[name]) for name in sorted(free[each])]))
            for each in reversed(below)
        ]


def _free_variables(formula: Formula) -> list[frozenset[int]]:
    """Of each node the variables that occur in it, but for those of its own fixpoints."""
    found: list[frozenset[int]] = []
    none: frozenset[int] = frozenset()
    for at, op in enumerate(formula.ops):
        if op == _VARIABLE:
            found.append(frozenset((formula.left[at],)))
            continue
        here = none.union(*[found[each] for each in _operands(formula, at)])
        found.append(here - {formula.right[at]} if op in (_MU, _NU) else here)
    return found


def _closed_parts(formula: Formula) -> Iterator[Formula]:
    made: dict[int, Formula] = {}
    for number, at, bound in _roots(formula):
        if any(fixpoint not in made for _, fixpoint in bound):
            continue  # they are too long, and so is this one
        instead = {formula.variables[name]: made[fixpoint] for name, fixpoint in bound}
        part = part_of(formula, at, instead)
        if _unfolded(part) <= _LONGEST_PART:
            made[number] = part
            yield part


def _unfolded(formula: Formula) -> int:
    """How many operators and labels the text of a formula has."""
    sizes: list[int] = []
    for at in range(len(formula)):
        sizes.append(1 + sum([sizes[each] for each in _operands(formula, at)]))
    return sizes[-1]


def _operands(formula: Formula, at: int) -> list[int]:
    op = formula.ops[at]
    if op <= _ATOM or op == _VARIABLE:
        return []
    if op >= _DIAMOND:
        return [formula.left[at]]
    return [each for each in (formula.left[at], formula.right[at]) if each >= 0]


def part_of(formula: Formula, root: int, instead: Mapping[str, Formula] | None = None) -> Formula:
    """The subformula `root` as a formula of its own: nodes in the order of its own text.

    Its free variables become the formulas in `instead`, which have no free ones. A fixpoint around
    them gets another variable where theirs has the same name.
    """
    arena, names = Arena(), _names(formula, instead or {})
    here: dict[int, int] = {-1: -1}
    pending = [root]
    while pending:
        at = pending[-1]
        missing = [each for each in _operands(formula, at) if each not in here]
        if missing:
            pending += reversed(missing)
            continue
        pending.pop()
        if at not in here:
            here[at] = _copied(arena, formula, at, here, names)
    return Formula.from_arena(arena, here[root])


def _copied(
    arena: Arena,
    formula: Formula,
    at: int,
    here: dict[int, int],
    names: list[str | Formula],
) -> int:
    """The node in the arena, where its operands are already."""
    op, left, right = formula.ops[at], formula.left[at], formula.right[at]
    if op == _ATOM:
        return arena.atom(formula.atoms[left])
    if op == Op.AUTOMATON:
        return arena.automaton(formula.automata[-2 - right], here[left])
    if op < _DIAMOND:
        return arena.node(op, here[left], here[right])
    if op == _VARIABLE:
        meant = names[left]
        return arena.variable(meant) if isinstance(meant, str) else arena.add(meant)
    if op < _MU:
        return arena.modal(op, here[left], formula.actions[right] if right >= 0 else ())
    name = names[right]
    assert isinstance(name, str), "a name is free or bound in a part, and not both"
    return arena.modal(op, here[left], name)


def _names(formula: Formula, instead: Mapping[str, Formula]) -> list[str | Formula]:
    """What becomes of each variable."""
    if not instead:
        return list(formula.variables)
    theirs = {name for each in instead.values() for name in each.variables}
    taken = {*theirs, *formula.variables, *formula.atoms}
    gone = {at for at, name in enumerate(formula.variables) if name in instead}
    pairs = zip(formula.ops, formula.right, _free_variables(formula), strict=True)
    around = {right for op, right, free in pairs if op in (_MU, _NU) and free & gone}
    found: list[str | Formula] = []
    for at, name in enumerate(formula.variables):
        if name in instead:
            found.append(instead[name])
        elif name in theirs and at in around:
            fresh = next(new for at in count(1) if (new := f"{name}{at}") not in taken)
            taken.add(fresh)
            found.append(fresh)
        else:
            found.append(name)
    return found
