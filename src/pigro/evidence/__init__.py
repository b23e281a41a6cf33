"""Evidence for people: paths and claims, and the replay that checks them.

For CTL they are read off certificates (`evidence_for`, `replay`, `document`), for LTL and CTL* made
from what an engine tells (`run_evidence`, `replay_run`, `run_document`). For compositions they are
strategies (`Strategy`, `replay_strategy`, `strategy_document`).
"""

from pigro.evidence.data import WrongEvidence
from pigro.evidence.documents import document, read, read_run, run_document
from pigro.evidence.replay import replay, replay_run
from pigro.evidence.runs import Decider, holds_on, run_evidence
from pigro.evidence.stacks import EMPTY, Stack
from pigro.evidence.states import Path, State, Steps
from pigro.evidence.strategy import Strategy
from pigro.evidence.strategy_document import read_strategy, strategy_document, take_strategy
from pigro.evidence.strategy_replay import replay_strategy
from pigro.evidence.tree import Evidence, evidence_for, evidence_of

__all__ = [
    "EMPTY",
    "Decider",
    "Evidence",
    "Path",
    "Stack",
    "State",
    "Steps",
    "Strategy",
    "WrongEvidence",
    "document",
    "evidence_for",
    "evidence_of",
    "holds_on",
    "read",
    "read_run",
    "read_strategy",
    "replay",
    "replay_run",
    "replay_strategy",
    "run_document",
    "run_evidence",
    "strategy_document",
    "take_strategy",
]
