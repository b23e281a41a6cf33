"""The algorithms of RMV ([Finis2012]), for models whose components have one entry and one exit.

The incremental approach is chapters 3 and 4, the basic approach (basic.py) is appendix A.
"""

from pigro.papers.finis2012.engine import INCREMENTAL

__all__ = ["INCREMENTAL"]
