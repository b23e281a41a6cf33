"""The nouns: recursive state machines and how to make them. Imports only diagnostics.

Names that most runs do not need are imported when first used.
"""

from typing import TYPE_CHECKING

from pigro.lazy_names import lazy_names
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.names import Names
from pigro.model.positions import Positions, SourcePosition
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from pigro.model.builder import BoxBuilder, ComponentBuilder, ModelBuilder, kripke
    from pigro.model.statistics import Statistics

__all__ = [
    "RSM",
    "BoxBuilder",
    "ComponentBuilder",
    "DeadEnds",
    "ModelBuilder",
    "Names",
    "Positions",
    "Semantics",
    "SourcePosition",
    "Statistics",
    "kripke",
]

if not TYPE_CHECKING:  # where names are checked, a wrong one is an error
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "builder": ("BoxBuilder", "ComponentBuilder", "ModelBuilder", "kripke"),
            "statistics": ("Statistics",),
        },
    )
