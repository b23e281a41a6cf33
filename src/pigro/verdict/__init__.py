"""What a check answers: data only, the same for models, systems and compositions (games.py)."""

from pigro.verdict.about import About, about
from pigro.verdict.verdict import CheckStats, Step, Verdict

__all__ = [
    "About",
    "CheckStats",
    "Step",
    "Verdict",
    "about",
]
