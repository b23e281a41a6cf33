"""CTL*, LTL and CTL on the fly, after [Bhat1995]: states are made only as the proof needs them.

native           the engine `onthefly`: models, by the native core
system           systems that a program gives. What was asked of one
rules            Figure 1: proof rules for assertions s |- A Phi
search           Figures 2 to 4: the depth-first search          (counterexample: what it found)
implicit         verdicts on systems
unfold           a model as a system: its stacks and nodes
showing, again   why the native search says so, and whether it is right, by the one in Python
"""

from pigro.engines.onthefly.native import ONTHEFLY, OnTheFlyEngine

__all__ = ["ONTHEFLY", "OnTheFlyEngine"]
