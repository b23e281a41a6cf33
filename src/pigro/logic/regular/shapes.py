"""Automata that are given state by state: their shapes, and the row of their letters in a formula.

A shape has everything but the letters, which are state formulas and so are nodes of the formula.
The node AUTOMATON stands over the row of letters, one for each edge, in order: SEQ of SEQ of ....

A path is accepted if some way through the automaton reads it and comes to accepting states again
and again. If the path ends, the state after its last letter must be accepting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from pigro.logic.operators import Op
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.logic.arena import Arena
    from pigro.logic.syntax import Formula

_SEQ, _AUTOMATON = int(Op.SEQ), int(Op.AUTOMATON)


class AutomatonShape(Record, frozen=True):
    """An automaton without its letters. States are numbered in the order of its text."""

    name: str
    """Empty if it has none."""
    states: tuple[str, ...]
    starts: tuple[int, ...]
    accepting: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    """From which state to which, at least one."""


def letter_row(arena: Arena, letters: Sequence[int]) -> int:
    """The node of a row of letters."""
    row = letters[0]
    for each in letters[1:]:
        row = arena.node(_SEQ, row, each)
    return row


def shape_of(formula: Formula, node: int) -> tuple[AutomatonShape, list[int]]:
    """The shape of an automaton in a formula, and the letters of its edges."""
    shape = formula.automata[-2 - formula.right[node]]
    letters, at = [], formula.left[node]
    for _ in shape.edges[1:]:
        letters.append(formula.right[at])
        at = formula.left[at]
    letters.append(at)
    return shape, letters[::-1]


def renamed(arena: Arena, shape: AutomatonShape, letters: int) -> AutomatonShape:
    """The shape, with another name if an automaton of the arena that differs has its name."""
    known = list(arena.automata)
    taken = {
        known[-2 - right].name: (known[-2 - right], left)
        for op, left, right in arena.index
        if op == _AUTOMATON
    }
    name, number = shape.name, 1
    while taken.get(shape.name, (shape, letters)) != (shape, letters):
        number += 1
        shape = replace(shape, name=f"{name}_{number}")
    return shape


def written(formula: Formula, node: int, *, named: bool) -> list[str | tuple[int, int]]:
    """The text of an automaton: pieces, and letters as (node, level 0). If `named`, its name."""
    shape, letters = shape_of(formula, node)
    head = f"automaton {shape.name}".rstrip()
    if named and shape.name:
        return [head]
    text: list[str | tuple[int, int]] = [f"{head} {{ start {_listed(shape, shape.starts)}"]
    for (source, to), letter in zip(shape.edges, letters, strict=True):
        text.append(f"; {shape.states[source]} -> {shape.states[to]}")
        if formula.ops[letter] != Op.TRUE:
            text += [" : ", (letter, 0)]
    return [*text, f"; accept {_listed(shape, shape.accepting)} }}"]


def _listed(shape: AutomatonShape, states: Sequence[int]) -> str:
    return ", ".join([shape.states[each] for each in states])
