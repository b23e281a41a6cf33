"""Call contexts ([Finis2012], section 3.3.1) as numbers, and the contexts in which a run is over.

A call context theta annotates the subformulas of a formula with their truth after the return. Only
the temporal ones are annotated (section 5.4 says why labels need not be: here the exit's labels are
the callee's own, and EX carries an assumption about itself), so theta is a number with one bit for
each temporal subformula. The context of a subformula, theta_psi, is `theta & reach[psi]`, and
contexts never hold m: values not known yet are asked for before a context is made.

    thesis              here
    theta_phi           an int: the bits of `reach[phi]`
    <eta> tau           `bit[phi]` is eta, `reach[phi] & ~bit[phi]` is tau
    icc, ica            ending(..., loops=True)

Deviation: with the empty stack, thesis models go to a trap state without labels (equation 2.8). In
Pigro an exit loops (docs/semantics.md, T1), and so `icc` differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE
from pigro.model import DeadEnds
from pigro.papers.finis2012.local import T, ended
from pigro.papers.finis2012.structure import NONE

if TYPE_CHECKING:
    from pigro.logic.normal import NormalForm
    from pigro.model import RSM
    from pigro.papers.finis2012.structure import Structure


class RmvRequest:
    """A formula in normal form, asked of a model."""

    def __init__(self, model: RSM, normal: NormalForm) -> None:
        self.normal = normal
        self.stops = model.dead_ends is DeadEnds.STOP
        ids = [model.label_ids.get(atom, NONE) for atom in normal.atoms]
        self.bearers = [frozenset(model.core.labelled(i) if i != NONE else ()) for i in ids]
        """For each atom, the nodes of the model that carry it."""
        self.bit: list[int] = []
        """For each subformula, its own bit. 0 if it is not temporal."""
        self.reach: list[int] = []
        """The bits of a subformula and of all below it."""
        self.temporal: list[int] = []
        """The temporal subformulas, by bit."""
        for at, op in enumerate(normal.ops):
            below = 0
            if op > ATOM:
                right = normal.right[at]
                below = self.reach[normal.left[at]] | (self.reach[right] if right >= 0 else 0)
            own = 0
            if op >= EX:
                own = 1 << len(self.temporal)
                self.temporal.append(at)
            self.bit.append(own)
            self.reach.append(below | own)

    @property
    def root(self) -> int:
        """The formula itself."""
        return len(self.normal.ops) - 1

    def label_row(self, structure: Structure, atom: int) -> bytes:
        """T where a node carries the atom, else F."""
        bearers = self.bearers[atom]
        return bytes([T if node in bearers else 0 for node in structure.subjects])

    def below(self, formula: int) -> list[int]:
        """The temporal subformulas strictly below a subformula."""
        bits = self.reach[formula] & ~self.bit[formula]
        found = []
        while bits:
            low = bits & -bits
            found.append(self.temporal[low.bit_length() - 1])
            bits ^= low
        return found

    def ending(self, structure: Structure, *, loops: bool) -> int:
        """The context in which nothing follows the exit.

        With `loops` the run stays there forever (an exit with the empty stack). Else it is a dead
        end, where runs may stop.
        """
        if structure.exit == NONE:
            return 0
        normal, subject = self.normal, structure.subjects[structure.exit]
        truth: list[bool] = []
        context = 0
        for at, op in enumerate(normal.ops):
            left, right = normal.left[at], normal.right[at]
            if op >= EX:
                eta = (loops or not self.stops) and truth[left] if op == EX else ended(op) == T
                context |= self.bit[at] if eta else 0
            if op == TRUE:
                truth.append(True)
            elif op == ATOM:
                truth.append(subject in self.bearers[left])
            elif op == NOT:
                truth.append(not truth[left])
            elif op in (AND, EG):  # EG psi: psi, and eta is true
                truth.append(truth[left] and (op == EG or truth[right]))
            elif op in (OR, EU):  # E[psi U chi]: chi, for eta is false
                truth.append(truth[right] or (op == OR and truth[left]))
            else:
                truth.append(eta)
        return context
