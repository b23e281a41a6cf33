"""Tokens to expression nodes: operator precedence parsing, by the native core.

Values, conditions and formulas share one grammar. Which operator may stand where is decided when
names are known (`kinds.py`, `formulas.py`). How tightly each binds stands in `words.py`, the words
for faults in `mistakes.py`.

`A` and `E` are read as in Pigro's own language (`pigro.logic.grammar`): they hold the text in
square brackets after them. With X, F or G they are one operator, `A G p` is `AG p`. Else they are
loose, `E p U q` is `E [p U q]`, but hold round brackets whose outermost operator is one on paths.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.formats.smv.syntax.mistakes import long_number, mistake
from pigro.formats.smv.syntax.text import TokenFault, found
from pigro.formats.smv.syntax.words import WORDS

if TYPE_CHECKING:
    from pigro.formats.smv.syntax.nodes import ExpressionNodes
    from pigro.formats.smv.syntax.text import TokenText


def expression(
    text: TokenText,
    place: int,
    nodes: ExpressionNodes,
    *,
    chains: bool = True,
    grouped: bool = True,
    in_type: bool = False,
) -> tuple[int, int]:
    """Reads an expression from token `place` on. Its root, and the token after it.

    Without `chains` every operator has two arguments, as formulas need it. If `grouped`, `U` and
    its like group to the left, as in NuSMV. Otherwise to the right, as in Pigro's own language, and
    `p U q U r`, which NuSMV reads differently, is refused. Inside of a type `..` binds loosest.
    """
    try:
        return text.read.expression(
            place, nodes.ops, nodes.args, nodes.at, nodes.first, word, chains, grouped, in_type
        )
    except _core.SyntaxMistake as error:
        raise mistake(text.tokens, *error.args) from None


def sections(text: TokenText, place: int, nodes: ExpressionNodes) -> list[tuple[int, int, int]]:
    """Reads the formula of a section from token `place` on, and those of the sections after it.

    These are the ones of the same kind that have no name. The root, first token and end of each.
    """
    try:
        return text.read.sections(
            place, nodes.ops, nodes.args, nodes.at, nodes.first, word, _NAME, _SEPARATOR
        )
    except _core.SyntaxMistake as error:
        raise mistake(text.tokens, *error.args) from None


_NAME, _SEPARATOR = WORDS.index("NAME"), WORDS.index(";")
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}
_BITS = {"b": 1, "o": 3, "h": 4}
WIDEST = 64
"""Bits of a word, as in NuSMV."""


def word(token: str, place: int) -> tuple[int, int]:
    """The value and the width of a word constant, such as `0sd8_5`. Signed ones are negative."""
    signed = token[1] == "s"
    rest = token[2:] if token[1] in "us" else token[1:]
    sign, (size, _, digits) = rest[0].lower(), rest[1:].partition("_")
    digits = digits.replace("_", "")
    if len(digits) > 2 * WIDEST or len(size) > 3:
        raise too_wide(place)
    if not size and sign not in _BITS:
        raise TokenFault("P121", f"{found(token)} lacks its width", place, "write 0ud8_5, say")
    try:
        value = int(digits, _BASES[sign])
    except ValueError:
        raise TokenFault("P121", f"{found(token)} is no word", place) from None
    width = int(size) if size else _BITS[sign] * len(digits)
    if not 1 <= width <= WIDEST:
        raise too_wide(place)
    if value >= 1 << width:
        raise TokenFault("P125", f"{found(token)} does not fit into {width} bits", place)
    if signed and value >= 1 << (width - 1):
        value -= 1 << width
    return value, -width if signed else width


def too_wide(place: int) -> TokenFault:
    """The fault for a word that is too wide, or has no bits."""
    hint = "split it into several words, one for the upper bits and one for the lower ones"
    return TokenFault("P122", f"words have 1 to {WIDEST} bits, as in NuSMV", place, hint)


def is_number(token: str) -> bool:
    """Whether a token is a number. Superscripts and other digits are none."""
    return token.isdigit() and token.isascii()


def number(tokens: list[str], place: int) -> int:
    """The number that a token stands for."""
    token = tokens[place]
    if len(token) > _core.SmvNumbers.LONGEST_NUMBER:
        raise long_number(token, place)
    return int(token)
