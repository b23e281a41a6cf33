"""(model, formula) -> Verdict. One module per algorithm."""

from pigro.engines.auto import require_fits, with_depth
from pigro.engines.engine import (
    Engine,
    misfit_reason,
    require_fit,
)
from pigro.engines.likely_mistakes import (
    BracketWarning,
    SingleStepWarning,
    UnknownLabels,
    UnknownLabelWarning,
    missing_brackets,
    single_steps,
    unknown_labels,
)
from pigro.engines.table import (
    ENGINES,
    TABLE,
    Capabilities,
    ModelClass,
    choose_engine,
    require_logic,
    with_options,
)
from pigro.limits import Limits
from pigro.verdict import CheckStats, Remarks, Step, Verdict

__all__ = [
    "ENGINES",
    "TABLE",
    "BracketWarning",
    "Capabilities",
    "CheckStats",
    "Engine",
    "Limits",
    "ModelClass",
    "Remarks",
    "SingleStepWarning",
    "Step",
    "UnknownLabelWarning",
    "UnknownLabels",
    "Verdict",
    "choose_engine",
    "misfit_reason",
    "missing_brackets",
    "require_fit",
    "require_fits",
    "require_logic",
    "single_steps",
    "unknown_labels",
    "with_depth",
    "with_options",
]
