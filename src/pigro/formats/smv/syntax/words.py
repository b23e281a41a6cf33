"""The words of the language, as the native core has them, and what to say about others."""

from __future__ import annotations

from pigro import _core
from pigro.formats.smv.syntax.nodes import OPERATORS
from pigro.logic.operators import TEMPORAL_LIMIT

FOREIGN = {
    "&&": "&",
    "||": "|",
    "==": "=",
    "~": "!",
    "not": "!",
    "and": "&",
    "or": "|",
    "%": "mod",
}
"""Words that some other language has in the place of an operator."""
_BY_INDEX = "declare `a : array 0..7 of ...;` and "
MISSING = {
    "READ": _BY_INDEX + "write a[i]",
    "WRITE": _BY_INDEX + "assign each element: next(a[0]) := ...",
    "CONSTARRAY": _BY_INDEX + "assign each element: init(a[0]) := ...",
    "typeof": "write the type",
    "floor": "use a range of whole numbers, such as 0..10",
}
"""Functions of NuSMV that are not supported, with what to write."""


def vocabulary(*, modal: bool) -> _core.Vocabulary:
    """The words by which the native core reads tokens and expressions."""
    return _core.Vocabulary([*FOREIGN], [*MISSING], TEMPORAL_LIMIT, modal)


VOCABULARY = vocabulary(modal=False)
WORDS = VOCABULARY.words
"""By number. The first is the end."""
RESERVED = frozenset(VOCABULARY.reserved())
SECTIONS = frozenset(VOCABULARY.sections())
CLOSING = VOCABULARY.closing()
"""Each bracket, or word that opens one, with what closes it."""


def signs(form: str) -> frozenset[str]:
    """The words of all operators that are written in a form."""
    found = {sign for each in OPERATORS if each.form == form for sign in (each.sign, each.also)}
    return frozenset(found - {""})


FUNCTIONS = signs("function")
QUANTIFIERS = signs("path")
