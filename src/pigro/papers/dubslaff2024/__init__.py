"""The algorithms of [Dubslaff2024]: EagerCheck and LazyCheck with expansion heuristics.

shape            the model, read once: bodies, sites          (reach: what the call graph says)
interpretation   instances, three-valued. The question
instances        the graph of instances
refine           Alg. 1, RefineTernary                        (fixpoints: EU and EG)
contextualize    Alg. 2
initialize       Alg. 3
eager            Alg. 4, EagerCheck
cycles           Lemma 6, global dependency cycles
joint            what all callers agree on
lazy             Alg. 5, LazyCheck and LazyCheck'
variant          Pigro's version, the paper's or its tool's   (printed, tool: their LazyCheck)
expansion        Alg. 6 and 7, GetNextExpansion and FindReason (mirror: the graph in the core)
heuristics       which boxes next. Open to users              (finding: by name)
trace            the step log
engine           the engines
"""

from pigro.papers.dubslaff2024.engine import EAGER, LAZY, RANDOM, TERNARY, ContextEngine
from pigro.papers.dubslaff2024.heuristics import (
    HEURISTICS,
    BoxCandidate,
    Choose,
    Heuristic,
    HeuristicView,
    InstanceView,
    register_heuristic,
)
from pigro.papers.dubslaff2024.variant import Variant

__all__ = [
    "EAGER",
    "HEURISTICS",
    "LAZY",
    "RANDOM",
    "TERNARY",
    "BoxCandidate",
    "Choose",
    "ContextEngine",
    "Heuristic",
    "HeuristicView",
    "InstanceView",
    "Variant",
    "register_heuristic",
]
