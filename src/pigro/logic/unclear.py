"""Texts that leave open what A or E speak of: `AG p U q` is read as `A [(AG p) U q]`.

A word such as AG binds tighter than U, W and R. So does `A (G p)`, whose brackets hold a path
formula. A person may mean `A [G p U q]` or `AG (p U q)`. Two texts are clear: `(AG p) U q`, and
`E [EX p U q]`, where U alone stands in the brackets of E, as in CTL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from pigro.logic.fragments import state_formulas
from pigro.logic.lexer import CLOSE, INFIX, PREFIX, tokenize
from pigro.logic.operators import UNTILS, Op
from pigro.logic.printer import as_written, text_of

if TYPE_CHECKING:
    from pigro.logic.syntax import Formula

_QUANTIFIERS = frozenset((int(Op.A), int(Op.E)))
_PREFIXES = frozenset(map(int, (Op.NOT, Op.X, Op.F, Op.G, Op.DIAMOND, Op.BOX)))
_UNTIL_WORDS = frozenset("UWRV")
_LOOSE = frozenset("AE")
_STEPS = frozenset("XFG")
_HOLDS = _STEPS | frozenset("([")
"""After A or E: what it holds is plain."""
_WORDS = frozenset(word for word, entries in PREFIX.items() if len(entries) > 1)
_CONNECTIVES = {word for word, (_, entry) in INFIX.items() if entry != CLOSE} - _UNTIL_WORDS
_CONNECTIVES |= {"xnor", ";", ",", "?", ":"}
_LONGEST = 300


class _BracketLevel(Struct):
    """The text in one pair of brackets."""

    opened: str = ""
    """Its bracket."""
    held: bool = False
    """Whether the bracket stands right after A or E."""
    first: str = ""
    """The token after the bracket."""
    is_path: bool = False
    """Whether the last bracket inside held a path formula."""
    connectives: int = 0
    untils: int = 0
    loose: int = 0
    """A and E that hold the U, W or R after them."""
    quantified: bool = False
    """Whether the operand that is being read has a quantifier that ends where the operand ends."""
    doubtful: bool = False
    """Whether such an operand is the first one of U, W or R."""

    def quantify(self, *, tight: bool) -> None:
        """A quantifier, which binds tighter than U, or looser."""
        self.quantified = tight
        self.loose += not tight

    @property
    def unclear(self) -> bool:
        is_ctl = self.held and self.untils == 1 and not self.connectives and not self.loose
        return self.doubtful and not is_ctl

    @property
    def holds_path(self) -> bool:
        if self.connectives or self.untils:
            return not self.connectives
        return self.first in _STEPS or (self.first == "(" and self.is_path)


def is_unclear(formula: Formula, text: str) -> bool:
    """Whether the text of a formula can be read in two ways.

    >>> from pigro.logic import parse
    >>> [is_unclear(parse(text), text) for text in ("AG p U q", "(AG p) U q", "E [EX p U q]")]
    [True, False, False]
    """
    return _has_quantified(formula) and _has_doubt(text, formula)


def read_as(formula: Formula) -> str:
    """The formula with all brackets that are in doubt. A long one is cut.

    >>> from pigro.logic import parse
    >>> read_as(parse("AG p U q")), read_as(parse("E AG p U q | r"))
    ('A [(AG p) U q]', 'E [(AG p) U q] | r')
    """
    shown = as_written(formula)
    text = text_of(shown, limit=_LONGEST, clear=True)
    return text if state_formulas(shown)[-1] else f"A [{text}]"


def _has_quantified(formula: Formula) -> bool:
    """Whether the first operand of some U, W or R begins with A or E."""
    shown = as_written(formula)
    ops, left = shown.ops, shown.left
    for node, op in enumerate(ops):
        if op in UNTILS:
            at = left[node]
            while ops[at] in _PREFIXES:
                at = left[at]
            if ops[at] in _QUANTIFIERS:
                return True
    return False


def _has_doubt(text: str, formula: Formula) -> bool:
    if not _UNTIL_WORDS.isdisjoint(formula.variables):
        return False  # the words may be variables
    tokens = tokenize(text)
    levels = [_BracketLevel()]
    for before, token, after in zip(["", *tokens], tokens, [*tokens[1:], ""], strict=False):
        level = levels[-1]
        level.first = level.first or token
        if token in "([{":
            levels.append(_BracketLevel(token, before in _LOOSE))
        elif token in ")]}" and len(levels) > 1:
            if levels.pop().unclear:
                return True
            levels[-1].is_path = level.holds_path
            if level.held and level.opened == "(":
                levels[-1].quantify(tight=level.holds_path)
        else:
            _take(level, before, token, after)
    return levels[-1].unclear


def _take(level: _BracketLevel, before: str, token: str, after: str) -> None:
    """Any token but a bracket."""
    if token in _WORDS or (token in _STEPS and before in _LOOSE):
        level.quantify(tight=True)
    elif token in _LOOSE and after not in _HOLDS:
        level.quantify(tight=False)
    elif token in _CONNECTIVES:
        level.connectives += 1
        level.quantified = False
    elif token in _UNTIL_WORDS:
        level.untils += 1
        level.doubtful |= level.quantified
        level.quantified = False
