"""The nouns: recursive state machines and how to make them. Imports only diagnostics."""

from pigro.model.builder import BoxBuilder, ComponentBuilder, ModelBuilder, kripke
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.names import Names
from pigro.model.positions import Positions, SourcePosition
from pigro.model.rsm import RSM
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
