"""Terms to Boolean functions, each once. The meaning is that of native/core/smv/expressions.cpp.

What goes wrong counts only where it is evaluated: the second operand of `&` is not if the first is
false, nor is a branch of `case` that is not chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.game.formulas.arithmetic import ARITHMETIC, compute
from pigro.engines.game.formulas.values import (
    IntegerRange,
    NotEncodable,
    SingleValue,
    ValueSet,
    chosen,
    contains,
    equal,
    members_of,
)
from pigro.engines.game.formulas.words import word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.game.diagrams import Bdd, BddManager
    from pigro.engines.game.formulas.numbers import BitArithmetic
    from pigro.engines.game.formulas.values import Valued
    from pigro.model.lazy.formulas import FormulaTerm, PartFormulas, Value


class PartTerms:
    """The terms of a part, as functions of its slots."""

    def __init__(
        self,
        diagrams: BddManager,
        numbers: BitArithmetic,
        formulas: PartFormulas,
        slot: Callable[[int], SingleValue],
        tick: Callable[[], None],
    ) -> None:
        self._diagrams, self._numbers = diagrams, numbers
        self._formulas, self._slot, self._tick = formulas, slot, tick
        self._known: dict[int, Valued] = {}

    def value(self, number: int) -> Valued:
        """What a term is. Those that it is over come first: no recursion."""
        needed: dict[int, FormulaTerm] = {}
        pending = [number]
        while pending:
            each = pending.pop()
            if each not in self._known and each not in needed:
                needed[each] = self._formulas.term(each)
                pending += needed[each].args
        for each in sorted(needed):
            self._tick()
            term = needed[each]
            self._known[each] = self._made(term, [self._known[arg] for arg in term.args])
        return self._known[number]

    def condition(self, number: int) -> tuple[Bdd, Bdd]:
        """Where a condition is true, and where it goes wrong."""
        value = self._single(self.value(number))
        return value.is_true(self._numbers.false), value.fault

    def constant(self, value: Value) -> SingleValue:
        """A value that is the same everywhere."""
        numbers = self._numbers
        if isinstance(value, (bool, str)):
            return SingleValue(numbers.false, {value: numbers.true})
        return SingleValue(numbers.false, {}, (numbers.true, numbers.constant(value)))

    def _made(self, term: FormulaTerm, given: Sequence[Valued]) -> Valued:  # noqa: C901, PLR0911 - a rule each
        op = term.op
        if op == "constant":
            return self.constant(term.value)
        if op == "slot":
            return self._slot(int(term.value))
        if op == "remember":
            return given[0]
        if op == "set":
            return self._set(given)
        if op == "member":
            return self._member(*given)
        if op == "choice":
            return self._choice(given)
        if op == "condition":
            return self._condition(given)
        if op == "element":
            return self._element(int(term.value), given)
        singles = [self._single(each) for each in given]
        if op in _CONNECTIVES:
            return _CONNECTIVES[op](self, singles)
        if op in ("equal", "less", "less_equal"):
            return self._compared(op, *singles)
        if op in ARITHMETIC:
            return compute(self._numbers, op, singles)
        if op == "range":
            return self._range(*singles)
        return word(self._numbers, op, int(term.value), singles)

    @staticmethod
    def _single(value: Valued) -> SingleValue:
        if isinstance(value, ValueSet):
            raise NotEncodable
        return value

    def _truth(self, true: Bdd, fault: Bdd) -> SingleValue:
        true &= ~fault
        return SingleValue(fault, {True: true, False: ~true & ~fault})

    def _negation(self, given: Sequence[SingleValue]) -> SingleValue:
        return self._truth(~given[0].is_true(self._numbers.false), given[0].fault)

    def _conjunction(self, given: Sequence[SingleValue]) -> SingleValue:
        alive, fault = self._numbers.true, self._numbers.false
        for each in given:
            fault |= alive & each.fault
            alive &= each.is_true(self._numbers.false)
        return self._truth(alive, fault)

    def _disjunction(self, given: Sequence[SingleValue]) -> SingleValue:
        true = fault = self._numbers.false
        for each in given:
            alive = ~true & ~fault
            fault |= alive & each.fault
            true |= alive & each.is_true(self._numbers.false)
        return self._truth(true, fault)

    def _implication(self, given: Sequence[SingleValue]) -> SingleValue:
        left, right = given
        alive = left.is_true(self._numbers.false)
        fault = left.fault | (alive & right.fault)
        return self._truth(~alive | right.is_true(self._numbers.false), fault)

    def _exclusive(self, given: Sequence[SingleValue]) -> SingleValue:
        left, right = (each.is_true(self._numbers.false) for each in given)
        fault = given[0].fault | given[1].fault
        return self._truth(self._diagrams.unequal(left, right), fault)

    def _equivalence(self, given: Sequence[SingleValue]) -> SingleValue:
        return self._negation([self._exclusive(given)])

    def _compared(self, op: str, left: SingleValue, right: SingleValue) -> SingleValue:
        numbers, fault = self._numbers, left.fault | right.fault
        if op == "equal":
            return self._truth(equal(numbers, left, right), fault)
        if left.number is None or right.number is None:
            return self._truth(numbers.false, fault)
        both = left.number[0] & right.number[0]
        if op == "less":
            return self._truth(both & numbers.less(left.number[1], right.number[1]), fault)
        return self._truth(both & ~numbers.less(right.number[1], left.number[1]), fault)

    def _set(self, given: Sequence[Valued]) -> ValueSet:
        fault = self._numbers.false
        members: list[tuple[Bdd, SingleValue | IntegerRange]] = []
        for each in given:
            fault |= each.fault
            members += members_of(each, self._numbers.true)
        return ValueSet(fault, tuple(members))

    def _range(self, low: SingleValue, high: SingleValue) -> ValueSet:
        numbers, fault = self._numbers, low.fault | high.fault
        if low.number is None or high.number is None:
            raise NotEncodable
        (is_low, least), (is_high, most) = low.number, high.number
        size = numbers.subtract(most, least)
        fault |= ~(is_low & is_high) | size[-1]
        fault |= ~numbers.less(size, numbers.constant(_core.SmvNumbers.WIDEST_SET))
        return ValueSet(fault, ((~fault, IntegerRange(least, most)),))

    def _member(self, left: Valued, right: Valued) -> SingleValue:
        numbers = self._numbers
        found = numbers.true
        for guard, member in members_of(left, numbers.true):
            if isinstance(member, IntegerRange):
                raise NotEncodable
            inside = self._diagrams.union(
                [w & contains(numbers, m, member) for w, m in members_of(right, numbers.true)]
            )
            found &= ~guard | inside
        return self._truth(found, left.fault | right.fault)

    def _choice(self, given: Sequence[Valued]) -> Valued:
        alive, fault = self._numbers.true, self._numbers.false
        branches = []
        for test, value in zip(given[::2], given[1::2], strict=True):
            single = self._single(test)
            fault |= alive & single.fault
            taken = alive & single.is_true(self._numbers.false)
            branches.append((taken, value))
            alive &= ~taken & ~single.fault
        return chosen(self._numbers, branches, fault | alive)

    def _condition(self, given: Sequence[Valued]) -> Valued:
        test = self._single(given[0])
        true = test.is_true(self._numbers.false)
        branches = [(true, given[1]), (~true & ~test.fault, given[2])]
        return chosen(self._numbers, branches, test.fault)

    def _element(self, first: int, given: Sequence[Valued]) -> Valued:
        index, numbers = self._single(given[0]), self._numbers
        if index.number is None:
            raise NotEncodable
        where, bits = index.number
        branches = []
        missing = ~index.fault
        for at, each in enumerate(given[1:], first):
            here = where & numbers.equal(bits, numbers.constant(at))
            missing &= ~here
            branches.append((here, each))
        return chosen(numbers, branches, index.fault | missing)


_CONNECTIVES: dict[str, Callable[[PartTerms, Sequence[SingleValue]], SingleValue]] = {
    "negation": PartTerms._negation,  # noqa: SLF001 - a table of them
    "conjunction": PartTerms._conjunction,  # noqa: SLF001
    "disjunction": PartTerms._disjunction,  # noqa: SLF001
    "implication": PartTerms._implication,  # noqa: SLF001
    "exclusive": PartTerms._exclusive,  # noqa: SLF001
    "equivalence": PartTerms._equivalence,  # noqa: SLF001
}
