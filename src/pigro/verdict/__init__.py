"""What a check answers: data only, the same for models, systems and compositions."""

from pigro.verdict.about import About, about
from pigro.verdict.games import Games, LayerReport, Round, SymbolicResult
from pigro.verdict.verdict import CheckStats, Run, Step, Verdict

__all__ = [
    "About",
    "CheckStats",
    "Games",
    "LayerReport",
    "Round",
    "Run",
    "Step",
    "SymbolicResult",
    "Verdict",
    "about",
]
