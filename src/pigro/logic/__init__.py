"""Formulas: the syntax graph, the parser for three dialects, the printer, normal forms, fragments.

Imports only `pigro.diagnostics`. Text becomes a `Formula` (`parse`, `read_formulas`), a `Formula`
becomes text again (`str`), the `NormalForm` that the engines check (`existential_normal_form`), or
the `ModalForm` that games are played on (`modal.modal_form`).
"""

from pigro.logic.construct import (
    AF,
    AG,
    AR,
    AU,
    AW,
    AX,
    EF,
    EG,
    ER,
    EU,
    EW,
    EX,
    A,
    E,
    F,
    G,
    R,
    U,
    W,
    X,
    atom,
    box,
    conjunction,
    diamond,
    disjunction,
    false,
    mu,
    nu,
    true,
)
from pigro.logic.files import read_formula_file, read_formulas
from pigro.logic.lexer import quote
from pigro.logic.normal import NormalForm, existential_normal_form
from pigro.logic.operators import Fragment, Op
from pigro.logic.syntax import Formula, parse

__all__ = [
    "AF",
    "AG",
    "AR",
    "AU",
    "AW",
    "AX",
    "EF",
    "EG",
    "ER",
    "EU",
    "EW",
    "EX",
    "A",
    "E",
    "F",
    "Formula",
    "Fragment",
    "G",
    "NormalForm",
    "Op",
    "R",
    "U",
    "W",
    "X",
    "atom",
    "box",
    "conjunction",
    "diamond",
    "disjunction",
    "existential_normal_form",
    "false",
    "mu",
    "nu",
    "parse",
    "quote",
    "read_formula_file",
    "read_formulas",
    "true",
]
