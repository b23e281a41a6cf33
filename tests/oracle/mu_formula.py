"""The modal mu-calculus as nested tuples: ("nu", "Z", ("and", ("atom", "p"), ("box", None, ("var", "Z")))).

Operators: true, false, atom, not, and, or, implies, var, `dia` and `box`, over any action (None)
or over one of a tuple of actions, and `mu` and `nu`, with the name of their variable. Operators of
CTL, as in `oracle.formula`, may stand among them.

Formulas are closed and well-named: no variable is bound twice. A variable stands under an even
number of negations, counting the left side of an implication.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from oracle.formula import BINARY_TEMPORAL, CONNECTIVES, TEMPORAL, UNARY_TEMPORAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

Formula = tuple[Any, ...]
Actions = tuple[str, ...] | None

TRUE: Formula = ("true",)
FALSE: Formula = ("false",)
TAU = "tau"


def atom(name: str) -> Formula:
    return ("atom", name)


def var(name: str) -> Formula:
    return ("var", name)


def no(f: Formula) -> Formula:
    return ("not", f)


def both(f: Formula, g: Formula) -> Formula:
    return ("and", f, g)


def either(f: Formula, g: Formula) -> Formula:
    return ("or", f, g)


def dia(f: Formula, actions: Actions = None) -> Formula:
    return ("dia", actions, f)


def box(f: Formula, actions: Actions = None) -> Formula:
    return ("box", actions, f)


def mu(name: str, f: Formula) -> Formula:
    return ("mu", name, f)


def nu(name: str, f: Formula) -> Formula:
    return ("nu", name, f)


def operands(f: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside `f`."""
    if f[0] in ("true", "false", "atom", "var"):
        return ()
    return f[2:] if f[0] in ("dia", "box", "mu", "nu") else f[1:]


def with_operands(f: Formula, inside: Sequence[Formula]) -> Formula:
    """`f` with other formulas directly inside."""
    return (*f[: len(f) - len(operands(f))], *inside)


def everything_in(f: Formula) -> Iterator[Formula]:
    """`f` and all formulas inside it, as often as they occur."""
    yield f
    for operand in operands(f):
        yield from everything_in(operand)


def free(f: Formula) -> frozenset[str]:
    """The variables that `f` doesn't bind."""
    if f[0] == "var":
        return frozenset((f[1],))
    inside = frozenset[str]().union(*map(free, operands(f)))
    return inside - {f[1]} if f[0] in ("mu", "nu") else inside


def is_well_formed(f: Formula) -> bool:
    """Is `f` closed and well-named, and is every variable negated an even number of times?"""
    binders = [g[1] for g in everything_in(f) if g[0] in ("mu", "nu")]
    return len(binders) == len(set(binders)) and _evenly_negated(f, {}, even=True)


def _evenly_negated(f: Formula, bound: Mapping[str, bool], *, even: bool) -> bool:
    if f[0] == "var":
        return bound.get(f[1]) is even
    inner = {**bound, f[1]: even} if f[0] in ("mu", "nu") else bound
    first, *rest = operands(f) or (TRUE,)
    if f == TRUE:
        return True
    flips = f[0] in ("not", "implies")
    return _evenly_negated(first, inner, even=even is not flips) and all(
        _evenly_negated(g, inner, even=even) for g in rest
    )


def is_ctl_free(f: Formula) -> bool:
    """Is `f` in the mu-calculus proper?"""
    return not any(g[0] in TEMPORAL for g in everything_in(f))


def is_alternation_free(f: Formula) -> bool:
    """Has no fixpoint another's variable free in its body?"""
    return not any(free(g) for g in everything_in(f) if g[0] in ("mu", "nu"))


def text(f: Formula) -> str:
    """The formula in Pigro's syntax, fully bracketed."""
    kind = f[0]
    inside = [text(operand) for operand in operands(f)]
    if kind in ("true", "false"):
        return kind
    if kind in ("atom", "var"):
        return f[1]
    if kind == "not":
        return f"(!{inside[0]})"
    if kind in CONNECTIVES:
        return f"({inside[0]} {CONNECTIVES[kind]} {inside[1]})"
    if kind in ("mu", "nu"):
        return f"({kind} {f[1]}. {inside[0]})"
    if kind in UNARY_TEMPORAL:
        return f"({kind} {inside[0]})"
    if kind in BINARY_TEMPORAL:
        return f"({kind[0]} [{inside[0]} {kind[1]} {inside[1]}])"
    opening, closing = "<>" if kind == "dia" else "[]"
    return f"({opening}{', '.join(f[1] or ())}{closing} {inside[0]})"


DUAL = {"true": "false", "false": "true", "and": "or", "or": "and"}
DUAL |= {"dia": "box", "box": "dia", "mu": "nu", "nu": "mu"}


def pnf(f: Formula, wanted: bool = True) -> Formula:  # noqa: FBT002
    """`f`, or its negation when not `wanted`, with `not` left only before atoms."""
    kind = f[0]
    if kind == "not":
        return pnf(f[1], not wanted)
    if kind == "implies":
        return pnf(either(no(f[1]), f[2]), wanted)
    if kind == "atom":
        return f if wanted else no(f)
    if kind == "var":  # its binder has been negated as often, but for an even number
        return f
    inside = [pnf(operand, wanted) for operand in operands(f)]
    return with_operands(f if wanted else (DUAL[kind], *f[1:]), inside)


@dataclass(frozen=True)
class Shape:
    """What random formulas look like: chances of an operator to be of this kind."""

    fixpoint: float = 0.3
    modality: float = 0.3
    negation: float = 0.08
    ctl: float = 0.0
    alternation: bool = True  # may the variable of an outer fixpoint stand inside an inner one?
    variable: float = 0.6  # of a leaf, where there are variables
    constant: float = 0.06  # of another leaf
    any_action: float = 0.4  # of a modality where there are actions


ORDINARY = Shape()


def random_mu(
    rng: Random,
    atoms: Sequence[str],
    size: int,
    *,
    actions: Sequence[str] = (),
    shape: Shape = ORDINARY,
) -> Formula:
    """A random closed formula of about `size` operators. The actions may include `TAU`."""
    return _Random(rng, atoms, actions, shape).formula(size, {})


@dataclass
class _Random:
    rng: Random
    atoms: Sequence[str]
    actions: Sequence[str]
    shape: Shape
    bound: int = 0

    def formula(self, size: int, variables: Mapping[str, bool]) -> Formula:
        """`variables` says which may be used: those that are negated evenly (True)."""
        if size <= 0:
            return self.leaf(variables)
        shape, rng = self.shape, self.rng
        roll = rng.random()
        for chance, make in (
            (shape.fixpoint, self.fixpoint),
            (shape.modality, self.modality),
            (shape.negation, self.negation),
            (shape.ctl, self.temporal),
        ):
            if roll < chance:
                return make(size, variables)
            roll -= chance
        left, right = self.halves(size)
        kind = rng.choice(("and", "and", "or", "or", "or" if rng.random() < 0.7 else "implies"))
        first = _flipped(variables) if kind == "implies" else variables
        return (kind, self.formula(left, first), self.formula(right, variables))

    def halves(self, size: int) -> tuple[int, int]:
        left = self.rng.randrange(size)
        return left, size - 1 - left

    def leaf(self, variables: Mapping[str, bool]) -> Formula:
        rng, shape = self.rng, self.shape
        usable = [name for name, even in variables.items() if even]
        if usable and rng.random() < shape.variable:
            return var(rng.choice(usable))
        if not self.atoms or rng.random() < shape.constant:
            return rng.choice((TRUE, FALSE))
        found = atom(rng.choice(self.atoms))
        return no(found) if rng.random() < 0.3 else found

    def fixpoint(self, size: int, variables: Mapping[str, bool]) -> Formula:
        name = f"Z{self.bound}"
        self.bound += 1
        kept = dict(variables) if self.shape.alternation else {}
        kept[name] = True
        return (self.rng.choice(("mu", "nu")), name, self.formula(size - 1, kept))

    def modality(self, size: int, variables: Mapping[str, bool]) -> Formula:
        rng = self.rng
        chosen: Actions = None
        if self.actions and rng.random() >= self.shape.any_action:
            chosen = tuple(sorted(rng.sample(self.actions, rng.randint(1, len(self.actions)))))
        return (rng.choice(("dia", "box")), chosen, self.formula(size - 1, variables))

    def negation(self, size: int, variables: Mapping[str, bool]) -> Formula:
        return no(self.formula(size - 1, _flipped(variables)))

    def temporal(self, size: int, variables: Mapping[str, bool]) -> Formula:
        kind = self.rng.choice(TEMPORAL)
        if kind in UNARY_TEMPORAL:
            return (kind, self.formula(size - 1, variables))
        left, right = self.halves(size)
        return (kind, self.formula(left, variables), self.formula(right, variables))


def _flipped(variables: Mapping[str, bool]) -> dict[str, bool]:
    return {name: not even for name, even in variables.items()}


def random_ctl(rng: Random, atoms: Sequence[str], size: int) -> Formula:
    """A random formula of CTL of about `size` operators."""
    return random_mu(rng, atoms, size, shape=Shape(fixpoint=0.0, modality=0.0, ctl=0.6))
