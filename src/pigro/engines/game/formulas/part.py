"""A part given by formulas as sets over the bits of its variables. No state is listed.

A variable is a number in binary: the distance of its value from the lowest one of a range, or the
place of the value among those that are listed. The states are all assignments where each variable
has a value of its type, reachable or not. That is enough, because only initial states are asked.

The steps are a conjunction, a relation for each variable and each constraint. Small ones
are joined.

Where an expression goes wrong, such as a division by zero, there is no value. That is an error if a
run can come there. So only then the reachable states are computed, and the native core is asked
what happens in one of them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import ModelError
from pigro.engines.game.diagrams import copy_of
from pigro.engines.game.formulas.numbers import BitArithmetic
from pigro.engines.game.formulas.slots import SlotBits
from pigro.engines.game.formulas.terms import PartTerms
from pigro.engines.game.formulas.values import SingleValue, contains, members_of
from pigro.engines.game.sets import PartSets, RelationConjunct, relation_of
from pigro.model.lazy.seen import SeenPart
from pigro.model.mistakes import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence

    from pigro.diagnostics import PigroError
    from pigro.engines.game.diagrams import Bdd, BddManager
    from pigro.engines.game.sets import StepRelation
    from pigro.model.lazy.formulas import PartFormulas, StepPlan, Value
    from pigro.model.lazy.seen import AnyPart

_JOINED = 1 << 10
"""Nodes of a relation up to which the next one is joined to it."""
_TRIED = 64
"""States where something may go wrong that the native core is asked about."""


def shared_variables(parts: Sequence[PartFormulas]) -> frozenset[str]:
    """The variables that several parts have, with the same type."""
    types: dict[str, list[object]] = {}
    for part in parts:
        for variable in part.variables:
            if not variable.hidden:
                types.setdefault(variable.name, []).append(variable.values)
    return frozenset(
        name
        for name, given in types.items()
        if len(given) > 1 and all(each == given[0] for each in given)
    )


def encode_formulas(
    diagrams: BddManager,
    part: AnyPart,
    formulas: PartFormulas,
    prefix: str,
    shared: frozenset[str],
    known: MutableMapping[str, tuple[str, ...]],
    wanted: frozenset[str],
    tick: Callable[[], None],
) -> PartSets:
    """The part, with the sets of states of the wanted labels.

    `known` are the bits of shared variables that other parts have made. Raises `NotEncodable`, and
    what goes wrong in the part.
    """
    slots = SlotBits(diagrams, formulas, prefix, shared, known)
    made = FormulaSets(diagrams, part.name, formulas, slots, tick)
    labels = {label: made.label(label) for label in part.atoms if label in wanted}
    steps = made.steps
    return PartSets(
        made.slots.current,
        made.states,
        made.initial,
        {"": (steps, steps)},
        labels,
        FormulaNumbering(part, formulas, made.slots),
    )


class FormulaNumbering:
    """See `AssignmentNumbering`. States go by names if they are listed, or as they are seen."""

    def __init__(self, part: AnyPart, formulas: PartFormulas, slots: SlotBits) -> None:
        self._part, self._formulas, self._slots = part, formulas, slots
        self._listed: dict[str, int] | None = None

    def number(self, bits: Mapping[str, bool]) -> int:
        """See `AssignmentNumbering`."""
        formulas = self._formulas
        state = formulas.packed(self._slots.decoded(bits))
        if isinstance(self._part, SeenPart):
            return self._part.number(state)
        if self._listed is None:
            self._listed = {name: at for at, name in enumerate(self._part.listed().states)}
        return self._listed[formulas.name(state)]

    def bits(self, state: int) -> Mapping[str, bool]:
        """See `AssignmentNumbering`."""
        formulas = self._formulas
        if isinstance(self._part, SeenPart):
            packed = self._part.packed(state)
        else:
            found = formulas.state(self._part.listed().states[state])
            assert found is not None, "a name has all values of its state"
            packed = found
        return self._slots.encoded(formulas.unpacked(packed))


def _raise_any(error: PigroError | None) -> None:
    """Leaves no frame behind that keeps its own error: diagrams must go before their store."""
    try:
        if error is not None:
            raise error
    finally:
        del error


class _PlannedRelations(NamedTuple):
    """What a plan says: relations, and what goes wrong where all relations before hold."""

    relations: list[Bdd]
    faults: list[tuple[int, Bdd]]
    """The number of relations that come before, and where something goes wrong then."""


class FormulaSets:
    """The sets of a part that is given by formulas."""

    def __init__(
        self,
        diagrams: BddManager,
        name: str,
        formulas: PartFormulas,
        slots: SlotBits,
        tick: Callable[[], None],
    ) -> None:
        self._diagrams, self._name, self._formulas, self._tick = diagrams, name, formulas, tick
        self.slots = slots
        self._numbers = BitArithmetic(diagrams)
        self.terms = PartTerms(diagrams, self._numbers, formulas, slots.value, tick)
        count = len(formulas.variables)
        self.states = self._valid(range(count))
        self._valid_next = self._valid(range(count, 2 * count))
        self.initial = self._initial(formulas.initial)
        planned = self._planned(formulas.step)
        self.steps = self._joined([self.states, self._valid_next, *planned.relations])
        self._reached: Bdd | None = None
        self._refuse(self._wrong(planned, self.states), formulas.fault_after)

    @property
    def relation(self) -> StepRelation:
        """The steps, forward and backward."""
        return relation_of(self._diagrams, self.steps, self.slots.current)

    def condition(self, number: int) -> Bdd:
        """The states where a condition is true."""
        true, fault = self.terms.condition(number)
        formulas = self._formulas
        self._refuse(fault & self.states, lambda state: formulas.fault_in(number, state or ()))
        return true & self.states

    def label(self, label: str) -> tuple[Bdd, Bdd]:
        """Where a label is true, and where it is false."""
        true = self.condition(self._formulas.condition(label))
        return true, self.states & ~true

    @property
    def reached(self) -> Bdd:
        """The states that can be reached."""
        if self._reached is None:
            relation = self.relation
            found = fresh = self.initial
            while fresh != self._diagrams.false:
                self._tick()
                fresh = relation.forward(fresh) & ~found
                found |= fresh
            self._reached = found
        return self._reached

    def _valid(self, slots: range) -> Bdd:
        found = self._diagrams.true
        for slot in slots:
            found &= self.slots.valid(slot)
        return found

    def _initial(self, plan: StepPlan) -> Bdd:
        planned = self._planned(plan)
        if self._wrong(planned, self._diagrams.true) != self._diagrams.false:
            _raise_any(self._formulas.fault_after(None))
        found = self._valid_next
        for relation in planned.relations:
            self._tick()
            found &= relation
        found = self._diagrams.rename(self.slots.back, found)
        if found == self._diagrams.false:
            raise ModelError("P218", f"part {quoted(self._name)} has no initial state")
        return found

    def _planned(self, plan: StepPlan) -> _PlannedRelations:
        relations: list[Bdd] = []
        faults: list[tuple[int, Bdd]] = []

        def take(true: Bdd, fault: Bdd) -> None:
            if fault != self._diagrams.false:
                faults.append((len(relations), fault))
            relations.append(true)

        for check in plan.checks:
            take(*self.terms.condition(check))
        for choice in plan.choices:
            if choice.right >= 0:
                take(*self._assigned(choice.slot, choice.right))
            else:
                take(self.slots.valid(choice.slot), self._diagrams.false)
            for condition in choice.conditions:
                take(*self.terms.condition(condition))
        return _PlannedRelations(relations, faults)

    def _assigned(self, slot: int, right: int) -> tuple[Bdd, Bdd]:
        """Where a slot has a value of the right side, and where that has one of another type."""
        given, value = self.terms.value(right), self.slots.value(slot)
        found, fault = self._diagrams.false, given.fault
        for guard, member in members_of(given, self._diagrams.true):
            found |= guard & contains(self._numbers, member, value)
            if isinstance(member, SingleValue):
                fault |= guard & ~member.fault & ~self.slots.fits(slot, member)
            else:
                fault |= guard & ~self.slots.covers(slot, member)
        return found & self.slots.valid(slot), fault

    def _wrong(self, planned: _PlannedRelations, where: Bdd) -> Bdd:
        """The states where a plan goes wrong, if a run can come there."""
        false = self._diagrams.false
        found, path, done = false, where, 0
        if all(fault & where == false for _, fault in planned.faults):
            return false
        for before, fault in planned.faults:
            for relation in planned.relations[done:before]:
                self._tick()
                path &= relation
            done = before
            found |= path & fault
        others = self._diagrams.support(found) - set(self.slots.current)
        return self._diagrams.exist(others, found) if others else found

    def _refuse(
        self,
        wrong: Bdd,
        explain: Callable[[Sequence[Value] | None], PigroError | None],
    ) -> None:
        """Raises what goes wrong in a state that can be reached."""
        if wrong == self._diagrams.false:
            return
        for state in islice(self._states_in(wrong & self.reached), _TRIED):
            self._tick()
            _raise_any(explain(state))

    def _states_in(self, states: Bdd) -> Iterator[Sequence[Value]]:
        while True:
            found = self._diagrams.some(states, self.slots.current)
            if found is None:
                return
            bits = {name: found[name] for name in self.slots.current}
            yield self.slots.decoded(bits)
            states &= ~self._diagrams.cube(bits)

    def _joined(self, relations: Sequence[Bdd]) -> tuple[RelationConjunct, ...]:
        """Few relations with the same meaning, without inputs."""
        true = self._diagrams.true
        inputs = self.slots.inputs
        reading = true
        found: list[Bdd] = []
        for relation in relations:
            self._tick()
            if relation == true:
                continue
            if inputs and self._diagrams.support(relation) & inputs:
                reading &= relation
            elif found and len(found[-1]) + len(relation) <= _JOINED:
                found[-1] &= relation
            else:
                found.append(relation)
        if reading != true:
            found.append(self._diagrams.exist(inputs, reading))
        return tuple([self._conjunct(each) for each in found or [true]])

    def _conjunct(self, relation: Bdd) -> RelationConjunct:
        support = self._diagrams.support(relation)
        names = self.slots.current
        return RelationConjunct(
            relation,
            frozenset(name for name in names if name in support),
            frozenset(name for name in names if copy_of(name) in support),
        )
