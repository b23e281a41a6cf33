"""A normal form cut into levels, one for each temporal operator, and their three-valued values.

Between an operator and those in its arguments lie boolean operators only.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.normal import NormalForm
from pigro.logic.simplify import AND, ATOM, EG, EU, EX, NOT, TRUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Pair = tuple[int, int]
"""A three-valued set: where it is true, and where it is false; both are sets of nodes as ints."""


@dataclass(frozen=True, slots=True)
class FormulaLevel:
    """An operator with its arguments phi1 and phi2, or twice phi; the last level is the top."""

    form: NormalForm
    op: int
    """EX, EU or EG; TRUE for the top."""
    first: int
    second: int
    steps: tuple[int, ...]
    """The nodes of the normal form that the arguments are made of; ascending."""
    children: tuple[int, ...]
    """The levels that the arguments read, counted from 0; ascending."""

    def evaluate(
        self, whole: int, label: Callable[[str], int], children: Iterable[Pair]
    ) -> tuple[Pair, Pair]:
        """The arguments on the nodes `whole`, from the labels there and the children's values."""
        form, below = self.form, iter(children)
        last_use = {}
        for at in self.steps:
            last_use[form.left[at]] = last_use[form.right[at]] = at
        done: dict[int, Pair] = {}
        for at in self.steps:
            op, left, right = form.ops[at], form.left[at], form.right[at]
            if op >= EX:
                done[at] = next(below)
                continue
            if op == TRUE:
                done[at] = whole, 0
            elif op == ATOM:
                carrying = label(form.atoms[left])
                done[at] = carrying, whole ^ carrying
                continue
            elif op == NOT:
                yes, no = done[left]
                done[at] = no, yes
            else:
                (yes, no), (too, nor) = done[left], done[right]
                done[at] = (yes & too, no | nor) if op == AND else (yes | too, no & nor)
            for part in {left, right} - {self.first, self.second}:
                if last_use[part] == at:  # a set of all nodes is large
                    done.pop(part, None)
        return done[self.first], done[self.second]


def levels_of(form: NormalForm) -> list[FormulaLevel]:
    """The levels of a formula, children first; the last one is the top.

    >>> from pigro.logic import existential_normal_form, parse
    >>> [level.children for level in levels_of(existential_normal_form(parse("AG (p -> EF q)")))]
    [(), (0,), (1,)]
    """
    number: dict[int, int] = {}
    made = []
    for at, op in enumerate(form.ops):
        if op >= EX:
            left, right = form.left[at], form.right[at]
            made.append(_level(form, op, left, right if op == EU else left, number))
            number[at] = len(made) - 1
    root = len(form.ops) - 1
    made.append(_level(form, TRUE, root, root, number))
    return made


def levels_without_formula() -> list[FormulaLevel]:
    """E[true U false] and EG true, which the normal form would simplify."""
    form = NormalForm(array("B", [TRUE, NOT]), array("i", [-1, 0]), array("i", [-1, -1]), ())
    return [FormulaLevel(form, EU, 0, 1, (0, 1), ()), FormulaLevel(form, EG, 0, 0, (0,), ())]


def _level(
    form: NormalForm, op: int, first: int, second: int, number: dict[int, int]
) -> FormulaLevel:
    seen = {first, second}
    pending = [first, second]
    while pending:
        at = pending.pop()
        if ATOM < form.ops[at] < EX:
            new = {form.left[at], form.right[at]} - seen - {-1}
            seen |= new
            pending += new
    steps = tuple(sorted(seen))
    children = tuple([number[at] for at in steps if at in number])
    return FormulaLevel(form, op, first, second, steps, children)
