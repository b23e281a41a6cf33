"""A normal form cut into levels, one for each temporal operator, and their three-valued values.

Between an operator and those in its arguments lie boolean operators only.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.normal import NormalForm
from pigro.logic.path_normal import EXISTS
from pigro.logic.simplify import AND, ATOM, EG, EU, EX, NOT, TRUE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Pair = tuple[int, int]
"""A three-valued set: where it is true, and where it is false. Both are sets of nodes as ints."""


@dataclass(frozen=True, slots=True)
class FormulaLevel:
    """An operator with its arguments. The last level is the top.

    Arguments are phi1 and phi2 of EU, twice phi of the others, and of EXISTS the state formulas in
    its path formula.
    """

    form: NormalForm
    op: int
    """EX, EU, EG or EXISTS. TRUE for the top."""
    roots: tuple[int, ...]
    """The nodes of the arguments."""
    steps: tuple[int, ...]
    """The nodes of the normal form that the arguments are made of. Ascending."""
    children: tuple[int, ...]
    """The levels that the arguments read, counted from 0. Ascending."""
    paths: tuple[int, ...] = ()
    """Of EXISTS: the nodes of the path formula that are no state formulas. Ascending."""

    def evaluate(
        self, whole: int, label: Callable[[str], int], children: Iterable[Pair]
    ) -> tuple[Pair, ...]:
        """The arguments on the nodes `whole`, from the labels there and the children's values."""
        form, below = self.form, iter(children)
        last_use = {}
        for at in self.steps:
            last_use[form.left[at]] = last_use[form.right[at]] = at
        done: dict[int, Pair] = {}
        for at in self.steps:
            op, left, right = form.ops[at], form.left[at], form.right[at]
            if op >= EX:  # steps have no path formulas
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
            for part in {left, right}.difference(self.roots):
                if last_use[part] == at:  # a set of all nodes is large
                    done.pop(part, None)
        return tuple([done[root] for root in self.roots])


def levels_of(form: NormalForm) -> list[FormulaLevel]:
    """The levels of a formula, children first. The last one is the top.

    >>> from pigro.logic import existential_normal_form, parse
    >>> [level.children for level in levels_of(existential_normal_form(parse("AG (p -> EF q)")))]
    [(), (0,), (1,)]
    """
    number: dict[int, int] = {}
    made = []
    for at, op in enumerate(form.ops):
        if EX <= op <= EXISTS:
            left, right = form.left[at], form.right[at]
            if op == EXISTS:
                paths, leaves = _path_part(form, left)
                made.append(_level(form, op, leaves, number, paths))
            else:
                made.append(_level(form, op, (left, right if op == EU else left), number))
            number[at] = len(made) - 1
    root = len(form.ops) - 1
    made.append(_level(form, TRUE, (root, root), number))
    return made


def levels_without_formula() -> list[FormulaLevel]:
    """E[true U false] and EG true, which the normal form would simplify."""
    form = NormalForm(array("B", [TRUE, NOT]), array("i", [-1, 0]), array("i", [-1, -1]), ())
    return [FormulaLevel(form, EU, (0, 1), (0, 1), ()), FormulaLevel(form, EG, (0, 0), (0,), ())]


def _level(
    form: NormalForm,
    op: int,
    roots: tuple[int, ...],
    number: dict[int, int],
    paths: tuple[int, ...] = (),
) -> FormulaLevel:
    steps = tuple(sorted(_below(form, roots, lambda at: ATOM < form.ops[at] < EX)))
    children = tuple([number[at] for at in steps if at in number])
    return FormulaLevel(form, op, roots, steps, children, paths)


def _path_part(form: NormalForm, body: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The path formulas from `body` down, and the state formulas right below them."""
    is_path: list[bool] = []
    for at, op in enumerate(form.ops):
        parts = [part for part in (form.left[at], form.right[at]) if part >= 0 and op > ATOM]
        is_path.append(op > EXISTS or (op < EX and any(is_path[part] for part in parts)))
    found = sorted(_below(form, (body,), is_path.__getitem__))
    return tuple(at for at in found if is_path[at]), tuple(at for at in found if not is_path[at])


def _below(form: NormalForm, roots: tuple[int, ...], opens: Callable[[int], bool]) -> set[int]:
    """The nodes from the roots down, and below those that open only."""
    seen = set(roots)
    pending = list(seen)
    while pending:
        at = pending.pop()
        if opens(at):
            new = {form.left[at], form.right[at]} - seen - {-1}
            seen |= new
            pending += new
    return seen
