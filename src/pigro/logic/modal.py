"""The mu-calculus in positive normal form, CTL translated: what games are played on.

Negations are pushed inwards up to labels. CTL becomes fixpoints over maximal paths, which are right
also where there is no next state (docs/semantics.md, T3):

    EX f = <> f | ([] false & f)  if dead ends repeat forever, <> f if they stop. AX f is its dual
    E[f U g] = mu Z. g | (f & <> Z)             A[f U g] = mu Z. g | (f & ([] Z & <> true))
    E[f W g] = nu Z. g | (f & (<> Z | [] false))   A[f W g] = nu Z. g | (f & [] Z)
    E[f R g] = nu Z. g & (f | (<> Z | [] false))   A[f R g] = nu Z. g & (f | [] Z)
    F f = true U f, G f = false R f. The negation of each is the dual of the right side

Constants vanish, but `<> true` and `[] false` stay, and so does `p & !p`: where labels may be
unknown it is not false. A fixpoint whose variable does not occur is its body. CTL over constants is
what it is for all structures: `AF false` is false, though its fixpoint is unknown where steps are.

Priorities: the variable Y of a fixpoint has at least the priority of every X inside whose fixpoint
has Y free, even for nu and odd for mu, and none is larger than that needs. Variables that do not
depend on each other are not compared. On a play, of the variables that are seen forever the
outermost has the largest priority: a path from another one back to it leaves fixpoints only through
their free variables.

A formula knows variables by name, and two fixpoints of the same name may share nodes. Here, each
fixpoint has a variable of its own. The unit of work is thus a node with its sign and with what its
free variables stand for. Cost: linear in the text of the formula but for those, at most as many as
fixpoints are nested. Nothing recurses.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pigro.logic.fragments import stray_node
from pigro.logic.operators import Op
from pigro.logic.scopes import joined
from pigro.logic.syntax import not_ctl
from pigro.logic.walk import operands_first

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.logic.syntax import Formula

TRUE: Final = 0
FALSE: Final = 1
ATOM: Final = 2
NEGATED: Final = 3
AND: Final = 4
OR: Final = 5
DIAMOND: Final = 6
BOX: Final = 7
MU: Final = 8
NU: Final = 9
VAR: Final = 10

_ATOM, _IFF, _A, _E = int(Op.ATOM), int(Op.IFF), int(Op.A), int(Op.E)
_NOT, _AND, _OR, _XOR, _IMPLIES = (int(op) for op in (Op.NOT, Op.AND, Op.OR, Op.XOR, Op.IMPLIES))
_X, _F, _G, _U, _W = (int(op) for op in (Op.X, Op.F, Op.G, Op.U, Op.W))
_DIAMOND, _BOX, _MU, _VARIABLE = (int(op) for op in (Op.DIAMOND, Op.BOX, Op.MU, Op.VARIABLE))
"""Plain ints: enum members compare slowly."""
_NONE: frozenset[int] = frozenset()
_Bound = tuple[int, ...]
_Key = tuple[int, bool, _Bound]
"""A node of the formula, whether it is meant as it is (or negated), and the variables that its free
names stand for, in the order of the names."""


@dataclass(frozen=True, slots=True)
class ModalForm:
    """A formula of the mu-calculus in positive normal form, as flat arrays. Equal nodes are one.

    Operands come before what they are operands of. A variable comes before the body of its
    fixpoint, and the fixpoint after it. All nodes are reachable from the root, and all atoms and
    actions are used.

    >>> from pigro.logic import parse
    >>> form = modal_form(parse("nu X. mu Y. (p & <> X) | <a> Y"))
    >>> form.ops.tolist() == [VAR, VAR, ATOM, DIAMOND, AND, DIAMOND, OR, MU, NU]
    True
    >>> form.left.tolist()
    [7, 6, 0, 0, 2, 1, 4, 1, 0]
    >>> form.right.tolist()
    [-1, -1, -1, -1, 3, 0, 5, -1, -1]
    >>> form.priority.tolist()
    [2, 1, 0, 0, 0, 0, 0, 0, 0]
    >>> form.atoms, form.actions, form.root, form.alternation_free
    (('p',), (('a',),), 8, False)
    """

    ops: array[int]
    """Type code "B": TRUE=0, FALSE=1, ATOM=2, NEGATED=3 (of a label), AND=4, OR=5, DIAMOND=6,
    BOX=7, MU=8, NU=9, VAR=10."""
    left: array[int]
    """Type code "i". ATOM, NEGATED: index into `atoms`. AND, OR, DIAMOND, BOX: an operand. MU, NU:
    the variable. VAR: the body of its fixpoint. -1 for constants."""
    right: array[int]
    """AND, OR: the second operand. DIAMOND, BOX: index into `actions`, or -1 for any. Else -1."""
    priority: array[int]
    """Even for the VAR of a NU, odd for that of a MU, 0 for all other nodes."""
    atoms: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    """Sets of actions, sorted."""
    root: int

    def __len__(self) -> int:
        return len(self.ops)

    def __hash__(self) -> int:
        arrays = (self.ops.tobytes(), self.left.tobytes(), self.right.tobytes())
        return hash((*arrays, self.atoms, self.actions))

    @property
    def alternation_free(self) -> bool:
        """Whether no variable occurs free in a fixpoint inside its own.

        Fixpoints of the same kind must not depend on each other either.
        """
        return not any(free for _, free in _dependencies(self.ops, self.left, self.right))


def modal_form(formula: Formula, *, dead_ends: Literal["stutter", "stop"] = "stutter") -> ModalForm:
    """`formula`, of CTL or the mu-calculus, in positive normal form. Kept with it.

    `dead_ends` says what EX and AX mean in states without successors. CheckError P401 for path
    operators beyond CTL.

    >>> from pigro.logic import parse
    >>> modal_form(parse("!EX p"), dead_ends="stop").ops.tolist() == [NEGATED, BOX]
    True
    """
    assert dead_ends in {"stutter", "stop"}, dead_ends
    what = f"modal form, {dead_ends}"
    known = formula.kept.get(what)
    if isinstance(known, ModalForm):
        return known
    if stray_node(formula) is not None:
        raise not_ctl(formula)
    made = formula.kept[what] = _ModalTranslation(formula, stops=dead_ends == "stop").form()
    return made


def modal_origins(
    formula: Formula, *, dead_ends: Literal["stutter", "stop"] = "stutter"
) -> dict[int, tuple[int, bool]]:
    """Which subformula of `formula` a node of its modal form is: as it is, or else negated.

    Nodes that stand inside the translation of CTL are none. Needs: a formula that has such a form.

    >>> from pigro.logic import parse
    >>> modal_origins(parse("!EF p"))  # nu Z. !p & [] Z
    {0: (0, False), 4: (2, False)}
    """
    translation = _ModalTranslation(formula, stops=dead_ends == "stop")
    translation.form()
    found: dict[int, tuple[int, bool]] = {}
    for (at, plain, _), made in translation.done.items():
        if made in translation.here:
            found.setdefault(translation.here[made], (at, plain))
    return dict(sorted(found.items()))


class _ModalNodes:
    """Makes nodes, each once, and simplifies by the constants."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int, int], int] = {}
        self.ops: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.free: list[frozenset[int]] = []
        """The variables that occur free in each node."""
        self.true = self.node(TRUE)
        self.false = self.node(FALSE)

    def node(self, op: int, left: int = -1, right: int = -1) -> int:
        number = self.known.setdefault((op, left, right), len(self.ops))
        if number == len(self.ops):
            self.ops.append(op)
            self.left.append(left)
            self.right.append(right)
            if op in {AND, OR}:
                self.free.append(joined(self.free[left], self.free[right]))
            else:
                self.free.append(self.free[left] if op in {DIAMOND, BOX} else _NONE)
        return number

    def variable(self) -> int:
        """A new one. Its fixpoint's body, once it is known, is its left."""
        number = len(self.ops)
        self.node(VAR, ~number)  # no other node has this left
        self.free[number] = frozenset((number,))
        return number

    def both(self, f: int, g: int) -> int:
        if f == g or self.false in (f, g):
            return f if f == g else self.false
        if self.true in (f, g):
            return g if f == self.true else f
        return self.node(AND, f, g)

    def either(self, f: int, g: int) -> int:
        if f == g or self.true in (f, g):
            return f if f == g else self.true
        if self.false in (f, g):
            return g if f == self.false else f
        return self.node(OR, f, g)

    def step(self, f: int, actions: int = -1, *, some: bool) -> int:
        """`<> f` or else `[] f`."""
        if f == (self.false if some else self.true):
            return f
        return self.node(DIAMOND if some else BOX, f, actions)

    def fixpoint(self, variable: int, body: int, *, least: bool) -> int:
        if body == variable:
            return self.false if least else self.true
        if variable not in self.free[body]:
            return body
        self.left[variable] = body
        made = self.node(MU if least else NU, variable)
        self.free[made] = self.free[body] - {variable}
        return made


class _ModalTranslation:
    """Makes the nodes of the form, operands first."""

    def __init__(self, formula: Formula, *, stops: bool) -> None:
        self.formula = formula
        self.stops = stops
        self.free = _free_names(formula)
        self.make = _ModalNodes()
        self.done: dict[_Key, int] = {}
        self.variables: dict[_Key, int] = {}
        """The variables of fixpoints whose bodies are not yet done."""
        self.paths: dict[tuple[bool, bool, bool, int, int], int] = {}
        self.here: dict[int, int] = {}
        """What the nodes of the form were before."""

    def form(self) -> ModalForm:
        root: _Key = (len(self.formula) - 1, True, ())
        return self.pruned(operands_first(root, self.done, self.needed, self.translate))

    def needed(self, key: _Key) -> list[_Key]:
        """The nodes that are translated before. Variables of new fixpoints are made on the way."""
        at, plain, bound = key
        formula = self.formula
        op, left, right = formula.ops[at], formula.left[at], formula.right[at]
        if op <= _ATOM or op == _VARIABLE:
            return []
        if op in (_A, _E):
            return self.needed((left, plain, bound))
        if op >= _MU:
            variable = self.variables[key] = self.make.variable()
            return [self.key(at, bound, left, plain, right, variable)]
        if op >= _DIAMOND:
            return [self.key(at, bound, left, plain)]
        if op in (_XOR, _IFF):  # no variable is free in these
            return [(each, sign, ()) for sign in (True, False) for each in (left, right)]
        sides = [self.key(at, bound, left, plain != (op in (_NOT, _IMPLIES)))]
        if right >= 0:
            sides.append(self.key(at, bound, right, plain))
        return sides

    def key(
        self,
        at: int,
        bound: _Bound,
        child: int,
        plain: bool,
        name: int = -1,
        variable: int = -1,
    ) -> _Key:
        """The child of a node, in a place where `name`, if any, stands for a new variable."""
        free, outer = self.free[child], self.free[at]
        if free is outer or not free:
            return child, plain, bound if free else ()
        stands = dict(zip(outer, bound, strict=True))
        if name >= 0:
            stands[name] = variable
        return child, plain, tuple([stands[each] for each in free])

    def translate(self, key: _Key, parts: list[int]) -> int:
        at, plain, bound = key
        make, formula = self.make, self.formula
        op, left, right = formula.ops[at], formula.left[at], formula.right[at]
        if op == _ATOM:
            return make.node(ATOM if plain else NEGATED, left)
        if op < _ATOM:
            return make.true if plain == (op == Op.TRUE) else make.false
        if op == _VARIABLE:
            return bound[0]
        if op >= _MU:
            variable = self.variables.pop(key)
            return make.fixpoint(variable, parts[0], least=plain == (op == _MU))
        if op >= _DIAMOND:
            return make.step(parts[0], right, some=plain == (op == _DIAMOND))
        if op in (_A, _E):
            return self.path(formula.ops[left], parts, plain, some=plain == (op == _E))
        if op == _NOT:
            return parts[0]
        if op in (_XOR, _IFF):
            f, g, not_f, not_g = parts if plain == (op == _XOR) else _crossed(parts)
            return make.either(make.both(f, not_g), make.both(not_f, g))
        return (make.both if plain == (op == _AND) else make.either)(*parts)

    def path(self, op: int, parts: list[int], plain: bool, *, some: bool) -> int:
        """A path operator under E (some) or A, or else its dual."""
        make = self.make
        if op == _X:
            return self.next(parts[0], some=some)
        if op in (_F, _G):
            nothing = make.true if plain == (op == _F) else make.false
            parts = [nothing, parts[0]]
        least = plain == (op in (_F, _U))
        either = plain == (op in (_F, _U, _W))
        return self.unfolded(*parts, least=least, either=either, some=some)

    def next(self, f: int, *, some: bool) -> int:
        """`EX f` or else `AX f`."""
        make = self.make
        step = make.step(f, some=some)
        if self.stops:
            return step
        if some:
            return make.either(step, make.both(make.step(make.false, some=False), f))
        return make.both(step, make.either(make.step(make.true, some=True), f))

    def unfolded(self, f: int, g: int, *, least: bool, either: bool, some: bool) -> int:
        """The fixpoint of `g | (f & step)` or else `g & (f | step)`. Least or else greatest."""
        make = self.make
        always, never = (make.true, make.false) if either else (make.false, make.true)
        if g in (f, always) or (g == never and either == least):
            return g
        if f == always and either != least:  # `true W g`, and its dual
            return f
        key = (least, either, some, f, g)
        known = self.paths.get(key)
        if known is not None:
            return known
        variable = make.variable()
        step = make.step(variable, some=some)
        if least and not some:
            step = make.both(step, make.step(make.true, some=True))
        if some and not least:
            step = make.either(step, make.step(make.false, some=False))
        inner, outer = (make.both, make.either) if either else (make.either, make.both)
        made = make.fixpoint(variable, outer(g, inner(f, step)), least=least)
        self.paths[key] = made
        return made

    def pruned(self, root: int) -> ModalForm:
        """What the root needs."""
        make, formula = self.make, self.formula
        ops, left, right = make.ops, make.left, make.right
        kept = _reachable(ops, left, right, root)
        here = self.here = {old: new for new, old in enumerate(kept)}
        atoms: dict[int, int] = {}
        actions: dict[int, int] = {}
        first: list[int] = []
        second: list[int] = []
        for old in kept:
            op, one, other = ops[old], left[old], right[old]
            if op in {ATOM, NEGATED}:
                first.append(atoms.setdefault(one, len(atoms)))
            else:
                first.append(here.get(one, -1))
            if op in {DIAMOND, BOX} and other >= 0:
                second.append(actions.setdefault(other, len(actions)))
            else:
                second.append(here.get(other, -1))
        kinds = [ops[old] for old in kept]
        return ModalForm(
            array("B", kinds),
            array("i", first),
            array("i", second),
            _priorities(kinds, first, second),
            tuple([formula.atoms[each] for each in atoms]),
            tuple([formula.actions[each] for each in actions]),
            here[root],
        )


def _crossed(parts: list[int]) -> tuple[int, int, int, int]:
    """For `f <-> g` instead of `f xor g`."""
    f, g, not_f, not_g = parts
    return f, not_g, not_f, g


def _free_names(formula: Formula) -> list[tuple[int, ...]]:
    """The variables that occur free in each node, ascending. Equal ones are the same tuple."""
    if not formula.variables:
        return [()] * len(formula)
    sets: list[frozenset[int]] = []
    tuples: dict[frozenset[int], tuple[int, ...]] = {_NONE: ()}
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        if op <= _ATOM:
            free = _NONE
        elif op == _VARIABLE:
            free = frozenset((left,))
        else:
            free = sets[left]
            if op >= _MU:
                free = free - {right} if right in free else free
            elif op < _DIAMOND and right >= 0:
                free = joined(free, sets[right])
        sets.append(free)
        if free not in tuples:
            tuples[free] = tuple(sorted(free))
    return [tuples[free] for free in sets]


def _reachable(
    ops: Sequence[int], left: Sequence[int], right: Sequence[int], root: int
) -> list[int]:
    """The nodes that the root needs, ascending."""
    seen = {root}
    pending = [root]
    while pending:
        at = pending.pop()
        if ops[at] < AND:
            continue
        below = (left[at], right[at]) if ops[at] in {AND, OR} else (left[at],)
        for each in below:
            if each not in seen:
                seen.add(each)
                pending.append(each)
    return sorted(seen)


def _dependencies(
    ops: Sequence[int], left: Sequence[int], right: Sequence[int]
) -> Iterator[tuple[int, frozenset[int]]]:
    """Each fixpoint, inner ones first, with the variables that occur free in it."""
    free: list[frozenset[int]] = []
    for node, op in enumerate(ops):
        if op < AND:
            here = _NONE
        elif op == VAR:
            here = frozenset((node,))
        elif op in {AND, OR}:
            here = joined(free[left[node]], free[right[node]])
        elif op in {DIAMOND, BOX}:
            here = free[left[node]]
        else:
            variable = left[node]
            here = free[left[variable]] - {variable}
            yield node, here
        free.append(here)


def _priorities(ops: Sequence[int], left: Sequence[int], right: Sequence[int]) -> array[int]:
    found = array("i", bytes(4 * len(ops)))
    for node, free in _dependencies(ops, left, right):
        variable = left[node]
        if found[variable] % 2 != (ops[node] == MU):
            found[variable] += 1
        for outer in free:
            found[outer] = max(found[outer], found[variable])
    return found
