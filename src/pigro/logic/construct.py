"""Formulas from Python: `AG(atom("p").implies(EF(atom("q"))))`.

The functions bear the names of the logic, hence the capitals.
"""
# ruff: noqa: N802 - A, EX, AU ... are what these operators are called

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.arena import Arena
from pigro.logic.operators import Op
from pigro.logic.syntax import Formula, join

if TYPE_CHECKING:
    from collections.abc import Iterable


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
    """All of them, `f & g & ...`, in time linear in their sizes; true if there are none.

    >>> conjunction(atom(name) for name in "pqr")
    Formula("p & q & r")
    """
    return _chain(Op.AND, formulas, true())


def disjunction(formulas: Iterable[Formula]) -> Formula:
    """One of them, `f | g | ...`, in time linear in their sizes; false if there are none."""
    return _chain(Op.OR, formulas, false())


def _chain(op: Op, formulas: Iterable[Formula], nothing: Formula) -> Formula:
    arena = Arena()
    roots: list[int] = []
    for formula in formulas:
        root = arena.add(formula)
        roots = [arena.node(int(op), roots[0], root)] if roots else [root]
    return Formula.from_arena(arena) if roots else nothing


def A(f: Formula) -> Formula:
    """On all paths; for CTL* and LTL, such as `A(G(F(p)))`."""
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
