"""The automaton of a path formula, worked out anew from the formula (K0).

A *state* is a set of formulas that the rest of a run must satisfy: an int, bit i for member i. The
members are the state formulas in the path formula, the *leaves*, and then its other parts. To
*read* a node is to expand the state until only leaves, and formulas for the next node, are left.
Each way to do so is a *branch*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.normal import AND, OR
from pigro.logic.path_normal import PCALM, PR, PTHREAD, PTICK, PU, PWX, PX
from pigro.logic.simplify import ATOM, EX
from pigro.model.plain import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.logic.levels import FormulaLevel


class TableauBranch(NamedTuple):
    """One way to read a node."""

    tests: int
    """Leaves with quantifiers, all of which must be true."""
    next: int
    """The state before the next node is read. Empty: the run is accepted however it goes on."""
    marks: int
    """A bit for each U, which stands for itself in this step unless it is put off."""
    ends: bool
    """Whether the run may end here."""


class _Draft(NamedTuple):
    pending: int
    seen: int
    next: int
    tests: int
    ends: bool

    def with_(self, *parts: int) -> _Draft:
        new = sum(1 << part for part in parts if not self.seen >> part & 1)
        return self._replace(pending=self.pending | new, seen=self.seen | new)

    def later(self, part: int, *, ends: bool = False) -> _Draft:
        return self._replace(next=self.next | 1 << part, ends=self.ends and ends)


class Tableau:
    """The automaton of a level over a path formula."""

    def __init__(self, shape: FormulaLevel) -> None:
        form = shape.form
        self.leaves = len(shape.roots)
        number = {node: at for at, node in enumerate(shape.roots + shape.paths)}
        self.ops = [0] * self.leaves + [form.ops[node] for node in shape.paths]
        self.parts = [
            (number.get(form.left[node], -1), number.get(form.right[node], -1))
            for node in shape.roots + shape.paths
        ]
        self.size = len(self.ops)
        self.first = 1 << (self.size - 1)
        """The first state: the formula itself."""
        self.untils = [at for at, op in enumerate(self.ops) if op == PU]
        self._other = {
            op: [at for at, its in enumerate(self.ops) if its == other]
            for op, other in ((PTICK, PCALM), (PCALM, PTICK))
        }
        quantified = _with_quantifiers(shape)
        self.labelled = [root not in quantified for root in shape.roots]
        """Of each leaf: whether labels alone decide it."""
        self._rows: dict[tuple[int, int], list[TableauBranch]] = {}

    def row(self, state: int, letter: int) -> list[TableauBranch]:
        """The branches of a state, where `letter` has the leaves that are true by labels."""
        if (state, letter) not in self._rows:
            self._rows[state, letter] = self._work_out(state, letter)
        return self._rows[state, letter]

    def _work_out(self, state: int, letter: int) -> list[TableauBranch]:
        pending, done = [_Draft(state, state, 0, 0, ends=True)], []
        while pending:
            draft = pending.pop()
            if draft.pending:
                member = draft.pending.bit_length() - 1
                rest = draft._replace(pending=draft.pending ^ 1 << member)
                pending += self._expanded(rest, member, letter)
            else:
                done.append(draft)
        all_marks = (1 << len(self.untils)) - 1
        made = [(each, all_marks & ~self._put_off(each)) for each in done]
        kept: list[tuple[_Draft, int]] = []
        for at, (draft, marks) in enumerate(made):
            others = (*kept, *made[at + 1 :])
            if not any(
                _implies(one, m, draft, marks)
                and (i < len(kept) or not _implies(draft, marks, one, m))
                for i, (one, m) in enumerate(others)
            ):
                kept.append((draft, marks))
        return [TableauBranch(one.tests, self._normal(one.next), m, one.ends) for one, m in kept]

    def _expanded(  # noqa: C901, PLR0912 - a case for each operator
        self, draft: _Draft, member: int, letter: int
    ) -> Iterator[_Draft]:
        """What becomes of a draft when a formula is replaced by what it asks of this node."""
        op, (left, right) = self.ops[member], self.parts[member]
        if member < self.leaves:
            if not self.labelled[member]:
                yield draft._replace(tests=draft.tests | 1 << member)
            elif letter >> member & 1:
                yield draft
        elif op == AND:
            yield draft.with_(left, right)
        elif op == OR:
            only_right = self._is(left, letter, False) or self._is(right, letter, True)
            only_left = self._is(left, letter, True) or self._is(right, letter, False)
            if only_right or not only_left:
                yield draft.with_(right)
            if not only_right:
                yield draft.with_(left)
        elif op == PX:
            yield draft.later(left)
        elif op == PTHREAD:
            yield draft.with_(left)
        elif op == PWX:
            yield draft.later(left, ends=True)
        elif op in (PTICK, PCALM):
            if not any(draft.seen >> at & 1 for at in self._other[op]):
                yield draft
        elif op == PU:
            if not self._is(right, letter, False):
                yield draft.with_(right)
            if not self._is(right, letter, True):
                yield draft.with_(left).later(member)
        elif op == PR:
            if not self._is(left, letter, False):
                yield draft.with_(left, right)
            if not self._is(left, letter, True):
                yield draft.with_(right).later(member, ends=True)

    def _is(self, member: int, letter: int, value: bool) -> bool:
        """Whether labels say so of a formula."""
        return (
            member < self.leaves and self.labelled[member] and (letter >> member & 1 == 1) == value
        )

    def _put_off(self, draft: _Draft) -> int:
        """The marks that a draft does not have."""
        return sum(
            1 << mark
            for mark, until in enumerate(self.untils)
            if draft.next >> until & 1 and not draft.seen >> self.parts[until][1] & 1
        )

    def _normal(self, state: int) -> int:
        """A state without the formulas that others in it ask for anyway."""
        needless = 0
        for member in members(state):
            left, right = self.parts[member]
            while self.ops[member] == PTHREAD and not needless >> self.parts[member][1] & 1:
                member = self.parts[member][1]  # noqa: PLW2901 - the weaker ones
                needless |= 1 << member
            if self.ops[member] in {AND, PR}:
                needless |= 1 << right
            if self.ops[member] == AND:
                needless |= 1 << left
        return state & ~needless


def _implies(one: _Draft, marks: int, other: _Draft, other_marks: int) -> bool:
    """Whether every run that goes on along the other draft can go on along this one."""
    less = not (one.tests & ~other.tests or one.next & ~other.next or other_marks & ~marks)
    return less and one.ends >= other.ends


def _with_quantifiers(shape: FormulaLevel) -> set[int]:
    """The nodes of the leaves that have a quantifier."""
    form, found = shape.form, set[int]()
    for at in shape.steps:
        if form.ops[at] >= EX or (form.ops[at] > ATOM and found & {form.left[at], form.right[at]}):
            found.add(at)
    return found
