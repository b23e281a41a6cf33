"""The truth of each subformula in the states of evidence, as far as its certificate tells.

The subformulas are those of the formula as it was written. Each has a normal form of its own, whose
nodes are found again, by their shape, in the normal form of the certificate. What is not
there (simplified away), or is not proved in a state, may have no known truth.

Stacks are long and change little from state to state, so the instances that speak of a stack are
kept box by box, and the next state goes on from where its stack is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.booleans import NORMAL
from pigro.evidence.proved import Proved
from pigro.logic import Formula, existential_normal_form
from pigro.logic.normal import ATOM, EG, EU, EX, TRUE
from pigro.logic.operators import Op
from pigro.logic.printer import text_of
from pigro.render.places import shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Evidence, State
    from pigro.logic import NormalForm
    from pigro.model import RSM

_LARGEST = 64
"""Subformulas of a formula that is drawn as a tree."""
LONGEST = 200
"""Characters of a subformula."""
_PATIENCE = 300_000
"""How many values are looked up for one verdict; later states have unknown ones."""

Row = tuple[int, str] | tuple[int, str, bool]
"""How deep a subformula is, its text, and that it speaks of the run from a state on, if so."""
Place = tuple[int, int]
"""A state by the numbers of its stack and its node."""
Shape = tuple[int, object, object]
_Instances = dict[int, tuple[int, ...]]
"""Of each level, those that speak of a stack."""


def formula_rows(formula: Formula, *, paths: bool = False) -> list[tuple[int, int]]:
    """The state subformulas as a tree, in preorder: depth and node. None if there are too many.

    With `paths`, path formulas too.
    """
    sizes: list[int] = []
    for left, right, op in zip(formula.left, formula.right, formula.ops, strict=True):
        below = [] if op == Op.ATOM else [each for each in (left, right) if each >= 0]
        sizes.append(1 + sum(sizes[each] for each in below))
    if sizes[-1] > _LARGEST:
        return []
    rows, pending = [], [(0, len(formula) - 1)]
    while pending:
        depth, node = pending.pop()
        op = formula.ops[node]
        if op == Op.ATOM:
            rows.append((depth, node))
            continue
        below = [each for each in (formula.left[node], formula.right[node]) if each >= 0]
        if paths or op <= Op.E:  # the others are paths, whose A or E has the truth
            rows.append((depth, node))
            depth += 1
        pending += [(depth, each) for each in reversed(below)]
    return rows


class Truths:
    """Truths of subformulas, each state's in one string of `t`, `f` and `?`."""

    def __init__(self, model: RSM, formula: Formula, certificate: bytes | None) -> None:
        self.rows: list[Row] = []
        """Each subformula, in preorder."""
        self.strings: dict[str, int] = {}
        """All strings that there are, and their numbers."""
        self._model = model
        self._proved = None if certificate is None else Proved(model, certificate)
        self._stack: tuple[int, ...] = ()
        self._instances: list[_Instances] = []
        self._roots: dict[int, _Instances] = {}
        self._left = _PATIENCE
        self._told: dict[Place, dict[int, bool]] = {}
        self._shapes: dict[Shape, int] = {}
        """The nodes of all normal forms, once each, children first."""
        self._wanted = [self._add_row(formula, *row) for row in formula_rows(formula)]
        form = existential_normal_form(formula)
        self._form, self._ops = self._add(form), form.ops
        self._level = self._levels()
        self._carry = {
            name: frozenset(model.core.labelled(model.label_ids[name]))
            for name in formula.atoms
            if name in model.label_ids
        }

    def note(self, at: Evidence, places: Sequence[Place]) -> None:
        """What evidence shows: its part where it begins; EU and EG all along their path."""
        lasts = at.path is not None and self._ops[at.part] != EX
        for place in places if lasts else places[:1]:
            self._told.setdefault(place, {})[self._form[at.part]] = at.truth

    def along(self, at: Evidence, places: Sequence[Place]) -> list[int]:
        """The numbers of the strings of the states of a path."""
        states = () if at.path is None else at.path.states
        return [self.of(*each) for each in zip(states, places, strict=True)]

    def of(self, state: State, place: Place) -> int:
        """The number of the string of a state."""
        values = self._values(state, self._told.get(place, {}))
        string = "".join({True: "t", False: "f", None: "?"}[values[at]] for at in self._wanted)
        return self.strings.setdefault(string, len(self.strings))

    def _add_row(self, formula: Formula, depth: int, node: int) -> int:
        text = text_of(formula, node)
        self.rows.append((depth, printable(text, LONGEST)))
        return self._add(existential_normal_form(Formula(text)))[-1]

    def _add(self, form: NormalForm) -> list[int]:
        here: list[int] = []
        for op, left, right in zip(form.ops, form.left, form.right, strict=True):
            first = form.atoms[left] if op == ATOM else here[left] if left >= 0 else None
            shape = op, first, here[right] if right >= 0 else None
            here.append(self._shapes.setdefault(shape, len(self._shapes)))
        return here

    def _levels(self) -> dict[int, int]:
        """The level of each temporal operator that the certificate speaks of."""
        if self._proved is None:
            return {}
        here = self._add(self._proved.form)
        return {here[at]: level for at, level in self._proved.level_of.items()}

    def _values(self, state: State, told: dict[int, bool]) -> list[bool | None]:
        values: list[bool | None] = []
        subject = self._model.core.subject(state.node)
        above = None if self._left <= 0 else self._above(state)
        for at, (op, left, right) in enumerate(self._shapes):
            if at in told:
                values.append(told[at])
            elif op == TRUE:
                values.append(True)
            elif op == ATOM:
                values.append(subject in self._carry.get(str(left), ()))
            elif op >= EX:
                known = self._operator(at, state, above)
                values.append(_local(op, left, right, values) if known is None else known)
            else:
                assert isinstance(left, int), "an operator has an operand"
                other = values[right] if isinstance(right, int) else None
                values.append(NORMAL[op](values[left], other))
        return values

    def _operator(self, at: int, state: State, above: _Instances | None) -> bool | None:
        if self._proved is None or above is None or at not in self._level:
            return None
        self._left -= 1
        return self._proved.operator(self._level[at], state, (len(state.stack), above))

    def _above(self, state: State) -> _Instances:
        """Of each level, the instances that speak of the stack of a state."""
        if self._proved is None:
            return {}
        core, proved, stack = self._model.core, self._proved, state.stack
        same = shared(self._stack, stack)
        del self._instances[same:]
        bottom = core.box_component(stack[0]) if stack else core.component(state.node)
        if bottom not in self._roots:
            self._roots[bottom] = {
                level: _some(proved.describing(level, (), bottom))
                for level in range(len(proved.stages))
            }
        for height in range(same, len(stack)):
            below = self._instances[-1] if self._instances else self._roots[bottom]
            one = (stack[height],)
            self._instances.append(
                {level: _some(proved.describing(level, one, -1, (0, below))) for level in below}
            )
        self._stack = stack
        return self._instances[-1] if stack else self._roots[bottom]


def _some(instances: tuple[int | None, ...]) -> tuple[int, ...]:
    return tuple([each for each in instances if each is not None])


def _local(op: int, left: object, right: object, values: list[bool | None]) -> bool | None:
    """What the operands in a state alone say about EU and EG."""
    first = values[left] if isinstance(left, int) else None
    second = values[right] if isinstance(right, int) else None
    if op == EU and second is True:
        return True
    ended = second is False if op == EU else op == EG
    return False if ended and first is False else None
