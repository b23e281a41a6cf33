"""(model, formula) -> Verdict. One module per algorithm."""

from pigro.engines.auto import require_fits, with_depth
from pigro.engines.brackets import BracketWarning, missing_brackets
from pigro.engines.engine import (
    Engine,
    require_fit,
    why_not,
)
from pigro.engines.labels import UnknownLabels, UnknownLabelWarning, unknown_labels
from pigro.engines.single_steps import SingleStepWarning, single_steps
from pigro.engines.table import (
    ENGINES,
    TABLE,
    Capabilities,
    Shape,
    choose_engine,
    require_logic,
    with_options,
)
from pigro.limits import Limits
from pigro.verdict import CheckStats, Step, Verdict

__all__ = [
    "ENGINES",
    "TABLE",
    "BracketWarning",
    "Capabilities",
    "CheckStats",
    "Engine",
    "Limits",
    "Shape",
    "SingleStepWarning",
    "Step",
    "UnknownLabelWarning",
    "UnknownLabels",
    "Verdict",
    "choose_engine",
    "missing_brackets",
    "require_fit",
    "require_fits",
    "require_logic",
    "single_steps",
    "unknown_labels",
    "why_not",
    "with_depth",
    "with_options",
]
