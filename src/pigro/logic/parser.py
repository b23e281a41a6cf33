"""Text to formula: tokens from `lexer.py`, rules in `grammar.py`, messages in `mistakes.py`."""

from __future__ import annotations

from pigro.logic.grammar import read
from pigro.logic.syntax import Formula


def parse(text: str, *, source: str | None = None, line: int = 1) -> Formula:
    """The formula that `text` stands for, in any of the dialects; FormulaError when it is none.

    `source` and `line` say where the text comes from; errors carry them.

    >>> parse("A G (p --> E F q)") == parse("AG (p -> EF q)")
    True
    >>> parse("E p U q"), parse("E[p U q]"), parse("E(p U q)")
    (Formula("E [p U q]"), Formula("E [p U q]"), Formula("E [p U q]"))
    >>> parse("p &")
    Traceback (most recent call last):
    pigro.diagnostics.errors.FormulaError: P301: expected a formula after `&`, found the end
    """
    return Formula.from_arena(read(text, source, line))
