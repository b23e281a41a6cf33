"""Evidence for people: paths and claims, read off certificates, and the replay that checks them."""

from pigro.evidence.document import document, read
from pigro.evidence.replay import replay
from pigro.evidence.states import Path, State, Steps
from pigro.evidence.tree import Evidence, evidence_for
from pigro.evidence.walking import WrongEvidence

__all__ = [
    "Evidence",
    "Path",
    "State",
    "Steps",
    "WrongEvidence",
    "document",
    "evidence_for",
    "read",
    "replay",
]
