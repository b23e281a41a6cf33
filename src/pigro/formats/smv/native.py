"""Values and operators as numbers of the native core."""

from __future__ import annotations

from pigro import _core
from pigro.formats.smv.syntax.nodes import EXIT, OPERATORS, Value

Op = _core.SmvTerm
"""The operators of expressions, by number."""
UNKNOWN = _core.SmvValue.UNKNOWN
"""No value yet."""
EXIT_VALUE = _core.SmvValue.EXIT
FALSE, TRUE = _core.SmvValue.FALSE, _core.SmvValue.TRUE
_PLAIN = 1 << _core.SmvNumbers.PLAIN_BITS
"""Words of more bits may have numbers that only an id stands for."""
FORBIDDEN = 10**18
"""Numbers beyond this are no constants."""
PLAIN = {op: each.plain for op, each in enumerate(OPERATORS) if each.plain is not None}
"""Operators that are one of the core."""
ON_WORDS = {op: each.on_words for op, each in enumerate(OPERATORS) if each.on_words is not None}
"""The same where the arguments are words of one width."""


class SymbolNumbers:
    """The numbers of symbols, shared by all modules of a file."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._texts: list[str] = []
        self.wide = _core.WideWords()

    def value(self, value: Value) -> int:
        """A value as a number of the core."""
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, int):
            if -_PLAIN <= value < _PLAIN:
                return value
            return self.wide.value(value < 0, abs(value))
        return EXIT_VALUE if value == EXIT else self.symbol(value)

    def symbol(self, text: str) -> int:
        """A symbol as a number of the core."""
        number = self._numbers.setdefault(text, len(self._texts))
        if number == len(self._texts):
            self._texts.append(text)
        return _core.SmvValue.FIRST_SYMBOL + number

    def read(self, number: int) -> Value:
        """The value that a number of the core stands for."""
        if number >= _core.SmvValue.LEAST_INTEGER:
            return number
        if number in (FALSE, TRUE):
            return number == TRUE
        if number >= _core.SmvValue.FIRST_WIDE:
            negative, size = self.wide.number(number)
            return -size if negative else size
        return EXIT if number == EXIT_VALUE else self._texts[number - _core.SmvValue.FIRST_SYMBOL]
