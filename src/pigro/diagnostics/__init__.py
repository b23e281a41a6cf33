"""Error codes and records: what Pigro says when something is wrong.

Imports nothing else of ours. Every diagnostic has one stable code (`P001` ...), listed in
`catalogue.py`. An error is raised as a subclass of `PigroError` that carries the code, the place
and a hint, and is rendered by `render_error`.
"""

from pigro.diagnostics.catalogue import CATALOGUE, Diagnostic
from pigro.diagnostics.errors import (
    CheckError,
    FormulaError,
    InputError,
    InternalError,
    ModelError,
    PigroError,
    Position,
    UsageError,
    place_of,
)
from pigro.diagnostics.printable import printable
from pigro.diagnostics.problems import InputProblems
from pigro.diagnostics.rendering import render_error
from pigro.diagnostics.spelling import close_matches, did_you_mean

__all__ = [
    "CATALOGUE",
    "CheckError",
    "Diagnostic",
    "FormulaError",
    "InputError",
    "InputProblems",
    "InternalError",
    "ModelError",
    "PigroError",
    "Position",
    "UsageError",
    "close_matches",
    "did_you_mean",
    "place_of",
    "printable",
    "render_error",
]
