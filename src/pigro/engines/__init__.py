"""(model, formula) -> Verdict; one module per algorithm."""

from pigro.engines.auto import engines_for, with_depth
from pigro.engines.choosing import ENGINES, check, check_all, choose_engine
from pigro.engines.engine import (
    Engine,
    Limits,
    require_fit,
    require_logic,
    require_provable,
    why_not,
)
from pigro.engines.labels import UnknownLabels, UnknownLabelWarning, unknown_labels
from pigro.engines.verdict import CheckStats, Step, Verdict

__all__ = [
    "ENGINES",
    "CheckStats",
    "Engine",
    "Limits",
    "Step",
    "UnknownLabelWarning",
    "UnknownLabels",
    "Verdict",
    "check",
    "check_all",
    "choose_engine",
    "engines_for",
    "require_fit",
    "require_logic",
    "require_provable",
    "unknown_labels",
    "why_not",
    "with_depth",
]
