"""CTL formulas as nested tuples: ("EU", ("atom", "p"), ("not", ("atom", "q"))).

Operators: true, atom, not, and, or, implies, EX EF EG EU EW ER, AX AF AG AU AW AR.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

Formula = tuple[Any, ...]

TRUE: Formula = ("true",)
CONNECTIVES = {"and": "&", "or": "|", "implies": "->"}
UNARY_TEMPORAL = ("EX", "EF", "EG", "AX", "AF", "AG")
BINARY_TEMPORAL = ("EU", "EW", "ER", "AU", "AW", "AR")
TEMPORAL = UNARY_TEMPORAL + BINARY_TEMPORAL

_BARE = re.compile(r"[A-Za-z_]([A-Za-z0-9_.$@#]*[A-Za-z0-9_$@#])?")
_TEMPORAL_WORDS = ("A", "E", "X", "F", "G", "U", "W", "R", "V", *UNARY_TEMPORAL)
_WORDS = ("not", "and", "or", "xor", "true", "false", "TRUE", "FALSE", "tt", "ff", "mu", "nu")
_RESERVED = frozenset(_TEMPORAL_WORDS + _WORDS)


def operands(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside `formula`."""
    return () if formula[0] in ("true", "atom") else formula[1:]


def subformulas(formulas: Iterable[Formula]) -> list[Formula]:
    """All formulas in `formulas`, once each, operands before operators."""
    found: dict[Formula, None] = {}

    def visit(formula: Formula) -> None:
        if formula not in found:
            for operand in operands(formula):
                visit(operand)
            found[formula] = None

    for formula in formulas:
        visit(formula)
    return list(found)


def to_text(formula: Formula) -> str:
    """The formula in NuSMV style, fully parenthesised."""
    kind = formula[0]
    if kind == "true":
        return "true"
    if kind == "atom":
        return _atom_text(formula[1])
    inside = [to_text(operand) for operand in formula[1:]]
    if kind == "not":
        return f"(!{inside[0]})"
    if kind in CONNECTIVES:
        return f"({inside[0]} {CONNECTIVES[kind]} {inside[1]})"
    if kind in UNARY_TEMPORAL:
        return f"({kind} {inside[0]})"
    if kind in BINARY_TEMPORAL:
        return f"({kind[0]} [{inside[0]} {kind[1]} {inside[1]}])"
    raise ValueError(kind)


def _atom_text(name: str) -> str:
    if _BARE.fullmatch(name) and name not in _RESERVED:
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
