"""CTL*, LTL and CTL on the fly, after [Bhat1995]: states are made only as the proof needs them.

native            the engine `onthefly`: models, by the native core
system            systems written in Python, and the queries that were made to one
rules             Figure 1: proof rules for assertions s |- A Phi
search            Figures 2 to 4: the depth-first search         (counterexample: its run)
unfold            a model as a system: its stacks and nodes
computed          models whose states are computed on demand     (program: their search)
native_evidence   evidence for verdicts of the native search     (computed_evidence: of computed)
recheck           decides the same formulas with the search in Python
"""

from pigro.engines.onthefly.native import ONTHEFLY, OnTheFlyEngine

__all__ = ["ONTHEFLY", "OnTheFlyEngine"]
