"""The words for what is wrong with an expression."""

from __future__ import annotations

from pigro.formats.smv.syntax.text import Fault, found
from pigro.formats.smv.syntax.words import OPENING, QUANTIFIERS, RESERVED, SECTIONS

_INSTEAD = {
    "&&": "&",
    "||": "|",
    "==": "=",
    "~": "!",
    "not": "!",
    "and": "&",
    "or": "|",
    "%": "mod",
}
_BY_INDEX = "declare `a : array 0..7 of ...;` and "
ON_ARRAYS = {
    "READ": _BY_INDEX + "write a[i]",
    "WRITE": _BY_INDEX + "assign each element: next(a[0]) := ...",
    "CONSTARRAY": _BY_INDEX + "assign each element: init(a[0]) := ...",
    "typeof": "write the type",
    "floor": "use a range of whole numbers, such as 0..10",
}
"""Functions of NuSMV that are not supported, with what to write."""
_NEXT = {"{": "`,` or `}`", "?": "`:`", "array": "`,` or `]`", "[": "`]`"}


def is_foreign(token: str) -> bool:
    """A word that some other language has in the place of an operator."""
    return token in _INSTEAD


def unexpected(tokens: list[str], place: int, expected: str) -> Fault:
    """The fault for a token that can't stand where it does."""
    token = tokens[place]
    before = tokens[place - 1] if place else ""
    if token.startswith("/--"):
        return Fault("P121", "the comment is not closed", place, "end it with --/")
    after = f" after {found(before)}" if before else ""
    what = "the reserved word " if token in RESERVED and token[:1].isalpha() else ""
    instead = _INSTEAD.get(token) or (_INSTEAD.get(before * 2) if token == before else None)
    hint = f"the operator is written {instead}" if instead else None
    if before in QUANTIFIERS:
        hint = hint or f"write {before} [p U q]; {before} is a reserved word"
    if token and not token.isascii():
        hint = "names are made of the letters a to z, digits and _ $ # -"
    return Fault("P121", f"{expected}{after}, found {what}{found(token)}", place, hint)


def refused(tokens: list[str], place: int) -> Fault:
    """The fault for an operator of NuSMV that Pigro does not have."""
    token = tokens[place]
    bound = " [...]" if tokens[place + 1] == "[" else ""
    hint = "F, G, O and H have bounds: F [0, 3] p; so have EBF 0..3 p and A [p BU 0..3 q]"
    return Fault("P122", f"the bounded operator `{token}{bound}` is not supported", place, hint)


def unfinished(tokens: list[str], place: int, opening: str, at: int, step: int) -> Fault:
    """The fault for a bracket that is not closed, or wrongly; it was opened at token `at`."""
    needed = _NEXT.get(opening) or f"`{OPENING[opening]}`"
    opening = "[" if opening == "array" else opening
    if opening == "case":
        needed = "`;`" if step else "`:`"
    shown = "[" if opening in QUANTIFIERS else opening
    token = tokens[place]
    if not token or token in SECTIONS or token == ":=":
        message = f"this `{shown}` is not closed: expected an operator or {needed}"
        return Fault("P121", message, at)
    return unexpected(tokens, place, f"expected an operator or {needed}")
