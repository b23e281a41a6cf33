"""Slots of a part that is given by formulas, as numbers in binary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.game.diagrams import copy_of
from pigro.engines.game.formulas.numbers import BitArithmetic
from pigro.engines.game.formulas.values import SingleValue

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping, Sequence

    from pigro.engines.game.diagrams import Bdd, BddManager
    from pigro.engines.game.formulas.numbers import Bits
    from pigro.engines.game.formulas.values import IntegerRange
    from pigro.model.lazy.formulas import DeclaredVariable, PartFormulas, Value


class SlotBits:
    """The bits of each slot, the lowest first, and what they stand for."""

    def __init__(
        self,
        diagrams: BddManager,
        formulas: PartFormulas,
        prefix: str,
        shared: frozenset[str],
        known: MutableMapping[str, tuple[str, ...]],
    ) -> None:
        self._diagrams = diagrams
        self._numbers = BitArithmetic(diagrams)
        self._variables = formulas.variables
        self._types = [*self._variables, *self._variables, *formulas.inputs]
        bits: list[tuple[str, ...]] = []
        for at, variable in enumerate(self._variables):
            made = known.get(variable.name) if variable.name in shared else None
            if made is None:
                made = _names(f"{prefix}v{at}", variable)
                diagrams.declare([(name, copy_of(name)) for name in reversed(made)])
                if variable.name in shared:
                    known[variable.name] = made
            bits.append(made)
        self.current: tuple[str, ...] = tuple([name for names in bits for name in names])
        """The variables of a state."""
        self.back: Mapping[str, str] = {copy_of(name): name for name in self.current}
        copies = [tuple(map(copy_of, names)) for names in bits]
        inputs = [_names(f"{prefix}i{at}", each) for at, each in enumerate(formulas.inputs)]
        for names in inputs:
            diagrams.declare([(name,) for name in reversed(names)])
        self.inputs = frozenset(name for names in inputs for name in names)
        self._bits = [*bits, *copies, *inputs]
        self._known: dict[int, SingleValue] = {}

    def value(self, slot: int) -> SingleValue:
        """The value of a slot."""
        if slot not in self._known:
            self._known[slot] = self._value(slot)
        return self._known[slot]

    def _code(self, slot: int) -> Bits:
        variables = [self._diagrams.variable(name) for name in self._bits[slot]]
        return self._numbers.short([*variables, self._numbers.false])

    def _value(self, slot: int) -> SingleValue:
        numbers, values = self._numbers, self._types[slot].values
        code = self._code(slot)
        if isinstance(values, range):
            bits = numbers.add(code, numbers.constant(values.start)) if values.start else code
            return SingleValue(numbers.false, {}, (numbers.true, bits))
        constants: dict[bool | str, Bdd] = {}
        where, bits = numbers.false, numbers.zero
        for at, value in enumerate(values):
            here = numbers.equal(code, numbers.constant(at))
            if isinstance(value, (bool, str)):
                constants[value] = here
            else:
                bits = numbers.choose(here, numbers.constant(value), bits)
                where |= here
        return SingleValue(
            numbers.false, constants, None if where == numbers.false else (where, bits)
        )

    def valid(self, slot: int) -> Bdd:
        """Where the bits stand for a value."""
        size = _size(self._types[slot])
        if size == 1 << len(self._bits[slot]):
            return self._diagrams.true
        return self._numbers.less(self._code(slot), self._numbers.constant(size))

    def fits(self, slot: int, value: SingleValue) -> Bdd:
        """Where a value is one of the type of a slot."""
        numbers, values = self._numbers, self._types[slot].values
        listed = () if isinstance(values, range) else values
        found = self._diagrams.union(
            [where for constant, where in value.constants.items() if _is_among(constant, listed)]
        )
        if value.number is None:
            return found
        where, bits = value.number
        if isinstance(values, range):
            return found | (where & self._inside(bits, values))
        same = [numbers.equal(bits, numbers.constant(each)) for each in _integers(listed)]
        return found | (where & self._diagrams.union(same))

    def covers(self, slot: int, given: IntegerRange) -> Bdd:
        """Where all numbers of a range are of the type of a slot."""
        values = self._types[slot].values
        if isinstance(values, range):
            return self._inside(given.low, values) & self._inside(given.high, values)
        numbers = self._numbers
        here = sorted(_integers(values))
        found, run = self._diagrams.false, list[range]()
        for each in here:
            if run and run[-1].stop == each:
                run[-1] = range(run[-1].start, each + 1)
            else:
                run.append(range(each, each + 1))
        for each_run in run:
            found |= self._inside(given.low, each_run) & self._inside(given.high, each_run)
        return found & ~numbers.less(given.high, given.low)

    def _inside(self, bits: Bits, values: range) -> Bdd:
        numbers = self._numbers
        low, high = numbers.constant(values.start), numbers.constant(values.stop - 1)
        return ~numbers.less(bits, low) & ~numbers.less(high, bits)

    def decoded(self, state: Mapping[str, bool]) -> list[Value]:
        """The values of the variables in a state."""
        found: list[Value] = []
        for names, variable in zip(self._bits, self._variables, strict=False):
            code = sum(state[name] << at for at, name in enumerate(names))
            found.append(variable.values[code])
        return found

    def encoded(self, state: Sequence[Value]) -> dict[str, bool]:
        """The assignment that a state is."""
        found: dict[str, bool] = {}
        for names, variable, value in zip(self._bits, self._variables, state, strict=False):
            code = _place(variable.values, value)
            found |= {name: bool(code >> at & 1) for at, name in enumerate(names)}
        return found


def _names(prefix: str, variable: DeclaredVariable) -> tuple[str, ...]:
    return tuple(f"{prefix}b{bit}" for bit in range((_size(variable) - 1).bit_length()))


def _size(variable: DeclaredVariable) -> int:
    values = variable.values
    return values.stop - values.start if isinstance(values, range) else len(values)


def _integers(values: Sequence[Value]) -> list[int]:
    return [each for each in values if isinstance(each, int) and not isinstance(each, bool)]


def _place(values: range | Sequence[Value], value: Value) -> int:
    """Where a value is in a type."""
    if isinstance(values, range):
        assert isinstance(value, int), "a range has numbers"
        return values.index(value)
    return next(at for at, each in enumerate(values) if _is_among(value, [each]))


def _is_among(value: Value, values: Sequence[Value]) -> bool:
    return any(type(each) is type(value) and each == value for each in values)
