"""What a check answers, as data: one class for every subject, with the engine's own details."""

from typing import TYPE_CHECKING

from pigro.lazy_names import lazy_names
from pigro.verdict.subject_summary import SubjectSummary, about, is_here
from pigro.verdict.verdict import CheckStats, EngineDetails, Remarks, Step, StepLog, Verdict

if TYPE_CHECKING:
    from pigro.verdict.composition_details import CompositionDetails

__all__ = [
    "CheckStats",
    "CompositionDetails",
    "EngineDetails",
    "Remarks",
    "Step",
    "StepLog",
    "SubjectSummary",
    "Verdict",
    "about",
    "is_here",
]

__getattr__, __dir__ = lazy_names(__name__, {"composition_details": ("CompositionDetails",)})
