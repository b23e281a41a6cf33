"""Every operator of terms on numbers and words has bits of its own, the same as in Python."""

import operator

import pytest

from pigro import _core
from pigro.diagnostics import InternalError
from pigro.engines.game.diagrams import BddManager
from pigro.engines.game.formulas import arithmetic, words
from pigro.engines.game.formulas.numbers import BitArithmetic
from pigro.engines.game.formulas.values import SingleValue

pytest.importorskip("dd.autoref")

WIDTH = 5


def divide(left, right):
    return int(left / right)


def modulo(left, right):
    return left - right * int(left / right)


NUMBERS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": divide,
    "modulo": modulo,
    "minimum": min,
    "maximum": max,
    "minus": operator.neg,
    "absolute": abs,
}
WORDS = {
    "word_add": operator.add,
    "word_subtract": operator.sub,
    "word_multiply": operator.mul,
    "word_divide": divide,
    "word_modulo": modulo,
    "word_not": operator.invert,
    "word_and": operator.and_,
    "word_or": operator.or_,
    "word_xor": operator.xor,
    "word_left": operator.lshift,
    "word_right": operator.rshift,
    "word_bits": lambda word, _high, low: word >> low,
    "word_join": lambda left, right, width: left << width | right & (1 << width) - 1,
    "word_wrap": lambda word: word,
}
UNARY = {"minus", "absolute", "word_not", "word_wrap"}
TERNARY = {"word_bits": (4, 2), "word_join": (3, 2)}


@pytest.fixture
def numbers():
    return BitArithmetic(BddManager(lambda: None))


def constant(numbers, value):
    return SingleValue(numbers.false, {}, (numbers.true, numbers.constant(value)))


def number_of(numbers, bits):
    total = sum((bit == numbers.true) << at for at, bit in enumerate(bits))
    return total - ((bits[-1] == numbers.true) << len(bits))


def operands(op):
    if op in UNARY:
        return [(value,) for value in (-9, -1, 0, 1, 6)]
    if op in TERNARY:
        return [(value, *TERNARY[op]) for value in (-9, -1, 0, 1, 6)]
    right = (1, 2, 4) if op in {"word_left", "word_right"} else (-5, -1, 2, 3, 7)
    return [(left, each) for left in (-9, -1, 0, 1, 6) for each in right]


@pytest.mark.parametrize("op", NUMBERS)
def test_of_numbers(numbers, op):
    for given in operands(op):
        made = arithmetic.compute(numbers, op, [constant(numbers, each) for each in given])
        assert made.fault == numbers.false
        assert number_of(numbers, made.number[1]) == NUMBERS[op](*given), given


@pytest.mark.parametrize("op", WORDS)
def test_of_words(numbers, op):
    for given in operands(op):
        made = words.word(numbers, op, -WIDTH, [constant(numbers, each) for each in given])
        whole = WORDS[op](*given) % (1 << WIDTH)
        assert made.fault == numbers.false
        assert number_of(numbers, made.number[1]) == whole - (whole >> WIDTH - 1 << WIDTH), given


def test_all_operators_are_here():
    others = {"count", "number_of", "truth_of"}
    assert set(NUMBERS) == arithmetic.ARITHMETIC - others
    assert set(WORDS) == {each.lower() for each in vars(_core.SmvTerm) if each.startswith("WORD_")}


@pytest.mark.parametrize("given", [(3,), (3, 5)])
def test_an_operator_without_bits_is_an_error(numbers, given):
    values = [constant(numbers, each) for each in given]
    with pytest.raises(InternalError, match="the operator power has no bits"):
        arithmetic.compute(numbers, "power", values)
    if len(given) > 1:
        with pytest.raises(InternalError, match="the operator word_power has no bits"):
            words.word(numbers, "word_power", WIDTH, values)
