"""Evidence for people: paths and claims, and the replay that checks them.

For CTL they are read off certificates (`evidence_for`, `replay`), for LTL and CTL* made from what
an engine tells (`run_evidence`, `replay_run`). For the mu-calculus they are strategies: for models
(`GameStrategy`, `replay_game`) and for compositions (`Strategy`, `replay_strategy`). `document`
writes what a verdict has shown, of any kind. Names are imported when first used.
"""

from typing import TYPE_CHECKING

from pigro.lazy_names import lazy_names

if TYPE_CHECKING:
    from pigro.evidence.bundle import document
    from pigro.evidence.data import WrongEvidence
    from pigro.evidence.game.strategy import GameStrategy, replay_game
    from pigro.evidence.replaying import replay, replay_run
    from pigro.evidence.run.runs import Decider, holds_on, run_evidence
    from pigro.evidence.states import EMPTY, Evidence, Path, RunEvidence, Stack, State, Steps
    from pigro.evidence.strategy.replay import replay_strategy
    from pigro.evidence.strategy.strategy import Strategy
    from pigro.evidence.tree.following import evidence_for, evidence_of

__all__ = [
    "EMPTY",
    "Decider",
    "Evidence",
    "GameStrategy",
    "Path",
    "RunEvidence",
    "Stack",
    "State",
    "Steps",
    "Strategy",
    "WrongEvidence",
    "document",
    "evidence_for",
    "evidence_of",
    "holds_on",
    "replay",
    "replay_game",
    "replay_run",
    "replay_strategy",
    "run_evidence",
]

if not TYPE_CHECKING:  # where names are checked, a wrong one is an error
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "data": ("WrongEvidence",),
            "bundle": ("document",),
            "tree.following": ("evidence_for", "evidence_of"),
            "game.strategy": ("GameStrategy", "replay_game"),
            "replaying": ("replay", "replay_run"),
            "run.runs": ("Decider", "holds_on", "run_evidence"),
            "states": ("EMPTY", "Evidence", "Path", "RunEvidence", "Stack", "State", "Steps"),
            "strategy.strategy": ("Strategy",),
            "strategy.replay": ("replay_strategy",),
        },
    )
