"""CTL*, LTL and CTL on the fly, after [Bhat1995]: states are made only as the proof needs them."""

from pigro.engines.onthefly.native import ONTHEFLY, OnTheFlyEngine

__all__ = ["ONTHEFLY", "OnTheFlyEngine"]
