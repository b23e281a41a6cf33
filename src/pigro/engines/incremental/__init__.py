"""RMV's incremental checking ([Finis2012], ch. 3 and 4), for single-entry single-exit models."""

from pigro.engines.incremental.engine import INCREMENTAL

__all__ = ["INCREMENTAL"]
