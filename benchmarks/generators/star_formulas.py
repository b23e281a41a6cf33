"""Formulas of CTL and LTL that grow, and questions about a system of 10^9 states."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Pattern(NamedTuple):
    """Formulas by size. All of them hold."""

    name: str
    make: Callable[[int], str]
    sizes: tuple[int, ...]


def _invariants(size: int) -> str:
    times = size // 3
    return "AG !(p & EG (p & !q & EX " * times + "p" + "))" * times


CTL = (
    Pattern("AG EF AG EF ... p", lambda n: "AG EF " * (n // 2) + "p", (4, 16, 64, 256)),
    Pattern("AG EX AG EX ... true", lambda n: "AG EX " * (n // 2) + "true", (4, 16, 64, 256)),
    Pattern("AG !(p & EG (p & !q & EX AG ... p))", _invariants, (3, 15, 63, 255)),
)
"""By the number of temporal operators. About structures of the kind `tangle`."""


def _each(sign: str, count: int, shape: str) -> str:
    """A shape for each number from 1 on, where `#` stands for the number."""
    return f" {sign} ".join(shape.replace("#", str(each)) for each in range(1, count + 1))


def _sequence(size: int) -> str:
    return "F (" + " & X F (".join(f"p{each + 1}" for each in range(size)) + ")" * size


_SIZES = (1, 2, 4, 8, 12)
LTL = (
    Pattern(
        "G F p1 & ... & G F pn -> G F p1", lambda n: f"{_each('&', n, 'G F p#')} -> G F p1", _SIZES
    ),
    Pattern(
        "(G F p1 -> G F r1) & ... & (G F pn -> G F rn) -> F last",
        lambda n: f"{_each('&', n, '(G F p# -> G F r#)')} -> F last",
        (1, 2, 4, 6),
    ),
    Pattern(
        "G (p1 -> F last) & ... & G (pn -> F last)",
        lambda n: _each("&", n, "G (p# -> F last)"),
        _SIZES,
    ),
    Pattern("F p1 & ... & F pn | F last", lambda n: f"{_each('&', n, 'F p#')} | F last", _SIZES),
    Pattern(
        "F G p1 | ... | F G pn | F last", lambda n: f"{_each('|', n, 'F G p#')} | F last", _SIZES
    ),
    Pattern("G !r1 | ... | G !rn | F last", lambda n: f"{_each('|', n, 'G !r#')} | F last", _SIZES),
    Pattern(
        "F (p1 & X F (p2 & ... X F pn)) | F last", lambda n: f"{_sequence(n)} | F last", _SIZES
    ),
    Pattern("F (p1 & X X ... X p2) | F last", lambda n: f"F (p1 & {'X ' * n}p2) | F last", _SIZES),
)
"""By the number of operands, or of X. About structures of the kind `colourful`."""

LOCAL = {
    "EF found": True,
    "AG !found": False,
    "E [!last U (found & X odd)]": True,
    "A [X (odd | X odd)]": False,
    "E [F (found & X E [X X !odd])]": True,
}
"""About `Billion`: formulas that need few states, and whether they hold."""
