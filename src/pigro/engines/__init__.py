"""(model, formula) -> Verdict; one module per algorithm."""

from pigro.engines.choosing import ENGINES, check, check_all, choose_engine
from pigro.engines.engine import Engine, Limits, require_fit, why_not
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
    "require_fit",
    "unknown_labels",
    "why_not",
]
