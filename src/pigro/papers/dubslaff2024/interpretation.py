"""Three-valued interpretations: the known values of a formula at the nodes of an instance.

An instance is a component under a context ([Dubslaff2024], section 4.1). For each subformula it has
two sets of nodes, `sure` (it holds there) and `may` (it is not known to fail there):

    tt: in both        ff: in neither        ??: in `may` only

The context is the same pair for the exits: `given_sure`, `given_may`. Where it is unknown, an
exit's value can still be known from its labels. Invariants:

 IP1  `sure` is a subset of `may`, but for instances none of whose callers a run comes to. What all
      callers say there is both values (joint.py), and `sure` counts.
 IP2  values only ever get more definite.
 IP3  a call node has the value of the called entry: the two are one moment (docs/semantics.md, T1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.logic.normal import EX, NOT, TRUE, NormalForm, existential_normal_form
from pigro.logic.simplify import AND, ATOM, EU, OR
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.logic import Formula
    from pigro.papers.dubslaff2024.shape import ComponentBody, ComponentGraphs, LocalBox

Key = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A component and a context. Two instances with one key are equivalent (Alg. 2, line 3)."""


class ContextInstance:
    """A component under a context."""

    __slots__ = (
        "body",
        "callee",
        "callers",
        "given_may",
        "given_sure",
        "may",
        "number",
        "sure",
    )

    def __init__(self, body: ComponentBody, number: int, formulas: int) -> None:
        self.body = body
        self.number = number
        """In the order of creation."""
        self.sure = [0] * formulas
        self.may = [body.every] * formulas
        self.given_sure = [0] * formulas
        self.given_may = [body.exits] * formulas
        self.callee: list[ContextInstance] = []
        """By site."""
        self.callers: dict[tuple[ContextInstance, LocalBox], None] = {}
        """Back-pointers: who calls this instance, in the order in which they came."""

    def unknown(self, formula: int) -> int:
        """The nodes where the formula is ??."""
        return self.may[formula] & ~self.sure[formula]

    def unknown_exits(self, formula: int) -> int:
        """The exits where the formula is ??."""
        return self.may[formula] & ~self.sure[formula] & self.body.exits

    def truth(self, formula: int, node: int) -> bool | None:
        """At one node. None is ??."""
        if self.sure[formula] >> node & 1:
            return True
        return None if self.may[formula] >> node & 1 else False

    def key(self) -> Key:
        """What makes it equivalent to others."""
        return self.body.component, tuple(self.given_sure), tuple(self.given_may)


@dataclass(slots=True, eq=False)
class CheckRequest:
    """A formula in existential normal form on a model, with facts known beforehand."""

    shape: ComponentGraphs
    form: NormalForm
    existential: list[int]
    """EX, EU and EG, bottom-up: Subf_E of the paper."""
    parents: list[list[int]]
    atoms: dict[int, dict[int, int]]
    """For each atom, by component: the nodes that carry it."""
    stop: bool
    """Dead ends end the run. Otherwise they stutter."""

    @classmethod
    def of(cls, shape: ComponentGraphs, formula: Formula) -> CheckRequest:
        """The question whether the formula holds."""
        form = existential_normal_form(formula)
        parents: list[list[int]] = [[] for _ in form.ops]
        atoms = {}
        labels = shape.model.label_ids
        for number, (op, left, right) in enumerate(
            zip(form.ops, form.left, form.right, strict=True)
        ):
            if op == ATOM:
                label = labels.get(form.atoms[left])
                atoms[number] = {} if label is None else shape.labelled(label)
            elif op != TRUE:
                parents[left].append(number)
                if right >= 0 and right != left:
                    parents[right].append(number)
        existential = [number for number, op in enumerate(form.ops) if op >= EX]
        stop = shape.model.dead_ends is DeadEnds.STOP
        return cls(shape, form, existential, parents, atoms, stop)

    def connective(self, instance: ContextInstance, number: int) -> tuple[int, int]:
        """Sure and may of an atom, a constant, !, & or | (Alg. 1, lines 4 to 10)."""
        op, left, right = self.form.ops[number], self.form.left[number], self.form.right[number]
        sure, may, every = instance.sure, instance.may, instance.body.every
        if op == NOT:
            return every & ~may[left], every & ~sure[left]
        if op == AND:
            return sure[left] & sure[right], may[left] & may[right]
        if op == OR:
            return sure[left] | sure[right], may[left] | may[right]
        if op == TRUE:
            return every, every
        carried = self.atoms[number].get(instance.body.component, 0)
        return carried, carried

    def alone(self, body: ComponentBody, *, loops: bool) -> list[int]:
        """For each subformula the exits where it holds if the run can't leave them.

        Alg. 3, lines 5 to 17. `loops`: at the root an exit loops. Else it is one that a box lists
        no return node for: a dead end, where EX fails if dead ends stop.
        """
        form, exits = self.form, body.exits
        found: list[int] = []
        for number, (op, left, right) in enumerate(
            zip(form.ops, form.left, form.right, strict=True)
        ):
            if op == TRUE:
                value = exits
            elif op == ATOM:
                value = self.atoms[number].get(body.component, 0) & exits
            elif op == NOT:
                value = exits & ~found[left]
            elif op == AND:
                value = found[left] & found[right]
            elif op == OR:
                value = found[left] | found[right]
            elif op == EU:
                value = found[right]
            else:
                value = 0 if op == EX and self.stop and not loops else found[left]
            found.append(value)
        return found
