"""CTL* as nested tuples: ("E", ("G", ("F", ("atom", "p")))).

Operators: true, false, atom, not, and, or, xor, implies, iff; A, E; X, F, G, U, W, R.

A *state formula* is made of constants, atoms and formulas A f and E f, by connectives. All others
are *path formulas*. A path formula that stands alone means A of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from oracle.formula import _atom_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

Formula = tuple[Any, ...]

TRUE: Formula = ("true",)
FALSE: Formula = ("false",)
SIGNS = {"and": "&", "or": "|", "xor": "xor", "implies": "->", "iff": "<->"}
UNARY_PATH = ("X", "F", "G")
BINARY_PATH = ("U", "W", "R")
PATH = UNARY_PATH + BINARY_PATH
LEAVES = ("atom", "A", "E")  # what is true or false in a state, seen from a path formula


def atom(name: str) -> Formula:
    return ("atom", name)


def no(f: Formula) -> Formula:
    return ("not", f)


def both(f: Formula, g: Formula) -> Formula:
    return ("and", f, g)


def either(f: Formula, g: Formula) -> Formula:
    return ("or", f, g)


def A(f: Formula) -> Formula:
    return ("A", f)


def E(f: Formula) -> Formula:
    return ("E", f)


def X(f: Formula) -> Formula:
    return ("X", f)


def F(f: Formula) -> Formula:
    return ("F", f)


def G(f: Formula) -> Formula:
    return ("G", f)


def U(f: Formula, g: Formula) -> Formula:
    return ("U", f, g)


def W(f: Formula, g: Formula) -> Formula:
    return ("W", f, g)


def R(f: Formula, g: Formula) -> Formula:
    return ("R", f, g)


def operands(f: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside `f`."""
    return () if f[0] == "atom" else f[1:]


def everything_in(f: Formula) -> Iterator[Formula]:
    """`f` and all formulas inside it, as often as they occur."""
    yield f
    for operand in operands(f):
        yield from everything_in(operand)


def is_state_formula(f: Formula) -> bool:
    """May `f` stand where a state is looked at, and not a path?"""
    return f[0] in LEAVES or (f[0] not in PATH and all(map(is_state_formula, operands(f))))


def closed(f: Formula) -> Formula:
    """The state formula that `f` means when it stands alone."""
    return f if is_state_formula(f) else A(f)


def from_ctl(f: Formula) -> Formula:
    """A formula of `oracle.formula`, where ("EU", f, g) is one operator."""
    inside = [from_ctl(operand) for operand in operands(f)]
    if f[0] == "atom":
        return f
    if len(f[0]) == 2 and f[0] != "or":
        return (f[0][0], (f[0][1], *inside))
    return (f[0], *inside)


def to_text(f: Formula) -> str:
    """The formula in NuSMV style, fully parenthesised."""
    kind = f[0]
    inside = [to_text(operand) for operand in operands(f)]
    if kind == "atom":
        return _atom_text(f[1])
    if kind in ("true", "false"):
        return kind
    if kind == "not":
        return f"(!{inside[0]})"
    if kind in "AE":
        return f"({kind} [{inside[0]}])"
    if kind in UNARY_PATH:
        return f"({kind} {inside[0]})"
    return f"({inside[0]} {SIGNS.get(kind, kind)} {inside[1]})"


def pnf(f: Formula, wanted: bool = True) -> Formula:  # noqa: FBT002, PLR0911
    """The path formula `f`, or its negation when not `wanted`, by and, or, X, U, R and leaves.

    `not` is left only over leaves. The operands of A and E stay as they are.
    """
    match f:
        case ("true" | "false",):
            return TRUE if (f == TRUE) is wanted else FALSE
        case ("atom" | "A" | "E", _):
            return f if wanted else no(f)
        case ("not", g):
            return pnf(g, not wanted)
        case ("and" | "or" as kind, g, h):
            return (
                kind if wanted else {"and": "or", "or": "and"}[kind],
                pnf(g, wanted),
                pnf(h, wanted),
            )
        case ("implies", g, h):
            return pnf(either(no(g), h), wanted)
        case ("xor", g, h):
            return pnf(either(both(g, no(h)), both(no(g), h)), wanted)
        case ("iff", g, h):
            return pnf(either(both(g, h), both(no(g), no(h))), wanted)
        case ("X", g):
            return X(pnf(g, wanted))
        case ("F", g):
            return pnf(U(TRUE, g), wanted)
        case ("G", g):
            return pnf(R(FALSE, g), wanted)
        case ("W", g, h):
            return pnf(R(h, either(g, h)), wanted)
        case ("U" | "R" as kind, g, h):
            return (kind if wanted else {"U": "R", "R": "U"}[kind], pnf(g, wanted), pnf(h, wanted))
    raise ValueError(f)


def random_star(rng: Random, atoms: Sequence[str], size: int) -> Formula:
    """A random formula of about `size` operators: a path formula, mostly under a quantifier.

    One in four has no quantifier inside (LTL), the others mix quantifiers and path operators.
    """
    inner = 0.0 if rng.random() < 0.25 else rng.choice((0.1, 0.25, 0.4))
    f = _random_path(rng, atoms, size, inner)
    roll = rng.random()
    if roll < 0.4:
        return E(f)
    if roll < 0.75:
        return A(f)
    return f


def _random_path(rng: Random, atoms: Sequence[str], size: int, quantifiers: float) -> Formula:
    """A path formula of about `size` operators. `quantifiers` is the chance of one to be A or E."""
    if size <= 0:
        return (rng.choice(("true", "false")),) if rng.random() < 0.03 else atom(rng.choice(atoms))

    def inside(left: int) -> Formula:
        return _random_path(rng, atoms, left, quantifiers)

    if rng.random() < quantifiers:
        return (rng.choice("AE"), inside(size - 1))
    roll = rng.random()
    if roll < 0.1:
        return no(inside(size - 1))
    if roll < 0.5:
        return (rng.choice(UNARY_PATH), inside(size - 1))
    left = rng.randrange(size)
    kind = rng.choice(BINARY_PATH)
    if roll >= 0.75:
        kind = rng.choice(("and", "and", "or", "or", "implies", "xor", "iff"))
    return (kind, inside(left), inside(size - 1 - left))
