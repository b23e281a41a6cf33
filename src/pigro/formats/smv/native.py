"""Values and operators as numbers: those of native/core/smv/expressions.hpp."""

from __future__ import annotations

from pigro.formats.smv.syntax.nodes import EXIT, N, Value

_LEAST = -(1 << 63)
UNKNOWN = _LEAST
"""No value yet."""
EXIT_VALUE = _LEAST + 1
FALSE, TRUE = _LEAST + 2, _LEAST + 3
_SYMBOLS = _LEAST + 16
_INTEGERS = _LEAST + (1 << 32)
FORBIDDEN = 10**18
"""Numbers beyond this are no constants."""


class Op:
    """The operators, in order."""

    CONSTANT = 0
    SLOT = 1
    NEGATION = 2
    CONJUNCTION = 3
    DISJUNCTION = 4
    EXCLUSIVE = 5
    EQUIVALENCE = 6
    IMPLICATION = 7
    EQUAL = 8
    LESS = 9
    LESS_EQUAL = 10
    ADD = 11
    SUBTRACT = 12
    MULTIPLY = 13
    DIVIDE = 14
    MODULO = 15
    RANGE = 16
    MINUS = 17
    MINIMUM = 18
    MAXIMUM = 19
    ABSOLUTE = 20
    MEMBER = 21
    SET = 22
    CHOICE = 23
    CONDITION = 24
    ELEMENT = 25
    COUNT = 26
    NUMBER_OF = 27
    TRUTH_OF = 28
    REMEMBER = 29
    WORD_ADD = 30
    WORD_SUBTRACT = 31
    WORD_MULTIPLY = 32
    WORD_DIVIDE = 33
    WORD_MODULO = 34
    WORD_NOT = 35
    WORD_AND = 36
    WORD_OR = 37
    WORD_XOR = 38
    WORD_LEFT = 39
    WORD_RIGHT = 40
    WORD_BITS = 41
    WORD_JOIN = 42
    WORD_WRAP = 43


PLAIN = {
    N.NOT: Op.NEGATION,
    N.AND: Op.CONJUNCTION,
    N.OR: Op.DISJUNCTION,
    N.XOR: Op.EXCLUSIVE,
    N.XNOR: Op.EQUIVALENCE,
    N.IFF: Op.EQUIVALENCE,
    N.IMPLIES: Op.IMPLICATION,
    N.EQ: Op.EQUAL,
    N.LT: Op.LESS,
    N.LE: Op.LESS_EQUAL,
    N.ADD: Op.ADD,
    N.SUB: Op.SUBTRACT,
    N.MUL: Op.MULTIPLY,
    N.DIV: Op.DIVIDE,
    N.MOD: Op.MODULO,
    N.RANGE: Op.RANGE,
    N.MINUS: Op.MINUS,
    N.MIN: Op.MINIMUM,
    N.MAX: Op.MAXIMUM,
    N.ABS: Op.ABSOLUTE,
    N.IN: Op.MEMBER,
    N.SET: Op.SET,
    N.UNION: Op.SET,
    N.CASE: Op.CHOICE,
    N.ITE: Op.CONDITION,
    N.COUNT: Op.COUNT,
}
"""Operators that are one of the core."""
ON_WORDS = {
    N.ADD: Op.WORD_ADD,
    N.SUB: Op.WORD_SUBTRACT,
    N.MUL: Op.WORD_MULTIPLY,
    N.DIV: Op.WORD_DIVIDE,
    N.MOD: Op.WORD_MODULO,
    N.NOT: Op.WORD_NOT,
    N.AND: Op.WORD_AND,
    N.OR: Op.WORD_OR,
    N.XOR: Op.WORD_XOR,
    N.SHL: Op.WORD_LEFT,
    N.SHR: Op.WORD_RIGHT,
}
"""The same where the arguments are words of one width."""


class Symbols:
    """The numbers of symbols, shared by all modules of a file."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._texts: list[str] = []

    def value(self, value: Value) -> int:
        """A value as a number of the core."""
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, int):
            return value
        return EXIT_VALUE if value == EXIT else self.symbol(value)

    def symbol(self, text: str) -> int:
        """A symbol as a number of the core."""
        number = self._numbers.setdefault(text, len(self._texts))
        if number == len(self._texts):
            self._texts.append(text)
        return _SYMBOLS + number

    def read(self, number: int) -> Value:
        """The value that a number of the core stands for."""
        if number >= _INTEGERS:
            return number
        if number in (FALSE, TRUE):
            return number == TRUE
        return EXIT if number == EXIT_VALUE else self._texts[number - _SYMBOLS]
